// A result in a few lines: an agent asks for the rest where it needs it.
import { describeRequest } from '../client/describe-request.ts'
import { toJson } from '../contract/int64-json.ts'
import type { LoggedRequest } from '../control/logged-request.ts'
import type { ControlMethod } from '../control/methods.ts'

const MAX_LINES = 20
const MAX_LINE_CHARACTERS = 300

/** Lists have a line for each item, the last ones first to be kept where the order is that of time. */
export function shorten(method: ControlMethod, value: unknown): string {
  if (value === undefined) return 'done'
  if (typeof value !== 'object' || value === null) return toJson(value)
  if (method === 'requests')
    return shortenList(value as LoggedRequest[], (entry) => `#${entry.id} ${describeRequest(entry).slice(0, 3).join(' ')}`)
  if (Array.isArray(value)) return shortenList(value, toJson)
  return Object.entries(value)
    .map(([name, field]) => `${name}: ${Array.isArray(field) && field.length > MAX_LINES ? `${field.length} items` : cut(toJson(field))}`)
    .join('\n')
}

function shortenList<T>(items: readonly T[], render: (item: T) => string): string {
  const shown = items.slice(-MAX_LINES).map((item) => cut(render(item)))
  const omitted = items.length - shown.length
  return [`${items.length} in all${omitted > 0 ? `, the last ${shown.length}; detail: true for all` : ''}`, ...shown].join('\n')
}

function cut(text: string): string {
  return text.length <= MAX_LINE_CHARACTERS ? text : `${text.slice(0, MAX_LINE_CHARACTERS)}…`
}
