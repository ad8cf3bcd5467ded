// The rows of a world, each with the state before it. Beyond a limit, the oldest rows go, and
// before them their states.
import {
  MAX_CHANGES,
  MAX_LOG_BYTES,
  MAX_LOG_ROWS,
  MAX_LOGS_BYTES,
  MAX_PAST_BYTES,
  MAX_PETS_BYTES,
} from '../contract/limits.ts'
import { compareCatalogues, findPetText, sizeOfPet } from './catalogue.ts'
import { sizeOfFault } from './faults.ts'
import type { KeptChange, KeptRequest, KeptRow, LogFilter } from './row.ts'
import { createRowFilter, firstOf, isChange, isLoad, isRequest, leaves, NONE } from './row.ts'
import { CHUNK_SIZE } from './sorted.ts'
import { baseOf, type Origin, type State } from './state.ts'

export type Memory = ReturnType<typeof createMemory>

/** Copies of the chunks of an animal that was changed or removed, in up to three lists. */
const COPY_BYTES = 3 * 16 * CHUNK_SIZE

// Roughly the memory of a mock's animals and faults, in one counter. What two states do not share
// counts as soon as the present one has it, until the row that removed it gives up the state before
// it. An origin counts once.
export function createMemory(maxBytes = MAX_PETS_BYTES) {
  let bytes = 0
  const uses = new Map<Origin, number>()

  function use(origin: Origin, change: 1 | -1): void {
    const before = uses.get(origin) ?? 0
    uses.set(origin, before + change)
    if (before === 0) bytes += origin.bytes
    if (before + change > 0) return
    bytes -= origin.bytes
    uses.delete(origin)
  }

  return {
    maxBytes,
    get bytes(): number {
      return bytes
    },
    /** Whether `to` fits after `from`; without `keeps`, in its place. */
    fits(to: State, from: State | undefined, keeps: boolean): boolean {
      const isOther = to.origin !== from?.origin
      const more = sizeOfOwn(to, from) + (uses.has(to.origin) ? 0 : to.origin.bytes)
      if (keeps || !from) return bytes + more <= maxBytes
      const less =
        sizeOfOwn(from, to) + (isOther && uses.get(from.origin) === 1 ? from.origin.bytes : 0)
      return more <= less || bytes + more - less <= maxBytes
    },
    /** Whether the rows must give up states, with this one as the present. */
    isOver: ({ origin }: State): boolean =>
      bytes > Math.min(maxBytes, origin.bytes + MAX_PAST_BYTES),
    take(to: State, from?: State): void {
      if (to === from) return
      bytes += sizeOfOwn(to, from)
      if (to.origin !== from?.origin) use(to.origin, 1)
    },
    /** Gives back what only a dropped state took, or the last state of a removed world. */
    release(from: State, to?: State): void {
      if (to === from) return
      bytes -= sizeOfOwn(from, to)
      if (to?.origin !== from.origin) use(from.origin, -1)
    },
  }
}

/**
 * The animals and faults of a state that neither its origin has, nor another state of the same
 * origin.
 */
function sizeOfOwn({ origin, catalogue, faults }: State, other?: State): number {
  const rest = baseOf(origin, other)
  // The service adds animals behind the last one, which copies nothing.
  let size = rest !== origin && catalogue.all.chunks !== rest.catalogue.all.chunks ? COPY_BYTES : 0
  for (const { key, after } of compareCatalogues(rest.catalogue, catalogue)) {
    if (after !== undefined && findPetText(origin.catalogue, key) !== after)
      size += sizeOfPet(after)
  }
  if (faults === rest.faults) return size
  const known = new Set([...rest.faults, ...origin.faults].map(({ fault }) => fault))
  for (const { fault } of faults) if (!known.has(fault)) size += sizeOfFault(fault)
  return size
}

export type Timelines = ReturnType<typeof createTimelines>
export type Timeline = ReturnType<typeof createTimeline>

interface Log {
  readonly rows: KeptRow[]
  /** How many bytes each row takes: kept, since to measure an old row again is slow. */
  readonly sizes: number[]
  bytes: number
  requestCount: number
  /** How many of the oldest rows keep no state. */
  stateless: number
  present(): State
}

interface Shared {
  readonly maxRequests: number
  readonly memory: Memory
  readonly logs: Set<Log>
  lastId: number
  bytes: number
}

export function createTimelines(memory: Memory, maxRequests = MAX_LOG_ROWS) {
  const shared: Shared = { maxRequests, memory, logs: new Set(), lastId: 0, bytes: 0 }
  const oldestState = ({ rows, stateless }: Log) => rows[stateless]?.id ?? Number.POSITIVE_INFINITY
  return {
    create: (present: () => State) => createTimeline(present, shared),
    /** The oldest row of all gives up the state before it; returns false if none has one. */
    forgetOldestState(): boolean {
      const oldest = pickBest(shared.logs, (log) => -oldestState(log))
      if (!oldest || oldestState(oldest) === Number.POSITIVE_INFINITY) return false
      forgetState(oldest, shared)
      return true
    },
  }
}

function createTimeline(present: () => State, shared: Shared) {
  const log: Log = { rows: [], sizes: [], bytes: 0, requestCount: 0, stateless: 0, present }
  const { rows } = log
  const list = (filter: LogFilter = {}): (Readonly<KeptRequest> | KeptChange)[] =>
    judgeChanges(log).filter(createRowFilter(filter))

  /**
   * Gives a row the next id, unless it has one, and keeps it with the state before it; `present` is
   * the next one.
   */
  function add(row: KeptRow, before?: State): void {
    row.id ||= shared.lastId + 1
    shared.lastId = Math.max(shared.lastId, row.id)
    if (shared.maxRequests === 0) return void (before && shared.memory.release(before, present()))
    keepRow(log, row, before, shared)
    forgetExcess(log, shared)
  }

  function empty(): void {
    while (rows.length > 0) forgetOldest(log, shared)
  }

  return {
    get oldestId(): number | undefined {
      return rows[0]?.id
    },
    /** Of the whole mock, even if that row is gone: no id is used again. */
    get lastId(): number {
      return shared.lastId
    },
    add,
    /**
     * Keeps earlier rows, under their own ids. New ones count on from the highest of those and
     * `newLastId`.
     */
    restore(earlier: Iterable<KeptRow>, newLastId: number): void {
      shared.lastId = Math.max(shared.lastId, newLastId)
      for (const row of earlier) add(row)
    },
    find(id: number) {
      const index = judgeChanges(log).findIndex((row) => row.id === id)
      const row = rows[index]
      return row && { row, after: stateAfter(rows, index, present()) }
    },
    /**
     * The matching requests since the last load or reset, in the order in which they were decided;
     * ignores a limit.
     */
    requests(filter?: LogFilter): Readonly<KeptRequest>[] {
      const found = list(filter).filter(isRequest)
      // The state comes from a load that stands.
      const isStart = (row: KeptRow) =>
        isChange(row) && isLoad(row) && (!row.obstacle || row.obstacle === 'forgotten')
      const start = rows.findLast(isStart)?.id ?? 0
      return found.filter(({ id }) => id > start)
    },
    rows: list,
    /** A request whose response is delayed stays. */
    clear(): void {
      const waiting = rows.filter((row) => isRequest(row) && row.outcome === 'waiting')
      empty()
      for (const row of waiting) keepRow(log, row, undefined, shared)
    },
    empty,
  }
}

/** What a row takes besides its texts, at most: a plain request takes 0.7 kB in all on Node 20. */
const REQUEST_BYTES = 1_024
const CHANGE_BYTES = 512
const ITEM_BYTES = 64
const FIELD_BYTES = 64

export function sizeOfRow(row: Readonly<KeptRow>): number {
  if (isChange(row)) return CHANGE_BYTES + 2 * row.text.length + ITEM_BYTES * row.changed.length
  const { method, target, requestBody, responseBody, responseHeaders, requestHeaders } = row
  let characters = method.length + target.length + requestBody.length + responseBody.length
  characters += row.decidedError?.length ?? 0
  let fields = 0
  for (const name in requestHeaders) {
    fields++
    characters += name.length + (requestHeaders[name] as string).length
  }
  for (const note of row.notes) characters += note.length
  for (const fault of row.faults) characters += fault.length
  for (const text of row.struck ?? NONE) characters += text.length
  for (const problem of row.decidedProblems) characters += JSON.stringify(problem).length
  for (const name in responseHeaders) characters += (responseHeaders[name] as string).length
  return REQUEST_BYTES + FIELD_BYTES * fields + 2 * characters
}

export const stateAfter = (rows: readonly KeptRow[], at: number, last: State): State =>
  rows[at + 1]?.before ?? last

function keepRow(log: Log, row: KeptRow, before: State | undefined, shared: Shared): void {
  const size = sizeOfRow(row)
  row.before = before
  if (!before) log.stateless++
  if (isChange(row)) row.obstacle = findOwnObstacle(row)
  else log.requestCount++
  log.rows.push(row)
  log.sizes.push(size)
  log.bytes += size
  shared.bytes += size
  shared.logs.add(log)
}

function forgetState(log: Log, { memory }: Shared): void {
  const row = log.rows[log.stateless] as KeptRow
  memory.release(row.before as State, stateAfter(log.rows, log.stateless, log.present()))
  row.before = undefined
  log.stateless++
}

function forgetOldest(log: Log, shared: Shared): void {
  if (log.stateless === 0) forgetState(log, shared)
  log.stateless--
  if (!isChange(log.rows.shift() as KeptRow)) log.requestCount--
  const size = log.sizes.shift() as number
  log.bytes -= size
  shared.bytes -= size
  if (log.rows.length === 0) shared.logs.delete(log)
}

function forgetExcess(log: Log, shared: Shared): void {
  const isOver = ({ rows, requestCount, bytes }: Log) =>
    requestCount > shared.maxRequests ||
    rows.length - requestCount > MAX_CHANGES ||
    bytes > MAX_LOG_BYTES
  while (isOver(log)) forgetOldest(log, shared)
  // The largest gives way, so that the rows of other sandboxes outlast a busy one.
  while (shared.bytes > MAX_LOGS_BYTES)
    forgetOldest(pickBest(shared.logs, ({ bytes }) => bytes) as Log, shared)
}

function pickBest(logs: Iterable<Log>, rate: (log: Log) => number): Log | undefined {
  let best: Log | undefined
  for (const log of logs) if (!best || rate(log) > rate(best)) best = log
  return best
}

/** A change can be undone if the state before it is kept, and it says what it touched. */
function findOwnObstacle({ before, isWhole, changed }: KeptChange) {
  if (!before) return 'forgotten'
  return isWhole || changed.length > 0 ? undefined : 'nothing'
}

type Link = Readonly<{ row: KeptChange; earlier: Link | undefined }>

// The rows, each change with whether it stands. The state comes from a chain of changes: a load
// begins one, and a rewind, or the undo of a load, a reset or a rewind, goes on from the chain
// before what it left. In the present chain, the latest of a change, its undo and its redo decides
// whether the change stands.
function judgeChanges({ rows }: Log): readonly KeptRow[] {
  const chains = new Map<number, Link | undefined>()
  const firsts = new Map<number, KeptChange>()
  const findFirst = (id: number) => firsts.get(id)
  let chain: Link | undefined
  for (const row of rows) {
    chains.set(row.id, chain)
    if (!isChange(row)) continue
    firsts.set(row.id, firstOf(row, findFirst))
    chain = { row, earlier: row.isWhole ? chains.get(row.undoes ?? row.backTo ?? 0) : chain }
  }
  const present = new Set<KeptChange>()
  const stands = new Map<KeptChange | undefined, boolean>()
  for (let link = chain; link; link = link.earlier) present.add(link.row)
  const known: KeptChange[] = []
  // What was undone before a load stays so.
  const beforeLoad = (row: KeptChange) => (isLoad(row) ? chains.get(row.id) : undefined)
  for (let link = chain; link; link = link.earlier ?? beforeLoad(link.row)) known.push(link.row)
  for (const { id, isUndo } of known.reverse()) stands.set(findFirst(id), !isUndo)
  const replacements = [...present].filter(({ isWhole }) => isWhole)
  for (const row of rows.filter(isChange)) {
    const isUndone = stands.get(findFirst(row.id)) === row.isUndo
    const replacement = present.has(row)
      ? undefined
      : replacements.find((later) => leaves(later, row))
    row.obstacle = (isUndone ? 'undone' : replacement) ?? findOwnObstacle(row)
  }
  return rows
}
