// What commands write: results to stdout, messages to stderr. Unsafe characters are escaped;
// documents load back.
import { UsageError } from '../../contract/errors.ts'
import { escapeInJson, escapeUnsafe, toJsonText } from '../../contract/escape.ts'
import { ABSENT } from '../../contract/pet.ts'
import { count } from '../../contract/problem.ts'
import type { StateSummary } from '../../control/control.ts'
import { MOCK_NAME } from '../../control/protocol.ts'
import { isJsonFile, isYamlFile } from '../../scenario/document.ts'
import { settingTexts } from '../../scenario/settings/texts.ts'
import type { ReadScenario } from '../../world/scenario.ts'
import type { Format } from './flags.ts'

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

export const printLines = (lines: readonly string[]) =>
  print(lines.map((line) => `${escapeUnsafe(line)}\n`).join(''))

export function printError(text: string): void {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {})
  process.stderr.write(text)
}

export const notify = (text: string): void => printError(`${MOCK_NAME}: ${escapeUnsafe(text)}\n`)

export async function toDocumentText(value: unknown, format: Format): Promise<string> {
  if (format === 'json') return toJsonText(value)
  const { stringify } = await import('yaml')
  // Without a width no string is folded, and scenario files may not have anchors.
  const options = { lineWidth: 0, aliasDuplicateObjects: false }
  const text = stringify(value, options)
  if (escapeInJson(text) === text) return text
  // Only quoted strings can have escapes.
  return escapeInJson(
    stringify(value, { ...options, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' }),
  )
}

export function formatOf(file: string): Format {
  if (isJsonFile(file)) return 'json'
  if (isYamlFile(file)) return 'yaml'
  throw new UsageError(`${file}: expected a file that ends in .json, .yaml or .yml`)
}

/**
 * Lines whose columns are as wide as their widest cell. One of them may be aligned to the right.
 */
export function alignColumns(lines: readonly (readonly string[])[], right?: number): string[] {
  const widthOf = (column: number) => Math.max(...lines.map((line) => line[column]?.length ?? 0))
  const widths = lines[0]?.slice(0, -1).map((_, column) => widthOf(column)) ?? []
  const pad = (cell: string, column: number) =>
    cell[column === right ? 'padStart' : 'padEnd'](widths[column] ?? 0)
  return lines.map((line) => line.map(pad).join('  ').trimEnd())
}

export type Labelled = readonly [name: string, text: string | false | undefined]

export const renderLabelled = (rows: readonly Labelled[], indent = ''): string =>
  rows
    .map(([name, text]) => (text ? `${indent}${name.padEnd(10)} ${escapeUnsafe(text)}\n` : ''))
    .join('')

export function listState(
  { pets, byStatus, sandboxes }: StateSummary,
  state: ReadScenario,
): Labelled[] {
  const settings = Object.values(settingTexts).flatMap(({ label, show }) =>
    show(state).map((line, index): Labelled => [index === 0 ? label : '', line]),
  )
  const sayStatus = (status: string) => (status === ABSENT ? 'without a status' : status)
  const counts = Object.entries(byStatus).map(
    ([status, amount]) => `${count(amount)} ${sayStatus(status)}`,
  )
  const some = sandboxes ? `, ${count(sandboxes)} so far` : ''
  return [
    ['Animals', `${count(pets)}${counts.length === 0 ? '' : ` (${counts.join(', ')})`}`],
    ...settings,
    ['Sandboxes', sandboxes !== undefined && `one state per API key${some}`],
  ]
}

export const describeSummary = ({
  scenario,
  pets,
}: Pick<StateSummary, 'scenario' | 'pets'>): string => `${scenario} (${count(pets, 'animal')})`
