// Keeps the page's state in step with the mock: reads what there is, listens for what happens, and reads again what that changed.
import type { Json } from '../../contract/int64-json.ts'
import type { AssumptionState, ClockState, MockEvent } from '../../control/control.ts'
import type { LiveFault } from '../../world/faults.ts'
import type { JournalEntry } from '../../world/journal.ts'
import type { Scenario } from '../../world/scenario.ts'
import { type Connection, connect } from './connection.ts'
import type { ScenarioSummary, Store } from './console-state.ts'
import { type ControlClient, ControlError } from './control-client.ts'
import { readInterface } from './read-interface.ts'
import { unreadWorld, type WorldView, withEntries, withState } from './world-view.ts'

type Part = 'pets' | 'entries' | 'faults' | 'clock' | 'assumptions' | 'sandboxes' | 'constants'

export interface Following extends Connection {
  /** Looks at the world of that key from now on; at the shared one without. */
  look(sandbox: string | undefined): void
}

const WORLD: readonly Part[] = ['pets', 'entries', 'faults', 'clock', 'assumptions']
const EVERYTHING: readonly Part[] = [...WORLD, 'sandboxes', 'constants']
/** What happens within so many milliseconds is shown together. */
const BATCH = 60

export function followMock(store: Store, client: ControlClient, hasToken: () => boolean): Following {
  /** Counts the worlds that were looked at, so that what was read of an earlier one is not taken for the present one's. */
  let visit = 0
  /** Whether the animals that come next have nothing to do with those shown now. */
  let isFresh = true
  /** What was heard since the world began: an answer that was on its way meanwhile may not have it yet. */
  let heard: JournalEntry[] = []
  let events: MockEvent[] = []
  let isReading = false
  const wanted = new Set<Part>()

  const readers: Record<Part, () => Promise<(view: WorldView) => Partial<WorldView>>> = {
    async pets() {
      const state = await client.call<Scenario>('GET', '/state')
      return (view) => withState(view, state, isFresh)
    },
    async entries() {
      const entries = await client.call<JournalEntry[]>('GET', '/requests')
      return () => ({ entries: entries.toReversed() })
    },
    async faults() {
      const faults = await client.call<LiveFault[]>('GET', '/faults')
      return () => ({ faults })
    },
    async clock() {
      const clock = await client.call<ClockState>('GET', '/clock')
      return () => ({ clock: { ...clock, readAt: Date.now() } })
    },
    async assumptions() {
      const assumptions = await client.call<AssumptionState[]>('GET', '/assumptions')
      return () => ({ assumptions })
    },
    async sandboxes() {
      const sandboxes = await client.call<string[]>('GET', '/sandboxes')
      store.set({ sandboxes })
      const { sandbox } = store.get()
      if (sandbox !== undefined && !sandboxes.includes(sandbox)) {
        store.set({ notice: { isProblem: true, text: `The sandbox of ${sandbox} is gone; this is the shared world` } })
        look(undefined)
      }
      return () => ({})
    },
    async constants() {
      const [{ version }, scenarios, openapi] = await Promise.all([
        client.call<{ version: string }>('GET', '/health'),
        client.call<ScenarioSummary[]>('GET', '/scenarios'),
        client.call<Json>('GET', '/openapi.json'),
      ])
      store.set({ version, scenarios, operations: readInterface(openapi) })
      return () => ({})
    },
  }

  function want(parts: readonly Part[]): void {
    for (const part of parts) wanted.add(part)
    if (!isReading) void readWanted()
  }

  async function readWanted(): Promise<void> {
    isReading = true
    while (wanted.size > 0) {
      // A world that is not known yet is read as a whole: there is no view of it that a part could change.
      const parts = [...new Set([...wanted, ...(store.get().world ? [] : WORLD)])]
      wanted.clear()
      await read(parts)
      await new Promise((resolve) => setTimeout(resolve, BATCH))
    }
    isReading = false
  }

  async function read(parts: readonly Part[]): Promise<void> {
    const here = visit
    try {
      const changes = await Promise.all(parts.map((part) => readers[part]()))
      if (here !== visit) return
      let view = store.get().world ?? unreadWorld
      for (const change of changes) view = { ...view, ...change(view) }
      if (parts.includes('pets')) isFresh = false
      store.set({ world: withEntries(view, heard).view })
    } catch (error) {
      onFailure(error)
    }
  }

  function onFailure(error: unknown): void {
    // Without an answer, or without a token, the connection is the one to say so.
    if (error instanceof ControlError && (error.status === 0 || error.status === 401)) return
    const text = error instanceof Error ? error.message : String(error)
    store.set({ notice: { isProblem: true, text } })
    if (store.get().sandbox !== undefined) look(undefined)
  }

  function onData(data: string): void {
    // The platform's parser will do, and is quicker: the bodies with their int64 are strings in here.
    events.push(JSON.parse(data) as MockEvent)
    if (events.length === 1) setTimeout(onEvents, BATCH)
  }

  function onEvents(): void {
    const batch = events
    events = []
    const here = store.get().sandbox ?? null
    let entries: JournalEntry[] = []
    for (const event of batch) {
      if (event.type === 'change' && event.what === 'sandboxes') want(['sandboxes'])
      if (event.sandbox !== here) continue
      if (event.type === 'exchange') entries.push(event.entry)
      else {
        const { what } = event
        if (what === 'load' || what === 'reset' || what === 'requests') {
          entries = []
          forget()
        }
        if (what === 'reset') isFresh = true
        want(toParts(what))
      }
    }
    if (entries.length > 0) onEntries(entries)
  }

  /** The journal begins anew. */
  function forget(): void {
    heard = []
    const { world } = store.get()
    if (world) store.set({ world: { ...world, entries: [] } })
  }

  function onEntries(entries: readonly JournalEntry[]): void {
    heard = [...heard, ...entries].slice(-1_000)
    const { world } = store.get()
    if (!world) {
      want(['pets'])
      return
    }
    const { view, isBehind } = withEntries(world, entries)
    store.set({ world: view })
    if (isBehind) want(['pets'])
    if (world.faults.length > 0) want(['faults'])
    if (entries.some(({ assumptions }) => assumptions.length > 0)) want(['assumptions'])
  }

  function look(sandbox: string | undefined): void {
    visit++
    isFresh = true
    heard = []
    store.set({ sandbox, world: undefined })
    want(WORLD)
  }

  const connection = connect({
    listen: client.listen,
    hasToken,
    onData,
    onState(state) {
      store.set({ connection: state })
      if (state.kind !== 'live') return
      visit++
      heard = []
      want(EVERYTHING)
    },
  })
  return { ...connection, look }
}

function toParts(what: string): readonly Part[] {
  switch (what) {
    case 'load':
    case 'reset':
      return WORLD
    case 'requests':
      return ['entries', 'assumptions']
    case 'faults':
    case 'clock':
    case 'assumptions':
      return [what]
    default:
      return []
  }
}
