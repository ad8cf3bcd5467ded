// Keeps the page's state in step with the mock: reads what there is, listens for events, and re-reads what they make stale.
import { type ControlClient, ControlError } from '../../client/client.ts'
import type { Json } from '../../contract/int64-json.ts'
import type { Change, MockEvent } from '../../control/control.ts'
import { extras } from '../../control/methods.ts'
import { MAX_JOURNAL_ENTRIES } from '../../limits.ts'
import { toShort } from '../parts/to-short.ts'
import { createBatch, createQueue } from './batches.ts'
import { type Connection, connect } from './connection.ts'
import { type ConsoleState, isTemplate, type Store } from './console-state.ts'
import { type AnimalFilter, toPetFilter } from './filter-animals.ts'
import type { ShownEntry } from './filter-traffic.ts'
import { createLastChanges, type LastChanges } from './last-changes.ts'
import { readInterface, toStatuses } from './read-interface.ts'
import type { Token } from './token.ts'
import { readWorldParts, toStaleParts, WORLD_PARTS, type WorldPart } from './world-parts.ts'
import { hasAddition, unreadWorld, withEntries } from './world-view.ts'

export interface Clients {
  /** For the world that is shown. */
  readonly world: ControlClient
  /** For what concerns the mock as a whole. */
  readonly mock: ControlClient
  /** For the world of that key; null for the shared one. */
  of(sandbox: string | null): ControlClient
}

export interface Following extends Connection {
  readonly changes: Pick<LastChanges, 'watch'>
  /** Shows the world of that key from now on; without one, the shared world, or where new sandboxes start. */
  look(sandbox: string | undefined): void
  /** Reads the world of that key too, from now on, beside the one shown; null ends that. */
  lookBeside(sandbox: string | null): void
  /** Shows these animals from now on. */
  showAnimals(filter: AnimalFilter): void
}

/** After these changes the journal is another one. */
const OTHER_JOURNAL: readonly Change[] = ['load', 'reset', 'requests']

type Part = WorldPart | 'beside' | 'sandboxes' | 'constants'

/** `isOneWorldShown` is about the view: in one of all sandboxes there is no need to turn to one of them. */
export function followMock(
  store: Store,
  clients: Clients,
  token: Pick<Token, 'source' | 'share'>,
  isOneWorldShown: () => boolean,
): Following {
  /** Goes up whenever the page turns to another world, so that late responses about the previous one are ignored. */
  let visit = 0
  /** Whether a person chose the world; otherwise the page may turn to the one that is in use. */
  let isChosen = store.get().sandbox !== undefined
  /** Exchanges reported since the world was opened: a response that is still on its way may not have them yet. */
  let reported: ShownEntry[] = []
  const reading = createQueue<Part>(readParts)
  const changes = createLastChanges()
  const onEvents = createBatch<MockEvent>(applyEvents)

  function onEvent(event: MockEvent): void {
    changes.note(event)
    withdrawUndo(' It cannot be undone any more: something else was loaded, reset or cleared since.')
    onEvents(event)
  }

  /** Takes back the offer to undo what is not the last change any more. */
  function withdrawUndo(why: string): void {
    const { notice } = store.get()
    if (notice?.isLast?.() === false) store.set({ notice: { isProblem: false, text: `${notice.text}.${why}` } })
  }

  async function readParts(wanted: readonly Part[]): Promise<void> {
    try {
      if (wanted.includes('constants')) store.set(await readConstants(clients.mock))
      if (wanted.includes('sandboxes')) applySandboxes(await clients.mock.sandboxes())
      if (wanted.includes('beside')) await readBeside()
      const here = visit
      // A world that is not known yet is read as a whole: there is no view that a part could change.
      const parts = store.get().world ? WORLD_PARTS.filter((part) => wanted.includes(part)) : WORLD_PARTS
      const { animalFilter, operations } = store.get()
      const changes = await readWorldParts(clients.world, parts, {
        animals: toPetFilter(animalFilter, toStatuses(operations)),
        isMerged: isTemplate(store.get()),
        sandbox: store.get().sandbox,
      })
      if (here !== visit) return
      const view = { ...(store.get().world ?? unreadWorld), ...changes }
      store.set({ world: withEntries(view, reported) })
    } catch (error) {
      onFailure(error)
    }
  }

  async function readBeside(): Promise<void> {
    const { beside, animalFilter } = store.get()
    if (!beside) return
    const { sandbox } = beside
    const wanted = { animals: toPetFilter(animalFilter, []), isMerged: false, sandbox }
    const changes = await readWorldParts(clients.of(sandbox), ['situation', 'faults', 'assumptions'], wanted)
    if (store.get().beside?.sandbox === sandbox) store.set({ beside: { sandbox, world: { ...unreadWorld, ...changes } } })
  }

  /** Leaves a sandbox that is gone; unless a person chose otherwise, turns to the one that was used last. */
  function applySandboxes(sandboxes: readonly string[]): void {
    const { sandbox, sandboxes: before, hasSandboxes } = store.get()
    store.set({ sandboxes })
    const isGone = sandbox !== undefined && (!hasSandboxes || (before.includes(sandbox) && !sandboxes.includes(sandbox)))
    if (isGone) {
      // The next one is a stranger's: to look at it, let alone to change it, is for the person to decide.
      isChosen = true
      if (hasSandboxes) store.set({ notice: { isProblem: false, text: `Sandbox ${toShort(sandbox)} was removed` } })
    }
    if (isGone) turnTo(undefined)
    else if (!isChosen && sandbox === undefined && sandboxes.length > 0 && isOneWorldShown()) turnTo(sandboxes.at(-1))
  }

  function onFailure(error: unknown): void {
    // No response and a missing token are reported by the connection.
    if (error instanceof ControlError && (error.status === 0 || error.status === 401)) return
    const text = error instanceof Error ? error.message : String(error)
    store.set({ notice: { isProblem: true, text } })
    if (store.get().sandbox !== undefined) look(undefined)
  }

  function applyEvents(events: readonly MockEvent[]): void {
    const here = store.get().sandbox ?? null
    const isMerged = isTemplate(store.get())
    if (events.some((event) => event.type === 'change' && event.what === 'sandboxes')) reading.add(['sandboxes'])
    if (events.some(({ sandbox }) => sandbox !== null && sandbox === store.get().beside?.sandbox)) reading.add(['beside'])
    let entries: ShownEntry[] = []
    for (const event of events) {
      if (event.type !== 'change') {
        if (isMerged || event.sandbox === here) entries.push({ ...event.entry, sandbox: event.sandbox })
        continue
      }
      const isHere = event.sandbox === here
      if (OTHER_JOURNAL.includes(event.what) && (isHere || isMerged)) {
        entries = []
        forgetEntries()
        reading.add(['entries'])
      }
      if (isHere) reading.add(toStaleParts(event.what))
    }
    if (entries.length > 0) applyEntries(entries)
  }

  /** The journal was emptied. */
  function forgetEntries(): void {
    reported = []
    const { world } = store.get()
    if (world) store.set({ world: { ...world, entries: [] } })
  }

  function applyEntries(entries: readonly ShownEntry[]): void {
    reported = [...reported, ...entries].slice(-MAX_JOURNAL_ENTRIES)
    const { world } = store.get()
    if (!world) {
      reading.add(['pets'])
      return
    }
    store.set({ world: withEntries(world, entries) })
    if (hasAddition(entries)) reading.add(['pets'])
    if (world.faults.length > 0) reading.add(['faults'])
    if (entries.some(({ assumptions }) => assumptions.length > 0)) reading.add(['assumptions'])
  }

  function showAnimals(animalFilter: AnimalFilter): void {
    store.set({ animalFilter })
    reading.add(['pets'])
  }

  function lookBeside(sandbox: string | null): void {
    if (sandbox === (store.get().beside?.sandbox ?? null)) return
    store.set({ beside: sandbox === null ? undefined : { sandbox, world: undefined } })
    reading.add(['beside'])
  }

  function turnTo(sandbox: string | undefined): void {
    visit++
    reported = []
    store.set({ sandbox, world: undefined })
  }

  function look(sandbox: string | undefined): void {
    isChosen = true
    // What could be undone happened in another world.
    store.set({ notice: undefined })
    turnTo(sandbox)
    reading.add(WORLD_PARTS)
  }

  const connection = connect({
    listen: clients.mock.events,
    tokenSource: token.source,
    isHidden: document.hidden,
    onEvent,
    onState(state) {
      store.set({ connection: state })
      // Whoever has no token any more sees nothing, not even what the page still knows.
      if (state.kind === 'locked') store.set({ world: undefined, sandboxes: [], notice: undefined })
      if (state.kind !== 'live') return
      token.share()
      changes.forget()
      withdrawUndo(' It cannot be undone any more: what happened while the page was not connected is not known.')
      if (store.get().notice?.isConnection) store.set({ notice: undefined })
      visit++
      reported = []
      reading.add([...WORLD_PARTS, 'beside', 'sandboxes', 'constants'])
    },
  })
  return { ...connection, changes, look, lookBeside, showAnimals }
}

/** What does not change while a mock runs. */
async function readConstants(client: ControlClient): Promise<Pick<ConsoleState, 'version' | 'hasSandboxes' | 'scenarios' | 'operations'>> {
  const [{ version, sandboxes }, scenarios, openapi] = await Promise.all([
    client.summary(),
    client.scenarios(),
    client.call(extras.openapi),
  ])
  return { version, hasSandboxes: sandboxes !== undefined, scenarios, operations: readInterface(openapi as Json) }
}
