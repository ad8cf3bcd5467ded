// A promise of the documentation as a test. The claim names a page and an anchor: the section that makes the promise. Its words are free.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { anchorsOf, pageOf, root } from './documents.ts'

export type Proof = (() => void | Promise<void>) | Elsewhere

/** A test that another suite has, since it takes a browser, a process or a long time. */
export interface Elsewhere {
  readonly file: string
  readonly title: string
}

export function elsewhere(file: string, title: string): Elsewhere {
  return { file, title }
}

/** A test of a promise that the section at `place` makes, such as `docs/faults.md#latency`. */
export function claim(place: string, fact: string, proof: Proof): void {
  it(`${place}: ${fact}`, async () => {
    const [page = '', anchor] = place.split('#')
    expect(anchorsOf(pageOf(page).text)).toContain(anchor)
    await prove(proof)
  })
}

export async function prove(proof: Proof): Promise<void> {
  if (typeof proof === 'function') await proof()
  else expect(readFileSync(join(root, proof.file), 'utf8')).toContain(proof.title)
}
