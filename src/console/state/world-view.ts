// What the page knows about the world it shows, and how events change that. Pure functions.
import type { AssumptionState, ClockState, PetPage } from '../../control/control.ts'
import { MAX_JOURNAL_ENTRIES } from '../../limits.ts'
import type { Delay, LiveFault } from '../../world/faults.ts'
import type { JournalEntry } from '../../world/journal-entry.ts'
import { mergeEntries, type ShownEntry } from './filter-traffic.ts'

export interface WorldView {
  readonly name: string
  /** Those that the filter asks for, and how many there are of each kind. */
  readonly animals: PetPage
  /** The keys that the scenario lists. */
  readonly apiKeys: readonly string[]
  /** The delay of every response. */
  readonly latency: Delay | undefined
  /** The newest first; of all sandboxes together if none is chosen. */
  readonly entries: readonly ShownEntry[]
  readonly faults: readonly LiveFault[]
  readonly clock: ClockState & { readonly readAt: number }
  readonly assumptions: readonly AssumptionState[]
}

/** Before anything has been read. */
export const unreadWorld: WorldView = {
  name: '',
  animals: { total: 0, byStatus: {}, changed: 0, matches: 0, pets: [], marks: {} },
  apiKeys: [],
  latency: undefined,
  entries: [],
  faults: [],
  clock: { now: '', frozen: true, readAt: 0 },
  assumptions: [],
}

/** Adds exchanges to the view. */
export function withEntries(view: WorldView, entries: readonly ShownEntry[]): WorldView {
  return entries.length === 0 ? view : { ...view, entries: mergeEntries(view.entries, entries, MAX_JOURNAL_ENTRIES) }
}

/** Whether one of the exchanges has added an animal. */
export function hasAddition(entries: readonly JournalEntry[]): boolean {
  return entries.some(({ operation, status }) => operation === 'createPet' && status === 201)
}

/** The mock's current time. */
export function toNow({ now, frozen, readAt }: WorldView['clock'], realNow: number): number {
  return Date.parse(now) + (frozen ? 0 : realNow - readAt)
}
