// Documents as text, JSON or YAML, with int64 exact in both, and safe to show on a terminal: a character that could move the cursor or
// turn the reading direction is written as an escape that loads back. The YAML library comes in only when it is asked for.
import { dirname, extname, relative, resolve, sep } from 'node:path'
import { UsageError } from '../contract/errors.ts'
import { toJson } from '../contract/int64-json.ts'
import { escapeInJson } from '../render/escape.ts'
import type { ReadScenario } from '../world/scenario.ts'
import type { Format } from './flags.ts'

const SCHEMA = 'node_modules/animal-store-mock/fixtures/scenario.schema.json'

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

/** A scenario for this file, with the line by which editors find its schema. */
export async function toScenarioText(state: ReadScenario, format: Format, file = 'scenario.json'): Promise<string> {
  if (format === 'yaml') return toSchemaLine(file) + (await toDocumentText(state, format))
  return toDocumentText({ $schema: findSchema(file), ...state }, format)
}

export function toSchemaLine(file: string): string {
  return `# yaml-language-server: $schema=${findSchema(file)}\n`
}

function findSchema(file: string): string {
  const path = relative(dirname(resolve(file)), resolve(SCHEMA)).split(sep)
  return (path[0] === '..' ? path : ['.', ...path]).join('/')
}

const BY_EXTENSION: Readonly<Record<string, Format>> = { '.json': 'json', '.yaml': 'yaml', '.yml': 'yaml' }

export function formatOf(file: string): Format {
  const format = BY_EXTENSION[extname(file).toLowerCase()]
  if (!format) throw new UsageError(`${file}: expected a file that ends in .json, .yaml or .yml`)
  return format
}
