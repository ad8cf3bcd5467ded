// Values as Node prints them, for the small values of the snippets.

/** A text as it is, anything else as code. */
export function inspect(value: unknown): string {
  return typeof value === 'string' ? value : inspectNested(value)
}

function inspectNested(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return wrap('[', value.map(inspectNested), ']')
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, field]) => `${name}: ${inspectNested(field)}`)
    return wrap('{', fields, '}')
  }
  return String(value)
}

function wrap(open: string, parts: readonly string[], close: string): string {
  return parts.length === 0 ? open + close : `${open} ${parts.join(', ')} ${close}`
}
