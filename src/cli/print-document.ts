// Documents as text, JSON or YAML, with int64 exact in both, and safe to show on a terminal: a character that could move the cursor or
// turn the reading direction is written as an escape that loads back. The YAML library comes in only when it is asked for.
import { extname } from 'node:path'
import { escapeInJson } from '../client/escape.ts'
import { UsageError } from '../contract/errors.ts'
import { toJson } from '../contract/int64-json.ts'
import type { Format } from './flags.ts'

export async function toDocumentText(value: unknown, format: Format): Promise<string> {
  if (format === 'json') return `${escapeInJson(toJson(value, 2))}\n`
  const { Document, visit } = await import('yaml')
  // Without anchors equal values are written out, as scenario files want it.
  const document = new Document(value, { aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_key, scalar) {
      // The one style that has escapes.
      if (typeof scalar.value === 'string' && escapeInJson(scalar.value) !== scalar.value) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  // Without a width no string is folded.
  return escapeInJson(document.toString({ lineWidth: 0 }))
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
