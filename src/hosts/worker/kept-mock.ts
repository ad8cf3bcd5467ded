// A mock whose one state is stored: it starts from the storage or from its base scenario, and writes what the revision says has changed
// before a response can show it. The request log follows within a second.
import { toJson } from '../../contract/int64-json.ts'
import { createEngine } from '../../mock/mock.ts'
import type { Call, Reply } from '../../service/call.ts'
import { toBaseScenario } from '../../world/start.ts'
import type { BoundSettings } from './bindings.ts'
import type { Keep } from './keep.ts'
import type { SandboxObject } from './platform.ts'

export type KeptMock = Awaited<ReturnType<typeof createKeptMock>>

/** A killed process loses the requests of its last second from the log, and nothing else. */
const LOG_INTERVAL_MS = 1_000
const PET = 'pet '
const isPet = (item: string) => item.startsWith(PET)

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
    { ...settings.options, scenario: { pets: [] } },
    {
      onRow: noteRow,
      home: key,
      sandboxes: key === undefined ? { keys: keep.keys.all, remove } : { keys: () => [key], remove: () => false },
    },
  )
  worlds.resume(from.start, undefined)
  if (stored) worlds.resume(from.start, stored.saved, key)
  /** What is in the storage. */
  let written = exists() ? readMoment() : undefined

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

  function readMoment() {
    const world = worlds.peek(key)
    return { world, revision: world.changeLog.revision, start: worlds.start(key) }
  }

  /** The scenario that the state starts from, as JSON. */
  function base(): string {
    const start = worlds.start(key)
    if (start !== from.start) from = { start, text: toJson(toBaseScenario(start)) }
    return from.text
  }

  function save(): void {
    if (isClosed || !exists()) return
    const now = readMoment()
    const { world, revision } = now
    if (world === written?.world && revision === written.revision) return
    if (!isKept || world !== written?.world || !world.changeLog.knows(written.revision)) {
      saveAll()
      return
    }
    const items = [...world.changeLog.between(written.revision).keys()]
    for (const item of items.filter(isPet)) keep.pet({ id: item.slice(PET.length), text: world.catalogue.find(item.slice(PET.length)) })
    if (!items.every(isPet)) keep.settings(world.settings())
    written = now
  }

  /** The first time, and after a load or a reset. */
  function saveAll(): void {
    const now = readMoment()
    keep.clear('pets', 'requests')
    if (!isKept || now.start !== written?.start) {
      keep.clear('base')
      keep.base(base())
    }
    for (const change of now.world.catalogue.saved()) keep.pet(change)
    keep.settings(now.world.settings())
    unsaved = new Set(now.world.requestLog.rows().map(({ id }) => id))
    written = now
    isKept = true
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
    if (!isKept) saveAll()
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
      worlds.resume(from.start, undefined)
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
