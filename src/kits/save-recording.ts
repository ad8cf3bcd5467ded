// The recording of a test that failed, as a file that a colleague can open.
import { hash } from '../random.ts'

/** A file for a test: its name, and a few characters that tell it from tests of the same name in other files. */
export function nameRecording(folder: string, name: string, callSite: string): string {
  const words = name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80)
  return `${folder}/${words}-${hash(`${callSite} ${name}`).toString(36)}.jsonl`
}

/** Writes it whole; returns the line that opens it, or why it is not there. */
export function saveRecording(file: string, text: string): string {
  const fs = globalThis.process?.getBuiltinModule?.('node:fs')
  if (!fs) return ''
  try {
    fs.mkdirSync(file.slice(0, file.search(/[\\/][^\\/]*$/)), { recursive: true })
    fs.writeFileSync(`${file}.tmp`, text, { mode: 0o600 })
    fs.renameSync(`${file}.tmp`, file)
    return `\nTo see it again: npx animal-store-mock open ${file}`
  } catch (error) {
    return `\n${file}: the recording could not be written (${(error as NodeJS.ErrnoException).code})`
  }
}
