// What a person reads when a test has failed: its requests as short lines, keys redacted by the request log, nothing that could move a cursor.
import { cutText } from '../contract/text.ts'

import { SURPRISE_HEADER } from '../surprise/respond.ts'
import { type ChangeRow, isChange, isRequest } from '../world/change.ts'
import type { LogEntry } from '../world/log-entry.ts'
import { escapeUnsafe } from './escape.ts'

const MAX_SHOWN_CHARACTERS = 200
const MAX_LOGGED_REQUESTS = 20
const MAX_LOGGED_ROWS = 40

/** `POST /v1/pets → 400 (key …-key)` and, indented, what differs and what helps to understand the response. */
export function describeRequest(entry: LogEntry, differences: readonly string[] = []): string[] {
  const { method, target, status, outcome, key, assumptions, faults, surprises, notes, request, error } = entry
  // The error of a fault is deliberate.
  const refusal = faults.length > 0 ? null : error
  const details = [
    ...differences,
    ...(refusal === null ? [] : [`refused: ${refusal}`]),
    ...notes.filter((note) => note !== refusal).map((note) => `note: ${note}`),
    ...Object.entries({ faults, surprises, assumptions }).flatMap(([name, ids]) => (ids.length > 0 ? `${name}: ${ids.join(', ')}` : [])),
    ...(request.body === '' ? [] : [`request body: ${cutText(request.body, MAX_SHOWN_CHARACTERS)}`]),
  ]
  const result = `${outcome === 'sent' ? status : outcome}${key === null ? '' : ` (key ${key})`}`
  return [`${method} ${cutText(target, MAX_SHOWN_CHARACTERS)} → ${result}`, ...details.map((line) => `    ${line}`)].map(escapeUnsafe)
}

/** The last requests of a test, what changed among them, and the seed of the surprises if there were any. */
export function describeRequests(test: string, rows: readonly (LogEntry | ChangeRow)[]): string {
  const entries = rows.filter(isRequest)
  const shown = entries.slice(-MAX_LOGGED_REQUESTS)
  const first = shown.length < entries.length ? (shown[0]?.id ?? 0) : 0
  const count = `${entries.length || 'no'} ${entries.length === 1 ? 'request' : 'requests'}`
  const omission = shown.length < entries.length ? `, of which the last ${shown.length}:` : ''
  const seed = entries.map(({ response }) => /^seed=(\d+)/.exec(response.headers[SURPRISE_HEADER] ?? '')?.[1]).find(Boolean)
  const remedy = seed ? ` (surprises of seed ${seed}; to see them again, set ANIMAL_STORE_SURPRISE=${seed})` : ''
  const title = `Request log of ${JSON.stringify(test)}: ${count}${omission}${remedy}`
  const lines = rows
    .filter(({ id }) => id >= first)
    .slice(-MAX_LOGGED_ROWS)
    .flatMap((row) => (isChange(row) ? [escapeUnsafe(`◆ ${row.text}`)] : describeRequest(row)))
  return [title, ...lines].join('\n  ')
}
