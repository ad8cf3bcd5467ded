// A mock whose one state is stored: it starts from the storage or from its base scenario, and writes what differs from
// the last written state before a response can show it. The request log follows within a second.
import { parseInt64, parseJson, SAVED_DEPTH, toJson } from '../../contract/int64-json.ts'
import type { Int64 } from '../../generated/contract.ts'
import { createEngine } from '../../mock/mock.ts'
import type { Call, Reply } from '../../service/call.ts'
import { restoreRow, showRow } from '../../service/show-row.ts'
import { changePets, compareCatalogues } from '../../world/catalogue.ts'
import { passTime, type Times } from '../../world/clock.ts'
import type { ChangeRow, RequestRow } from '../../world/row.ts'
import { baseOf, begin, type Origin, printOrigin, resumeState, type SavedState, type State, saveState } from '../../world/state.ts'
import type { BoundSettings } from './bindings.ts'
import type { SandboxObject, Sql } from './platform.ts'

export type KeptMock = Awaited<ReturnType<typeof createKeptMock>>
type Keep = ReturnType<typeof createKeep>

interface KeptSettings extends SavedState {
  readonly lastId: number
  readonly keptAt: number
}

/** A killed process loses the requests of its last second from the log, and nothing else. */
const LOG_INTERVAL_MS = 1_000
/** A row may have two megabytes, and a character four bytes. With `u`, a piece never ends inside a character. */
const PIECES = /.{1,500000}/gsu
/** One table for all parts, since each table takes a page on disk and in memory, and most sandboxes are small. */
const TABLE = 'CREATE TABLE IF NOT EXISTS kept(part TEXT, id, text TEXT, PRIMARY KEY (part, id)) WITHOUT ROWID'

/**
 * The storage of an object: the scenario that its state started from, in pieces; a row for each animal that differs;
 * a row for each row of the timeline; a row for the settings; and in the shared object a row for each sandbox.
 */
export function createKeep(sql: Sql) {
  const hasTable = () => [...sql.exec('SELECT name FROM sqlite_master WHERE name = ?', 'kept')].length > 0
  const rows = (part: string) => (hasTable() ? [...sql.exec('SELECT id, text FROM kept WHERE part = ? ORDER BY id', part)] : [])
  const write = (part: string, id: string | number, text: string | null) =>
    void sql.exec('INSERT OR REPLACE INTO kept VALUES (?, ?, ?)', part, id, text)

  return {
    read() {
      const [row] = rows('settings')
      if (!row) return undefined
      const pieces = rows('base').map(({ text }) => text)
      const pets = rows('pets').map(({ id, text }) => ({ key: parseInt64(id as string) as Int64, after: (text as string) ?? undefined }))
      return {
        base: pieces.join(''),
        settings: parseJson(row.text as string, undefined, { depth: SAVED_DEPTH }) as unknown as KeptSettings,
        pets: pets.sort((one, other) => (one.key < other.key ? -1 : 1)),
        rows: rows('requests').map(({ text }) => JSON.parse(text as string) as RequestRow | ChangeRow),
      }
    },
    /** Another scenario to start from; it comes first in a new storage. */
    base(text: string): void {
      sql.exec(TABLE)
      sql.exec("DELETE FROM kept WHERE part IN ('base', 'pets')")
      for (const [index, piece] of (text.match(PIECES) ?? []).entries()) write('base', index, piece)
    },
    pet: (id: Int64, text: string | undefined) => write('pets', String(id), text ?? null),
    settings: (settings: KeptSettings) => write('settings', '', toJson(settings)),
    /** Adds rows of the timeline, and deletes those before `oldestId`. */
    requests(added: readonly (RequestRow | ChangeRow)[], oldestId: number): void {
      for (const row of added) write('requests', row.id, JSON.stringify(row))
      sql.exec("DELETE FROM kept WHERE part = 'requests' AND id < ?", oldestId)
    },
    /** Of the shared object: the keys that have a sandbox, in alphabetical order. */
    keys: {
      all: () => rows('keys').map(({ id }) => id as string),
      add(key: string): void {
        sql.exec(TABLE)
        write('keys', key, '')
      },
      has: (key: string) => hasTable() && [...sql.exec("SELECT id FROM kept WHERE part = 'keys' AND id = ?", key)].length > 0,
      remove: (key: string) => void sql.exec("DELETE FROM kept WHERE part = 'keys' AND id = ?", key),
    },
  }
}

/** `key` is that of the sandbox; undefined for the shared state. */
export async function createKeptMock(key: string | undefined, settings: BoundSettings, keep: Keep, shared: () => SandboxObject) {
  const stored = keep.read()
  let from = settings.readBase(stored?.base ?? (key === undefined ? settings.base : await shared().base()))
  /** Since it woke up. Enlisting twice is harmless. */
  let isListed = key === undefined
  let isClosed = false
  let unsaved = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const removals: Promise<void>[] = []
  const { mock, worlds, publish } = createEngine(
    { ...settings.options, origin: from.origin },
    {
      onRow: noteRow,
      home: key,
      sandboxes: key === undefined ? { keys: keep.keys.all, remove } : { keys: () => [key], remove: () => false },
    },
  )
  const { times } = worlds
  if (stored) worlds.resume(goOn(stored, from.origin, times), key).requestLog.restore(stored.rows.map(restoreRow), stored.settings.lastId)
  let written = stored && worlds.peek(key).state
  /** What the shared state starts from, which is written when something has happened. */
  const initial = key === undefined ? worlds.of().state : undefined

  function remove(sandbox: string): boolean {
    const isThere = keep.keys.has(sandbox)
    if (isThere) removals.push(erase(sandbox))
    return isThere
  }

  /** Its storage first: a key on the list without storage can be removed again, but not the reverse. */
  async function erase(sandbox: string): Promise<void> {
    await settings.toObject(sandbox).erase()
    keep.keys.remove(sandbox)
    reportSandbox(sandbox)
  }

  const reportSandbox = (sandbox: string) => publish({ type: 'sandbox', sandbox })

  function base(): string {
    const { origin } = worlds.peek(key).state
    if (origin !== from.origin) from = { origin, text: printOrigin(origin) }
    return from.text
  }

  /** Writes what differs from what was written last; with `isFirst`, also a state that was never written. */
  function save(isFirst = false): void {
    if (isClosed || !worlds.has(key)) return
    const { state, requestLog } = worlds.peek(key)
    if (state === (written ?? (isFirst ? undefined : initial))) return
    const before = baseOf(state.origin, written)
    if (before !== written) keep.base(base())
    for (const { key: id, after } of compareCatalogues(before.catalogue, state.catalogue)) keep.pet(id, after)
    keep.settings({ ...saveState(state, times), lastId: requestLog.lastId, keptAt: Date.now() })
    if (!written) unsaved = new Set(requestLog.rows().map(({ id }) => id))
    written = state
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
    const { requestLog, sandbox } = worlds.peek(key)
    const rows = requestLog.rows().filter(({ id }) => unsaved.has(id))
    keep.requests(
      rows.map((row) => showRow(row, sandbox)),
      requestLog.oldestId ?? Number.MAX_SAFE_INTEGER,
    )
    unsaved = new Set()
  }

  /** Whether it is a sandbox that does not exist yet, and so starts from the base of the shared state at that time. */
  function needsBase(): boolean {
    return key !== undefined && !written
  }

  return {
    key,
    mock,
    answer(call: Call): Reply {
      const reply = mock.answer(call)
      save()
      return reply
    },
    save(): void {
      save()
      keepRows()
    },
    needsBase,
    async renewBase(): Promise<void> {
      const newBase = await shared().base()
      if (written || newBase === from.text) return
      from = settings.readBase(newBase)
      worlds.resume(begin(from.origin, times))
    },
    async enlist(): Promise<void> {
      if (key === undefined || !written || isListed || isClosed) return
      await shared().enlist(key)
      isListed = true
    },
    base,
    reportSandbox,
    /** The removals of sandboxes that a response has to wait for. */
    removals,
    close(): void {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

/** The state that was stored. Its clock has gone on meanwhile, unless that of the machine has been set back. */
function goOn({ settings, pets }: NonNullable<ReturnType<Keep['read']>>, origin: Origin, times: Times): State {
  const { scenario, keptAt } = settings
  const now = { ...scenario, ...passTime(scenario, Math.max(0, Date.now() - keptAt)) }
  return resumeState({ ...settings, scenario: now }, origin, times, changePets(origin.catalogue, pets))
}
