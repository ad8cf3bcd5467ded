// Which exchanges the traffic shows.
import type { LoggedRequest } from '../../control/control.ts'

/** An exchange, or one that is still under way. */
export type ShownEntry = LoggedRequest

/** No two entries have the same: a host may count the requests of each sandbox by themselves. */
export function toEntryName({ id, sandbox }: ShownEntry): string {
  return sandbox === null ? String(id) : `${id}.${sandbox}`
}

/** The entry of that name; by its number alone where a name has no more. */
export function findEntry(entries: readonly ShownEntry[], name: string): ShownEntry | undefined {
  return entries.find((entry) => toEntryName(entry) === name) ?? entries.find(({ id }) => String(id) === name)
}

/** The key that a request was sent with, as far as that is known; undefined if it had none. */
export function toKeyText({ sandbox, key, request }: ShownEntry): string | undefined {
  return sandbox ?? key ?? ('authorization' in request.headers ? 'not read' : undefined)
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
  const all = [...new Map([...left, ...right].map((entry) => [toEntryName(entry), entry])).values()]
  // The numbers of one world are in order; those of several may have nothing to do with each other.
  const isOneWorld = all.every(({ sandbox }) => sandbox === all[0]?.sandbox)
  const compareTimes = (one: ShownEntry, other: ShownEntry) => (isOneWorld ? 0 : Date.parse(other.realAt) - Date.parse(one.realAt))
  return all.sort((one, other) => compareTimes(one, other) || other.id - one.id).slice(0, limit)
}
