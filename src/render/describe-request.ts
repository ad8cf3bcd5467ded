// What a person reads when a test has failed: its requests as short lines, keys redacted by the request log, nothing that could move a cursor.
import { cutText } from '../contract/text.ts'
import { SURPRISE_HEADER } from '../surprise/respond.ts'
import { type ChangeRow, isChange, isRequest } from '../world/change.ts'
import type { LogEntry } from '../world/log-entry.ts'
import { escapeUnsafe } from './escape.ts'
import { listReasons } from './line.ts'
import { groupRepeats, type Repeats } from './repeats.ts'

const MAX_SHOWN_CHARACTERS = 200
const MAX_LOGGED_REQUESTS = 20
const MAX_LOGGED_ROWS = 40

/** `POST /v1/pets → 400 (key …-key)` and, indented, what differs and what helps to understand the response. */
export function describeRequest(entry: LogEntry, differences: readonly string[] = []): string[] {
  const { method, target, status, outcome, key, request } = entry
  const details = [
    ...differences,
    // Told from the differences by a word.
    ...listReasons(entry).map(([, reason]) => (reason === entry.error ? `refused: ${reason}` : reason)),
    ...(request.body === '' ? [] : [`request body: ${cutText(request.body, MAX_SHOWN_CHARACTERS)}`]),
  ]
  const result = `${outcome === 'sent' ? status : outcome}${key === null ? '' : ` (key ${key})`}`
  return [`${method} ${cutText(target, MAX_SHOWN_CHARACTERS)} → ${result}`, ...details.map((line) => `    ${line}`)].map(escapeUnsafe)
}

/** The last requests of a test, what changed among them, and the seed of the surprises if there were any. `after` ends the text. */
export function describeRequests(test: string, rows: readonly (LogEntry | ChangeRow)[], after = ''): string {
  const entries = rows.filter(isRequest)
  const groups = groupRepeats(rows)
  const asked = groups.filter(({ row }) => isRequest(row)).slice(-MAX_LOGGED_REQUESTS)
  const shown = asked.reduce((sum, { times }) => sum + times, 0)
  const first = shown < entries.length ? (asked[0]?.first.id ?? 0) : 0
  const omission = shown < entries.length ? `, of which the last ${shown}:` : ''
  const seed = entries.map(({ response }) => /^seed=(\d+)/.exec(response.headers[SURPRISE_HEADER] ?? '')?.[1]).find(Boolean)
  const remedy = seed ? ` (surprises of seed ${seed}; to see them again, set ANIMAL_STORE_SURPRISE=${seed})` : ''
  const title = `Request log of ${JSON.stringify(test)}: ${countRequests(entries)}${omission}${remedy}`
  const lines = groups.filter((group) => group.first.id >= first).slice(-MAX_LOGGED_ROWS)
  return [title, ...lines.flatMap(describeGroup), ...after.split('\n').filter(Boolean)].join('\n  ')
}

function describeGroup(group: Repeats<LogEntry | ChangeRow>): string[] {
  const { row, times } = group
  if (isChange(row)) return [escapeUnsafe(`◆ ${row.text}`)]
  const [line, ...details] = describeRequest(row)
  return [times === 1 ? `${line}` : `${line}, ${times} times`, ...details]
}

/** `1 request came with the key …b, 2 requests without one`; empty if there were none. */
export function describeKeys(entries: readonly LogEntry[]): string {
  const byKey = new Map<string | null, LogEntry[]>()
  for (const entry of entries) byKey.set(entry.key, [...(byKey.get(entry.key) ?? []), entry])
  const parts = [...byKey].map(([key, own]) => `${countRequests(own)} came ${key === null ? 'without a key' : `with the key ${key}`}`)
  return parts.length === 0 ? '' : escapeUnsafe(`${parts.join(', ')}.`)
}

/** `29 requests, 11 of them preflights`, which coverage does not count. */
function countRequests(entries: readonly LogEntry[]): string {
  const { length } = entries
  const preflights = entries.filter(({ method, operation }) => method === 'OPTIONS' && operation === null).length
  return `${length || 'no'} ${length === 1 ? 'request' : 'requests'}${preflights === 0 ? '' : `, ${preflights} of them preflights`}`
}
