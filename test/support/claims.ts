// A sentence of the documentation as a test: it must be on its page, word for word, and it must be true.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pageOf, root } from './documents.ts'

export type Proof = (() => void | Promise<void>) | Elsewhere

/** A test that another suite has, since it takes a browser, a process or a long time. */
export interface Elsewhere {
  readonly file: string
  readonly title: string
}

export function elsewhere(file: string, title: string): Elsewhere {
  return { file, title }
}

/** A test named after the sentence. */
export function claim(page: string, sentence: string, proof: Proof): void {
  it(`${page}: ${sentence}`, async () => {
    expect(flatten(pageOf(page).text)).toContain(flatten(sentence))
    await prove(proof)
  })
}

export async function prove(proof: Proof): Promise<void> {
  if (typeof proof === 'function') await proof()
  else expect(readFileSync(join(root, proof.file), 'utf8')).toContain(proof.title)
}

/** Pages break their lines anywhere. */
function flatten(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
