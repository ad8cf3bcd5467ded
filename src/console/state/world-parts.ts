// The parts of a world that the page reads one by one, and which of them an event makes stale.
import type { RemoteControl } from '../../client/remote.ts'
import type { Change, PetFilter } from '../../control/control.ts'
import { MAX_JOURNAL_ENTRIES } from '../../limits.ts'
import { mergeEntries } from './filter-traffic.ts'
import type { WorldView } from './world-view.ts'

export type WorldPart = 'situation' | 'pets' | 'entries' | 'faults' | 'clock' | 'assumptions'

export const WORLD_PARTS: readonly WorldPart[] = ['situation', 'pets', 'entries', 'faults', 'clock', 'assumptions']

/** Which animals and which requests are wanted. */
export interface Wanted {
  readonly animals: PetFilter
  /** Whether the requests of all worlds are. */
  readonly isMerged: boolean
  /** The key of the world. */
  readonly sandbox: string | undefined
}

const READERS: Readonly<Record<WorldPart, (client: RemoteControl, wanted: Wanted) => Promise<Partial<WorldView>>>> = {
  async situation(client) {
    const { name = '', apiKeys = [], latency } = await client.state({ pets: false })
    return { name, apiKeys, latency }
  },
  async pets(client, wanted) {
    const animals = await client.pets.list(wanted.animals)
    return { animals }
  },
  async entries(client, { isMerged }) {
    // A Worker keeps every sandbox apart, and refuses to list them all.
    const entries = isMerged ? await client.requests({ sandbox: '*' }).catch(() => client.requests()) : await client.requests()
    return { entries: mergeEntries(entries, [], MAX_JOURNAL_ENTRIES) }
  },
  async faults(client) {
    const faults = await client.faults.list()
    return { faults }
  },
  async clock(client) {
    const clock = await client.clock.get()
    return { clock: { ...clock, readAt: Date.now() } }
  },
  async assumptions(client) {
    const assumptions = await client.assumptions()
    return { assumptions }
  },
}

export async function readWorldParts(client: RemoteControl, parts: readonly WorldPart[], wanted: Wanted): Promise<Partial<WorldView>> {
  const changes = await Promise.all(parts.map((part) => READERS[part](client, wanted)))
  return Object.assign({}, ...changes)
}

/** The parts that a change of the world makes stale. */
export function toStaleParts(change: Change): readonly WorldPart[] {
  switch (change) {
    case 'load':
    case 'reset':
      return WORLD_PARTS
    case 'latency':
      return ['situation']
    case 'requests':
      return ['entries', 'assumptions']
    case 'pets':
    case 'faults':
    case 'clock':
    case 'assumptions':
      return [change]
    case 'sandboxes':
      return []
    // A kind of change that this page does not know yet may concern anything.
    default:
      return WORLD_PARTS
  }
}
