// A mock whose one state is stored: it starts from the storage or from its base scenario, and writes what differs from the state that it
// wrote last before a response can show it. The request log follows within a second.
import { createEngine } from '../../mock/mock.ts'
import type { Call, Reply } from '../../service/call.ts'
import { compareCatalogues, restorePet } from '../../world/catalogue.ts'
import { passTime, readClock, startClock, type Times } from '../../world/clock.ts'
import { createOrigin, type Origin } from '../../world/origin.ts'
import { begin, describeState, printOrigin, type State } from '../../world/state.ts'
import type { BoundSettings } from './bindings.ts'
import type { Keep } from './keep.ts'
import type { SandboxObject } from './platform.ts'

export type KeptMock = Awaited<ReturnType<typeof createKeptMock>>

/** A killed process loses the requests of its last second from the log, and nothing else. */
const LOG_INTERVAL_MS = 1_000

/** `key` is that of the sandbox; undefined for the shared state. */
export async function createKeptMock(key: string | undefined, settings: BoundSettings, keep: Keep, shared: () => SandboxObject) {
  const stored = keep.read()
  let from = settings.readBase(stored?.base ?? (key === undefined ? settings.base : await shared().base()))
  let isKept = stored !== undefined
  /** Since it woke up. Enlisting twice is harmless. */
  let isListed = key === undefined
  let isClosed = false
  /** The ids of rows of the request log that are not written yet. */
  let unsaved = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const removals: Promise<void>[] = []
  const { mock, worlds, events } = createEngine(
    { ...settings.options, origin: from.origin },
    {
      onRow: noteRow,
      home: key,
      sandboxes: key === undefined ? { keys: keep.keys.all, remove } : { keys: () => [key], remove: () => false },
    },
  )
  const { times } = worlds
  if (stored) {
    worlds.resume(goOn(stored, from.origin, times), key).requestLog.restore(stored.rows, stored.settings.lastId)
  }
  /** What is in the storage. */
  let written = exists() ? worlds.peek(key).state : undefined

  function remove(sandbox: string): boolean {
    const isThere = keep.keys.has(sandbox)
    if (isThere) removals.push(erase(sandbox))
    return isThere
  }

  /** Its storage first: a key on the list without storage can be removed again, storage without a key on the list cannot. */
  async function erase(sandbox: string): Promise<void> {
    await settings.toObject(sandbox).erase()
    keep.keys.remove(sandbox)
    reportSandbox(sandbox)
  }

  /** Reports to listeners that a sandbox came or went. */
  const reportSandbox = (sandbox: string) => events.publish({ type: 'sandbox', sandbox })

  function exists(): boolean {
    return key === undefined || worlds.keys().includes(key)
  }

  /** The scenario that the state starts from, as JSON. */
  function base(): string {
    const { origin } = worlds.peek(key).state
    if (origin !== from.origin) from = { origin, text: printOrigin(origin) }
    return from.text
  }

  /** Writes what differs from what was written last; with `isFirst`, also a state that was never written. */
  function save(isFirst = false): void {
    if (isClosed || !exists()) return
    const { state } = worlds.peek(key)
    if (state === written && (isKept || !isFirst)) return
    const before = isKept ? written : undefined
    if (before?.origin !== state.origin) {
      keep.clear('base', 'pets')
      keep.base(base())
    }
    for (const { key: id, after } of compareCatalogues(
      (before?.origin === state.origin ? before : state.origin).catalogue,
      state.catalogue,
    )) {
      keep.pet(id, after)
    }
    saveSettings(state)
    written = state
    if (isKept) return
    isKept = true
    unsaved = new Set(
      worlds
        .peek(key)
        .requestLog.rows()
        .map(({ id }) => id),
    )
  }

  function saveSettings(state: State): void {
    const { lastId } = worlds.peek(key).requestLog
    const { lastFaultId, clock } = state
    const scenario = describeState(state, readClock(clock, times))
    keep.settings({ scenario, lastFaultId, wasTurned: clock.wasTurned, lastId, keptAt: Date.now() })
  }

  function noteRow(id: number): void {
    // A key that is refused makes no sandbox.
    if (needsBase() || settings.options.requestLog?.entries === 0) return
    unsaved.add(id)
    timer ??= setTimeout(keepRows, LOG_INTERVAL_MS)
  }

  function keepRows(): void {
    timer = undefined
    // Clearing the log adds a row too.
    if (isClosed || unsaved.size === 0) return
    save(true)
    const { requestLog } = worlds.peek(key)
    const rows = requestLog.rows().filter(({ id }) => unsaved.has(id))
    keep.requests(rows.map(requestLog.show), requestLog.oldestId ?? Number.MAX_SAFE_INTEGER)
    unsaved = new Set()
  }

  /** Whether it is a sandbox that does not exist yet, and so starts from the base of the shared state at that time. */
  function needsBase(): boolean {
    return key !== undefined && !isKept
  }

  return {
    key,
    mock,
    /** Answers a call to the service. */
    answer(call: Call): Reply {
      const reply = mock.answer(call)
      save()
      return reply
    },
    /** Writes what has changed since the last time. */
    save(): void {
      save()
      keepRows()
    },
    needsBase,
    /** Asks for that base. */
    async renewBase(): Promise<void> {
      const newBase = await shared().base()
      if (isKept || newBase === from.text) return
      from = settings.readBase(newBase)
      worlds.resume(begin(from.origin, times))
    },
    /** Puts the sandbox on the list, once it exists. */
    async enlist(): Promise<void> {
      if (key === undefined || !isKept || isListed || isClosed) return
      await shared().enlist(key)
      isListed = true
    },
    base,
    reportSandbox,
    /** The removals of sandboxes that a response has to wait for. */
    removals,
    /** Writes nothing more. */
    close(): void {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

/** The state that was stored. Its clock has gone on meanwhile, unless that of the machine has been set back. */
function goOn({ settings, pets }: NonNullable<ReturnType<Keep['read']>>, origin: Origin, times: Times): State {
  const { scenario, lastFaultId, wasTurned, keptAt } = settings
  const saved = createOrigin(scenario)
  const clock = startClock(passTime(saved.clock, Math.max(0, Date.now() - keptAt)), times)
  const catalogue = pets.reduce((all, { id, text }) => restorePet(all, id, text), origin.catalogue)
  return { ...begin(saved, times), origin, catalogue, lastFaultId, clock: { ...clock, wasTurned } }
}
