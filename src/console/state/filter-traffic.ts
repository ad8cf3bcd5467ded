// Which exchanges the traffic shows.
import type { JournalEntry } from '../../world/journal.ts'

/** An exchange, or one that is still under way. */
export interface ShownEntry extends JournalEntry {
  /** The key whose world it was in; null for the shared one. */
  readonly sandbox?: string | null
}

export interface TrafficFilter {
  readonly search: string
  /** An operation, `none` for what was no operation, or `all`. */
  readonly operation: string
  /** `2xx`, `4xx`, `5xx`, `dropped` or `all`. */
  readonly outcome: string
  /** Only responses that used an assumption or were affected by a fault. */
  readonly onlyRemarkable: boolean
}

export const allTraffic: TrafficFilter = { search: '', operation: 'all', outcome: 'all', onlyRemarkable: false }

/** The filter that an address names. */
export function toTrafficFilter({
  q = '',
  operation = 'all',
  response = 'all',
  why = '',
}: Readonly<Record<string, string>>): TrafficFilter {
  return { search: q, operation, outcome: response, onlyRemarkable: why !== '' }
}

/** As the address has it: what is usual is left out. */
export function toTrafficQuery({ search, operation, outcome, onlyRemarkable }: TrafficFilter): Record<string, string> {
  const unlessAll = (value: string) => (value === 'all' ? '' : value)
  return { q: search, operation: unlessAll(operation), response: unlessAll(outcome), why: onlyRemarkable ? 'only' : '' }
}

export function filterTraffic(entries: readonly ShownEntry[], filter: TrafficFilter): ShownEntry[] {
  const wanted = filter.search.trim().toLowerCase()
  return entries.filter(
    (entry) =>
      (filter.operation === 'all' || (entry.operation ?? 'none') === filter.operation) &&
      (filter.outcome === 'all' || toOutcome(entry.status) === filter.outcome) &&
      (!filter.onlyRemarkable || entry.assumptions.length + entry.faults.length > 0) &&
      (wanted === '' || toSearchText(entry).includes(wanted)),
  )
}

/** The class of a status, as in `4xx`; `dropped` if there was no response. */
export function toOutcome(status: number): string {
  return status === 0 ? 'dropped' : `${Math.floor(status / 100)}xx`
}

function toSearchText({
  method,
  target,
  operation,
  status,
  key,
  sandbox,
  error,
  assumptions,
  faults,
  notes,
  request,
  answer,
}: ShownEntry): string {
  const parts = [method, target, operation, status, key, sandbox, error, ...assumptions, ...faults, ...notes, request.body, answer.body]
  return parts.join('\n').toLowerCase()
}

/** Merges two lists of entries, newest first, without duplicates, up to `limit`. */
export function mergeEntries(left: readonly ShownEntry[], right: readonly ShownEntry[], limit: number): ShownEntry[] {
  const byId = new Map([...left, ...right].map((entry) => [entry.id, entry]))
  return [...byId.values()].sort((one, other) => other.id - one.id).slice(0, limit)
}
