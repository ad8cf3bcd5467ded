// Requests as lines that a person reads when a test has failed: short, keys redacted by the journal, nothing that could move a cursor.
import { cutText } from '../contract/describe-value.ts'
import { escapeUnsafe } from '../contract/escape.ts'
import type { JournalEntry } from '../world/journal-entry.ts'
import { MISSTEPS, type Misstep } from './kit-options.ts'

const MAX_TARGET_CHARACTERS = 120
const MAX_BODY_CHARACTERS = 200
const MAX_JOURNAL_LINES = 20

/** `POST /v1/pets → 400` and, indented, what differs and what is worth knowing. */
export function describeRequest(entry: JournalEntry, differences: readonly string[] = []): string[] {
  const { status, outcome, assumptions, faults, notes, request, error } = entry
  // A deliberate fault is no refusal.
  const refusal = faults.length > 0 ? null : error
  const details = [
    ...differences,
    ...(refusal === null ? [] : [`refused: ${refusal}`]),
    ...notes.filter((note) => note !== refusal).map((note) => `note: ${note}`),
    ...(faults.length === 0 ? [] : [`faults: ${faults.join(', ')}`]),
    ...(assumptions.length === 0 ? [] : [`assumptions: ${assumptions.join(', ')}`]),
    ...(request.body === '' ? [] : [`request body: ${cutText(request.body, MAX_BODY_CHARACTERS)}`]),
  ]
  const title = `${toTitle(entry)} → ${outcome === 'sent' ? status : outcome}`
  return [title, ...details.map((line) => `    ${line}`)].map(escapeUnsafe)
}

/** `POST /v1/pets`. */
export function toTitle({ method, target }: JournalEntry): string {
  return escapeUnsafe(`${method} ${cutText(target, MAX_TARGET_CHARACTERS)}`)
}

/** The last requests of a test. */
export function describeJournal(test: string, entries: readonly JournalEntry[]): string {
  const shown = entries.slice(-MAX_JOURNAL_LINES)
  const lines = shown.flatMap((entry) => {
    const [title, ...details] = describeRequest(entry)
    return [`${title}${entry.key === null ? '' : ` (key ${escapeUnsafe(entry.key)})`}`, ...details]
  })
  const count = `${entries.length || 'no'} ${entries.length === 1 ? 'request' : 'requests'}`
  const omission = shown.length < entries.length ? `, of which the last ${shown.length}:` : ''
  return [`Store journal of ${JSON.stringify(test)}: ${count}${omission}`, ...lines.map((line) => `  ${line}`)].join('\n')
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
