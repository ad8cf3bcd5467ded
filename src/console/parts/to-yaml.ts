// A scenario as YAML that a person likes to edit: each animal and each fault on a line of its own. Exact at int64.
import { toEscapes, UNSAFE } from './to-visible.ts'

/** Words that need no quotes, unless YAML takes them for something else. */
const PLAIN = /^[A-Za-z](?:[A-Za-z0-9 _-]*[A-Za-z0-9])?$/
const MEANT_OTHERWISE = /^(?:true|false|null|yes|no|on|off|y|n)$/i

export function toYaml(document: Readonly<Record<string, unknown>>): string {
  return Object.entries(document)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}:${toBlock(value)}\n`)
    .join('')
}

function toBlock(value: unknown): string {
  const isListOfRecords = Array.isArray(value) && value.some((item) => typeof item === 'object')
  return isListOfRecords ? value.map((item) => `\n  - ${toFlow(item)}`).join('') : ` ${toFlow(value)}`
}

function toFlow(value: unknown): string {
  if (typeof value === 'string') return toScalar(value)
  if (Array.isArray(value)) return `[${value.map(toFlow).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return fields.length === 0 ? '{}' : `{ ${fields.map(([name, field]) => `${toScalar(name)}: ${toFlow(field)}`).join(', ')} }`
}

/** What JSON writes is a YAML string too. */
function toScalar(text: string): string {
  return PLAIN.test(text) && !MEANT_OTHERWISE.test(text) ? text : JSON.stringify(text).replace(UNSAFE, toEscapes)
}
