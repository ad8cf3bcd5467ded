// Requests as lines that a person reads when a test has failed: short, keys redacted by the journal, nothing that could move a cursor.
import { cutText } from '../contract/describe-value.ts'
import { parseJson } from '../contract/int64-json.ts'
import { escapeUnsafe } from '../escape.ts'
import { contract } from '../generated/contract.ts'
import type { JournalEntry } from '../world/journal.ts'

/** What `failOn` can name. */
export type Misstep = 'unknown-path' | 'deprecated' | 'bad-request'

const MAX_TARGET_CHARACTERS = 120
const MAX_BODY_CHARACTERS = 200
const MAX_JOURNAL_LINES = 20
/** The statuses of a request that is not as the contract has it. */
const INVALID: readonly number[] = [400, 413, 415]

export const MISSTEPS: Readonly<Record<Misstep, (entry: JournalEntry) => boolean>> = {
  'unknown-path': ({ operation, method }) => operation === null && method !== 'OPTIONS',
  deprecated: ({ operation }) => operation !== null && contract.operations[operation].deprecated,
  // A deliberate fault is no fault of the request's.
  'bad-request': ({ operation, status, faults }) => operation !== null && INVALID.includes(status) && faults.length === 0,
}

/** `POST /v1/pets → 400` and, indented, what differs and what is worth knowing. */
export function describeRequest(entry: JournalEntry, differences: readonly string[] = []): string[] {
  const { method, target, status, outcome, assumptions, faults, notes, request } = entry
  const refusal = findRefusal(entry)
  const details = [
    ...differences,
    ...(refusal === undefined ? [] : [`refused: ${refusal}`]),
    ...notes.filter((note) => note !== refusal).map((note) => `note: ${note}`),
    ...(faults.length === 0 ? [] : [`faults: ${faults.join(', ')}`]),
    ...(assumptions.length === 0 ? [] : [`assumptions: ${assumptions.join(', ')}`]),
    ...(request.body === '' ? [] : [`request body: ${cutText(request.body, MAX_BODY_CHARACTERS)}`]),
  ]
  const title = `${method} ${cutText(target, MAX_TARGET_CHARACTERS)} → ${outcome === 'sent' ? status : outcome}`
  return [title, ...details.map((line) => `    ${line}`)].map(escapeUnsafe)
}

/** The last requests of a test. */
export function describeJournal(test: string, entries: readonly JournalEntry[]): string {
  const count = entries.length === 0 ? 'no requests' : `${entries.length} ${entries.length === 1 ? 'request' : 'requests'}`
  const shown = entries.slice(-MAX_JOURNAL_LINES)
  const lines = shown.flatMap((entry) => {
    const [title, ...details] = describeRequest(entry)
    return [`${title}${entry.key === null ? '' : ` (key ${escapeUnsafe(entry.key)})`}`, ...details]
  })
  const omitted = entries.length - shown.length
  return [
    `Store journal of ${JSON.stringify(test)}: ${count}${omitted === 0 ? '' : `, of which the last ${MAX_JOURNAL_LINES}:`}`,
    ...lines.map((line) => `  ${line}`),
  ].join('\n')
}

/** The failure of a test that sent what `failOn` forbids; undefined if it sent nothing of the kind. */
export function describeMissteps(test: string, failOn: readonly Misstep[], entries: readonly JournalEntry[]): string | undefined {
  const found = entries.flatMap((entry) => {
    const kinds = failOn.filter((kind) => MISSTEPS[kind](entry))
    const [title, ...details] = describeRequest(entry)
    return kinds.length === 0 ? [] : [`${kinds.join(', ')}: ${title}`, ...details]
  })
  return found.length === 0 ? undefined : [`${JSON.stringify(test)} sent requests that failOn forbids:`, ...found].join('\n  ')
}

/** Why the service refused the request: the message of its Error body. A deliberate fault is no refusal. */
function findRefusal({ status, answer, faults }: JournalEntry): string | undefined {
  if (status < 400 || faults.length > 0) return undefined
  try {
    return String((parseJson(answer.body) as { message?: unknown }).message)
  } catch {
    // Cut by the journal, or to a HEAD.
    return undefined
  }
}
