// A mock whose one state is stored: it starts from the storage or from an origin, and writes what differs from
// the last written state before a response can show it. The request log follows within a second.
import { createEngine } from '../../mock/mock.ts'
import { showRest, showRow } from '../../service/show-row.ts'
import { changePets, compareCatalogues } from '../../world/catalogue.ts'
import { shiftClock, type Times } from '../../world/clock.ts'
import { restoreRow } from '../../world/row.ts'
import { baseOf, beginState, type Origin, printOrigin, resumeState, type State, saveState } from '../../world/state.ts'
import type { BoundSettings, SandboxObject } from './bindings.ts'
import type { Storage } from './storage.ts'

export type KeptMock = Awaited<ReturnType<typeof createKeptMock>>

/** A killed process loses the requests of its last second from the log, and nothing else. */
const LOG_INTERVAL_MS = 1_000

export async function createKeptMock(key: string | undefined, settings: BoundSettings, storage: Storage, shared: () => SandboxObject) {
  const stored = storage.read()
  let from = settings.readOrigin(stored?.originText ?? (key === undefined ? settings.originText : await shared().originText()))
  /** Since it woke up. Enlisting twice is harmless. */
  let isListed = key === undefined
  let isClosed = false
  let unsaved = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const list = createSandboxList(settings, storage, (sandbox) => publish({ type: 'sandbox', sandbox }))
  const sandboxes = key === undefined ? list : { keys: () => [key], remove: () => false }
  const { mock, worlds, publish } = createEngine({ ...settings.options, origin: from.origin }, { onRow, home: key, sandboxes })
  const { times } = worlds
  if (stored) worlds.resume(goOn(stored, from.origin, times), key).timeline.restore(stored.rows.map(restoreRow), stored.settings.lastId)
  let written = stored && worlds.peek(key).state

  function originText(): string {
    const { origin } = worlds.peek(key).state
    if (origin !== from.origin) from = { origin, text: printOrigin(origin) }
    return from.text
  }

  function save(): void {
    if (isClosed || !worlds.has(key)) return
    const { state, timeline } = worlds.peek(key)
    if (state === written || timeline.lastId === 0) return
    const before = baseOf(state.origin, written)
    if (before !== written) storage.writeOrigin(originText())
    for (const { key: id, after } of compareCatalogues(before.catalogue, state.catalogue)) storage.writePet(id, after)
    storage.writeSettings({ ...saveState(state, times), lastId: timeline.lastId, keptAt: Date.now() })
    if (!written) unsaved = new Set(timeline.rows().map(({ id }) => id))
    written = state
  }

  function onRow(id: number): void {
    // A key that is refused makes no sandbox.
    if (needsOrigin() || settings.options.requestLog?.rows === 0) return
    unsaved.add(id)
    timer ??= setTimeout(saveRows, LOG_INTERVAL_MS)
  }

  function saveRows(): void {
    timer = undefined
    // Clearing the timeline adds a row too.
    if (isClosed || unsaved.size === 0) return
    save()
    const { timeline, sandbox } = worlds.peek(key)
    const rows = timeline.rows().filter(({ id }) => unsaved.has(id))
    const shown = rows.map((row) => ({ ...showRow(row, sandbox), ...showRest(row) }))
    storage.writeRows(shown, timeline.oldestId ?? Number.MAX_SAFE_INTEGER)
    unsaved = new Set()
  }

  /** Whether it is a sandbox that does not exist yet, and so starts from the origin of the shared state at that time. */
  const needsOrigin = () => key !== undefined && !written

  async function renewOrigin(): Promise<void> {
    const text = await shared().originText()
    if (written || text === from.text) return
    from = settings.readOrigin(text)
    worlds.resume(beginState(from.origin, times))
  }

  async function enlist(): Promise<void> {
    if (key === undefined || !written || isListed || isClosed) return
    await shared().enlist(key)
    isListed = true
  }

  function close(): void {
    isClosed = true
    clearTimeout(timer)
  }

  return { key, mock, list, originText, save, saveRows, needsOrigin, renewOrigin, enlist, close }
}

function createSandboxList({ toObject }: BoundSettings, storage: Storage, report: (key: string) => void) {
  const removals: Promise<void>[] = []

  /** Its storage first: a key on the list without storage can be removed again, but not the reverse. */
  async function erase(key: string): Promise<void> {
    await toObject(key).erase()
    storage.removeKey(key)
    report(key)
  }

  return {
    keys: storage.keys,
    add(key: string): void {
      if (storage.hasKey(key)) return
      storage.addKey(key)
      report(key)
    },
    remove(key: string): boolean {
      const isThere = storage.hasKey(key)
      if (isThere) removals.push(erase(key))
      return isThere
    },
    settle: () => Promise.all(removals.splice(0)),
  }
}

/** The state that was stored. Its clock has gone on meanwhile, unless that of the machine has been set back. */
function goOn({ settings, pets }: NonNullable<ReturnType<Storage['read']>>, origin: Origin, times: Times): State {
  const { clock, keptAt } = settings
  const asleep = Math.max(0, Date.now() - keptAt)
  return resumeState({ ...settings, clock: shiftClock(clock, -asleep) }, origin, times, changePets(origin.catalogue, pets))
}
