// Documents that commands print or write, as JSON or YAML. Unsafe characters are escaped, and the
// documents load back.
import { UsageError } from '../../contract/errors.ts'
import { escapeInJson, toJsonText } from '../../contract/escape.ts'
import { isJsonFile, isYamlFile } from '../../scenario/scenario-names.ts'

export type Format = 'json' | 'yaml'

export async function renderDocument(value: unknown, format: Format): Promise<string> {
  if (format === 'json') return toJsonText(value)
  const { stringify } = await import('yaml')
  // Without a width no string is folded, and scenario files may not have anchors.
  const options = { lineWidth: 0, aliasDuplicateObjects: false }
  const text = stringify(value, options)
  if (escapeInJson(text) === text) return text
  // Only quoted strings can have escapes.
  const quoted = { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' } as const
  return escapeInJson(stringify(value, { ...options, ...quoted }))
}

export function formatOf(file: string): Format {
  if (isJsonFile(file)) return 'json'
  if (isYamlFile(file)) return 'yaml'
  throw new UsageError(`${file}: expected a file that ends in .json, .yaml or .yml`)
}
