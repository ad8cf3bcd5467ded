// What kits do with files, where there is Node: scenarios that they read, recordings and surprises that they write.
// Not for Storybook, whose pages have no files: a bundler would look for Node's modules.
import type { UsageError } from '../contract/errors.ts'
import type { Control } from '../control/control.ts'
import { hash } from '../random.ts'
import { isReference } from '../scenario/document.ts'
import { openScenario } from '../scenario/open.ts'
import type { ReadScenario } from '../world/scenario.ts'

const { process } = globalThis

/** Opens the scenario of a kit; in Node it may be a file. */
export function openInKit(given: unknown): ReadScenario | Promise<ReadScenario> {
  if (!process?.versions?.node || !isReference(given)) return openScenario(given)
  return import('../scenario/files.ts').then((files) => files.findScenario(given))
}

/** A file for a recording: the name of the test, and a hash for tests of the same name in other files. */
export function nameRecording(folder: string, name: string, callSite: string): string {
  const words = name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80)
  return `${folder}/${words}-${hash(`${callSite} ${name}`).toString(36)}.jsonl`
}

/** Writes it whole; returns the line that opens it before the row `at`, or why it is not there. */
export async function saveRecording(file: string, text: string, at?: number): Promise<string> {
  if (!process?.versions?.node) return ''
  const { PRIVATE, replaceFile } = await import('../hosts/node/replace-file.ts')
  return replaceFile(file, text, PRIVATE).then(
    () => `\nTo see it again: npx animal-store-mock open ${file}${at === undefined ? '' : ` --at ${at}`}`,
    ({ message }: UsageError) => `\n${message}`,
  )
}

/** Adds every surprise to the file in which the command `surprise find` looks for them. */
export function reportSurprises(control: Control): void {
  const file = process?.env.ANIMAL_STORE_SURPRISE_REPORT
  const fs = process?.getBuiltinModule?.('node:fs')
  if (!file || !fs) return
  control.subscribe((event) => {
    if (event.type === 'request') for (const surprise of event.row.surprises) fs.appendFileSync(file, `${surprise}\n`)
  })
}
