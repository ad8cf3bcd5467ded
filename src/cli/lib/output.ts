// What commands write: results to stdout, messages to stderr, with unsafe characters escaped.
import { UsageError } from '../../contract/errors.ts'
import { escapeUnsafe } from '../../contract/escape.ts'
import { MOCK_NAME } from '../../control/protocol.ts'

/**
 * Writes to stdout and waits until it is written. A closed pipe (`| head`) is not an error; a full
 * disk is.
 */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: (Error & { readonly code?: string }) | null) => {
      if (!error) resolve()
      else if (error.code === 'EPIPE') process.exit()
      else reject(new UsageError(`stdout: cannot be written (${error.code})`))
    }
    // The stream reports a failure twice: to the callback, and by an event that ends the process if
    // it has no listener.
    if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', settle)
    process.stdout.write(text, settle)
  })
}

export function printLines(lines: readonly string[]): Promise<void> {
  return print(joinLines(lines.map(escapeUnsafe)))
}

/** Each line ends with a line break. No lines are an empty text. */
export function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

export function printError(text: string): void {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {})
  process.stderr.write(text)
}

let isQuiet = false

/** `--quiet` leaves out what is neither a result nor an error. */
export function setQuiet(quiet: boolean): void {
  isQuiet = quiet
}

/** A text about the work of a command. */
export function inform(text: string): void {
  if (!isQuiet) printError(text)
}

/** A line about the work of a command. */
export function notify(text: string): void {
  inform(renderMessage(text))
}

/** A mistake, or that something could not be done. */
export function complain(text: string): void {
  printError(renderMessage(text))
}

const renderMessage = (text: string) => `${MOCK_NAME}: ${escapeUnsafe(text)}\n`

/** Columns are as wide as their widest cell. One of them may be aligned to the right. */
export function alignColumns(lines: readonly (readonly string[])[], right?: number): string[] {
  const widths: number[] = []
  for (const line of lines) {
    for (const [column, { length }] of line.entries())
      widths[column] = Math.max(widths[column] ?? 0, length)
  }
  const pad = (cell: string, column: number) => {
    const width = widths[column] ?? 0
    return column === right ? cell.padStart(width) : cell.padEnd(width)
  }
  return lines.map((line) => line.map(pad).join('  ').trimEnd())
}
