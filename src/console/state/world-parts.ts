// The parts of a world that the page reads one by one, and which of them an event makes stale.
import type { AssumptionState, Change, ClockState } from '../../control/control.ts'
import type { LiveFault } from '../../world/faults.ts'
import type { JournalEntry } from '../../world/journal.ts'
import type { Scenario } from '../../world/scenario.ts'
import type { ControlClient } from './control-client.ts'
import { type WorldView, withState } from './world-view.ts'

export type WorldPart = 'pets' | 'entries' | 'faults' | 'clock' | 'assumptions'

export const WORLD_PARTS: readonly WorldPart[] = ['pets', 'entries', 'faults', 'clock', 'assumptions']

/** What a response changes in the view; `isFresh` if the animals shown now belong to an earlier world. */
type ViewChange = (view: WorldView, isFresh: boolean) => Partial<WorldView>

const READERS: Readonly<Record<WorldPart, (client: ControlClient) => Promise<ViewChange>>> = {
  async pets({ call }) {
    const state = await call<Scenario>('GET', '/state')
    return (view, isFresh) => withState(view, state, isFresh)
  },
  async entries({ call }) {
    const entries = await call<JournalEntry[]>('GET', '/requests')
    return () => ({ entries: entries.toReversed() })
  },
  async faults({ call }) {
    const faults = await call<LiveFault[]>('GET', '/faults')
    return () => ({ faults })
  },
  async clock({ call }) {
    const clock = await call<ClockState>('GET', '/clock')
    return () => ({ clock: { ...clock, readAt: Date.now() } })
  },
  async assumptions({ call }) {
    const assumptions = await call<AssumptionState[]>('GET', '/assumptions')
    return () => ({ assumptions })
  },
}

export function readWorldParts(client: ControlClient, parts: readonly WorldPart[]): Promise<ViewChange[]> {
  return Promise.all(parts.map((part) => READERS[part](client)))
}

/** The parts that a change of the world makes stale. */
export function toStaleParts(change: Change): readonly WorldPart[] {
  switch (change) {
    case 'load':
    case 'reset':
      return WORLD_PARTS
    case 'requests':
      return ['entries', 'assumptions']
    case 'faults':
    case 'clock':
    case 'assumptions':
      return [change]
    default:
      return []
  }
}
