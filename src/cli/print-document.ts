// Documents as text, JSON or YAML, with int64 exact in both. The YAML library comes in only when it is asked for.
import { extname } from 'node:path'
import { UsageError } from '../contract/errors.ts'
import { toJson } from '../contract/int64-json.ts'
import type { Format } from './parse-flags.ts'

export async function toDocumentText(value: unknown, format: Format): Promise<string> {
  if (format === 'json') return `${toJson(value, 2)}\n`
  const { stringify } = await import('yaml')
  // Without a width no string is folded; without anchors equal values are written out, as scenario files want it.
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })
}

/** The format that the name of a file asks for. */
export function formatOf(file: string): Format {
  switch (extname(file).toLowerCase()) {
    case '.json':
      return 'json'
    case '.yaml':
    case '.yml':
      return 'yaml'
    default:
      throw new UsageError(`${file}: expected a file that ends in .json, .yaml or .yml`)
  }
}

/** Writes to stdout; that nobody reads it any more (`| head`) is no error. */
export function print(text: string): void {
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => process.exit())
  process.stdout.write(text)
}
