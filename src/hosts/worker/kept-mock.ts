// A mock whose one state is stored: it writes a change before a response can show it, and the log
// within a second.
import { createEngine } from '../../mock/mock.ts'
import { changePets, compareCatalogues } from '../../world/catalogue.ts'
import { shiftClock } from '../../world/clock.ts'
import { restoreRow, saveRow } from '../../world/saved-row.ts'
import { printOrigin, resumeState, saveState } from '../../world/saved-state.ts'
import { baseOf, beginState, type State } from '../../world/state.ts'
import type { BoundSettings } from './bindings.ts'
import { SHARED_NAME } from './find-sandbox.ts'
import { createSandboxList } from './sandbox-list.ts'
import type { Storage } from './storage.ts'

export type KeptMock = Awaited<ReturnType<typeof createKeptMock>>

/** A killed process loses the requests of its last second from the log, and nothing else. */
const LOG_INTERVAL_MS = 1_000

export async function createKeptMock(
  key: string | undefined,
  settings: BoundSettings,
  storage: Storage,
) {
  const stored = storage.read()
  const shared = () => settings.toObject(SHARED_NAME)
  const usualOrigin = key === undefined ? settings.originText : undefined
  const startOrigin = stored?.originText ?? usualOrigin ?? (await shared().originText())
  let from = settings.readOrigin(startOrigin)
  /** Since it woke up. Enlisting twice is harmless. */
  let isListed = key === undefined
  let isClosed = false
  let unsaved = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const list = createSandboxList(settings, storage, (sandbox) =>
    publish({ type: 'sandbox', sandbox }),
  )
  const sandboxes = key === undefined ? list : { keys: () => [key], remove: () => false }
  const options = { ...settings.options, origin: from.origin }
  const { mock, worlds, publish } = createEngine(options, { onRow, home: key, sandboxes })
  const { times } = worlds
  let written = stored && resume(stored)

  /**
   * Goes on from the stored state, whose clock has run meanwhile, unless the machine's clock has
   * been set back.
   */
  function resume(kept: NonNullable<typeof stored>): State {
    const { keptAt, lastId, ...saved } = kept.settings
    const clock = shiftClock(saved.clock, Math.min(0, keptAt - Date.now()))
    const catalogue = changePets(from.origin.catalogue, kept.pets)
    const resumed = resumeState({ ...saved, clock }, from.origin, times, catalogue)
    const { timeline, state } = worlds.resume(resumed, key)
    timeline.restore(kept.rows.map(restoreRow), lastId)
    return state
  }

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
    const hasNewOrigin = before !== written
    if (hasNewOrigin) storage.writeOrigin(originText())
    for (const pet of compareCatalogues(before.catalogue, state.catalogue))
      storage.writePet(pet.key, pet.after)
    const { lastId } = timeline
    storage.writeSettings({ ...saveState(state, times), lastId, keptAt: Date.now() })
    if (!written) unsaved = new Set(timeline.rows().map((row) => row.id))
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
    const rows = timeline.rows().filter((row) => unsaved.has(row.id))
    const saved = rows.map((row) => saveRow(row, sandbox))
    storage.writeRows(saved, timeline.oldestId ?? Number.MAX_SAFE_INTEGER)
    unsaved = new Set()
  }

  /**
   * Whether it is a sandbox that does not exist yet, and so will start from the origin of the
   * shared state.
   */
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

  return { mock, list, originText, save, saveRows, needsOrigin, renewOrigin, enlist, close }
}
