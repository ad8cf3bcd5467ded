// What the page knows about the world it shows, and how events change that. Pure functions.
import { parseJson } from '../../contract/int64-json.ts'
import type { AssumptionState, ClockState, WorldChanges } from '../../control/control.ts'
import type { Pet } from '../../generated/contract.ts'
import { MAX_JOURNAL_ENTRIES } from '../../limits.ts'
import type { Delay, LiveFault } from '../../world/faults.ts'
import type { JournalEntry } from '../../world/journal.ts'
import type { Scenario } from '../../world/situation.ts'
import type { Mark, Marks } from './filter-animals.ts'
import { mergeEntries } from './filter-traffic.ts'

export interface WorldView {
  readonly name: string
  readonly description: string
  readonly pets: readonly Pet[]
  readonly marks: Marks
  /** The keys that the scenario lists. */
  readonly apiKeys: readonly string[]
  /** The delay of every response. */
  readonly latency: Delay | undefined
  /** The newest first. */
  readonly entries: readonly JournalEntry[]
  readonly faults: readonly LiveFault[]
  readonly clock: ClockState & { readonly readAt: number }
  readonly assumptions: readonly AssumptionState[]
}

/** Before anything has been read. */
export const unreadWorld: WorldView = {
  name: '',
  description: '',
  pets: [],
  marks: new Map(),
  apiKeys: [],
  latency: undefined,
  entries: [],
  faults: [],
  clock: { now: '', frozen: true, readAt: 0 },
  assumptions: [],
}

/** The part of a view that comes from the state, with marks on what differs from the scenario. */
export function toStateView(
  { name = '', description = '', pets = [], apiKeys = [], latency }: Scenario,
  { added, changed }: WorldChanges,
): Pick<WorldView, 'name' | 'description' | 'pets' | 'marks' | 'apiKeys' | 'latency'> {
  const marks = new Map<string, Mark>([
    ...added.map((id) => [String(id), 'new'] as const),
    ...changed.map((id) => [String(id), 'changed'] as const),
  ])
  return { name, description, pets, apiKeys, latency, marks }
}

/** Adds exchanges to the view; `isBehind` if the journal cut the response that has a new animal. */
export function withEntries(view: WorldView, entries: readonly JournalEntry[]): { view: WorldView; isBehind: boolean } {
  const added = entries.filter(isAddition).map(({ answer }) => parsePet(answer.body))
  const pets = added.filter((pet) => pet !== undefined)
  const seen = { ...view, entries: mergeEntries(view.entries, entries, MAX_JOURNAL_ENTRIES) }
  return { view: pets.length === 0 ? seen : withPets(seen, pets), isBehind: pets.length < added.length }
}

function withPets(view: WorldView, added: readonly Pet[]): WorldView {
  const last = view.pets.at(-1)
  // New ids are above all others, so most lookups can be skipped.
  const isKnown = ({ id }: Pet) => last !== undefined && id <= last.id && view.pets.some((pet) => pet.id === id)
  return {
    ...view,
    pets: [...view.pets, ...added.filter((pet) => !isKnown(pet))],
    marks: new Map([...view.marks, ...added.map(({ id }) => [String(id), 'new'] as const)]),
  }
}

function isAddition({ operation, status }: JournalEntry): boolean {
  return operation === 'createPet' && status === 201
}

function parsePet(body: string): Pet | undefined {
  try {
    return parseJson(body) as unknown as Pet
  } catch {
    return undefined
  }
}

/** The mock's current time. */
export function toNow({ now, frozen, readAt }: WorldView['clock'], realNow: number): number {
  return Date.parse(now) + (frozen ? 0 : realNow - readAt)
}
