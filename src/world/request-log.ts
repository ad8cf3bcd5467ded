// The rows of a world: its requests and changes, each with the state before it. Forgets the oldest rows, bounded in number and in bytes,
// each log by itself and all together; and before that, the states of the oldest rows, if there is no room for more animals.
import { countCharacters } from '../contract/problem.ts'
import { MAX_CHANGES, MAX_LOG_BYTES, MAX_LOG_ENTRIES, MAX_LOGS_BYTES } from '../limits.ts'
import { hash } from '../random.ts'
import type { Memory } from './memory.ts'
import { isAnswered, isChange, isRequest, type KeptChange, type KeptRequest, type KeptRow, type LogFilter } from './row.ts'
import type { State } from './state.ts'

export type RequestLogs = ReturnType<typeof createRequestLogs>
export type RequestLog = ReturnType<RequestLogs['create']>

export type RequestLogLimits = Readonly<Partial<Record<'entries' | 'bytes' | 'totalBytes', number>>>

interface Shared {
  readonly memory: Memory
  readonly stores: Set<Store>
  lastId: number
  bytes: number
}

export function createRequestLogs(memory: Memory, limits: RequestLogLimits = {}) {
  const { entries = MAX_LOG_ENTRIES, bytes = MAX_LOG_BYTES, totalBytes = MAX_LOGS_BYTES } = limits
  const shared: Shared = { memory, stores: new Set(), lastId: 0, bytes: 0 }
  return {
    /** The log of a world. `present` is what comes after its last row. */
    create: (present: () => State) => createRequestLog(present, shared, { entries, bytes, totalBytes }),
    /** The oldest row of all gives up the state before it; returns false if none has one. */
    forgetOldestState(): boolean {
      let oldest: Store | undefined
      for (const store of shared.stores) {
        if ((store.oldestState() ?? Number.POSITIVE_INFINITY) < (oldest?.oldestState() ?? Number.POSITIVE_INFINITY)) oldest = store
      }
      oldest?.forgetOldestState()
      return oldest !== undefined
    },
  }
}

function createRequestLog(present: () => State, shared: Shared, limits: Required<RequestLogLimits>) {
  const store = createStore(present, shared)
  const { rows, keep, forgetOldest } = store

  function forgetExcess(): void {
    const isOver = () => store.requestCount() > limits.entries || rows.length - store.requestCount() > MAX_CHANGES
    while (isOver() || store.bytes() > limits.bytes) forgetOldest()
    // The largest gives way, so that the entries of other sandboxes outlast a busy one.
    while (shared.bytes > limits.totalBytes) {
      const largest = [...shared.stores].reduce((one, other) => (other.bytes() > one.bytes() ? other : one))
      largest.forgetOldest()
    }
  }

  const listWaiting = () => rows.filter(isRequest).filter(({ outcome }) => outcome === 'waiting')

  function empty(): void {
    while (rows.length > 0) forgetOldest()
  }

  return {
    get oldestId(): number | undefined {
      return rows[0]?.id
    },
    /** The id of the last entry of the mock, also if it is gone: none is used again. */
    get lastId(): number {
      return shared.lastId
    },
    /** Gives a row the next id, unless a recording gave it one, and keeps it with the state before it; `present` is the one after it. */
    add(row: KeptRow, before: State): void {
      row.id ||= shared.lastId + 1
      shared.lastId = Math.max(shared.lastId, row.id)
      if (limits.entries === 0) return void shared.memory.release(before, present())
      if (isChange(row)) row.canUndo = before !== present()
      keep(row, before)
      forgetExcess()
    },
    /** Keeps earlier rows, under their own ids. New ones count on from the highest of them, or from `newLastId` if that is higher. */
    restore(earlier: Iterable<KeptRow>, newLastId: number): void {
      shared.lastId = Math.max(shared.lastId, newLastId)
      for (const row of earlier) {
        shared.lastId = Math.max(shared.lastId, row.id)
        if (limits.entries > 0) keep(row, undefined)
      }
      forgetExcess()
    },
    find(id: number) {
      const index = store.judged().findIndex((row) => row.id === id)
      const row = rows[index]
      return row && { row, after: store.after(index) }
    },
    /** The requests since the last load or reset that match, in the order in which they were decided; a limit is up to the caller. */
    requests(filter: LogFilter = {}): Readonly<KeptRequest>[] {
      const start = store.judged().findLast((row) => isChange(row) && row.startsAgain && !row.isUndone)?.id ?? 0
      const isWanted = createMatch(filter)
      return rows.filter(isRequest).filter((row) => row.id > start && isWanted(row))
    },
    listWaiting,
    /** Every row that matches; changes do unless the filter is about requests. */
    rows(filter: LogFilter = {}): (Readonly<KeptRequest> | KeptChange)[] {
      const { operation, status, method, apiKey } = filter
      const hasChanges = [operation, status, method, apiKey].every((wanted) => wanted === undefined)
      const isWanted = createMatch(filter)
      return store.judged().filter((row) => (isChange(row) ? hasChanges : isWanted(row)))
    },
    /** A request whose response is delayed stays. */
    clear(): void {
      const waiting = listWaiting()
      empty()
      for (const row of waiting) keep(row, undefined)
    },
    empty,
  }
}

type Store = ReturnType<typeof createStore>

function createStore(present: () => State, shared: Shared) {
  const rows: KeptRow[] = []
  /** How many bytes each takes, here so that forgetting one does not fetch it from memory that is long cold. */
  const sizes: number[] = []
  /** How many of the oldest keep no state. */
  let stateless = 0
  let requestCount = 0
  let bytes = 0
  /** Whether the changes know which of them stand. */
  let isJudged = true

  const after = (index: number): State => rows[index + 1]?.before ?? present()

  function grow(more: number): void {
    bytes += more
    shared.bytes += more
  }

  function forgetOldestState(): void {
    const row = rows[stateless] as KeptRow
    shared.memory.release(row.before as State, after(stateless))
    row.before = undefined
    if (isChange(row)) row.canUndo = false
    stateless++
  }

  const store = {
    rows: rows as readonly KeptRow[],
    after,
    bytes: () => bytes,
    requestCount: () => requestCount,
    oldestState: () => rows[stateless]?.id,
    forgetOldestState,
    forgetOldest(): void {
      if (stateless === 0) forgetOldestState()
      stateless--
      if (!isChange(rows.shift() as KeptRow)) requestCount--
      grow(-(sizes.shift() as number))
      if (rows.length === 0) shared.stores.delete(store)
    },
    keep(row: KeptRow, before: State | undefined): void {
      shared.stores.add(store)
      row.before = before
      if (!before) stateless++
      if (isChange(row)) isJudged = false
      else requestCount++
      const size = sizeOfRow(row)
      rows.push(row)
      sizes.push(size)
      grow(size)
    },
    judged(): readonly KeptRow[] {
      if (!isJudged) judge(rows, present())
      isJudged = true
      return rows
    },
  }
  return store
}

function createMatch(filter: LogFilter): (row: Readonly<KeptRequest>) => boolean {
  const digest = filter.apiKey === undefined ? undefined : hash(filter.apiKey)
  return (row) => {
    const status = isAnswered(row) ? row.status : 0
    return (
      (row.outcome !== 'waiting' || filter.waiting === true) &&
      (filter.operation === undefined || row.operation === filter.operation) &&
      (filter.status === undefined || status === filter.status) &&
      (filter.method === undefined || row.method === filter.method) &&
      (digest === undefined || row.keyDigest === digest)
    )
  }
}

/** Decides which changes of a log stand: one is undone by a change that is not undone itself. `present` is the state after the last row. */
function judge(rows: readonly KeptRow[], present: State): void {
  const undone = new Set<number>()
  /** Standing changes of the whole state. One is in the way of every row before it, but an undo only from the row that it undid. */
  const obstacles: KeptChange[] = []
  const reach = ({ isUndo, undoes }: KeptChange) => (isUndo && undoes !== null ? undoes : 0)
  let after = present
  for (const row of rows.toReversed()) {
    const { before } = row
    if (isChange(row)) {
      const { id, undoes, isWhole } = row
      row.isUndone = undone.has(id)
      row.obstacle = obstacles.find((one) => reach(one) <= id)
      row.canUndo = !row.isUndone && !row.obstacle && before !== undefined && before !== after
      if (!row.isUndone && undoes !== null) undone.add(undoes)
      if (!row.isUndone && isWhole && obstacles.every((one) => reach(one) > reach(row))) obstacles.push(row)
    }
    after = before ?? after
  }
}

/** What a row takes besides its texts, at most: a plain request takes 0.7 kB in all on Node 20. */
const REQUEST_BYTES = 1_024
const CHANGE_BYTES = 512
const ITEM_BYTES = 64
const FIELD_BYTES = 32
/** Made once: every request is measured. */
const NONE: readonly string[] = []

export function sizeOfRow(row: Readonly<KeptRow>): number {
  if (isChange(row)) return CHANGE_BYTES + 2 * row.text.length + ITEM_BYTES * row.changed.length
  const { method, target, requestBody, responseBody, responseHeaders, fields } = row
  let characters = method.length + target.length + requestBody.length + responseBody.length + (row.error?.length ?? 0)
  for (const field of fields) characters += field.length
  for (const note of row.notes) characters += note.length
  for (const problem of row.problems) characters += countCharacters(problem)
  for (const fault of row.faults) characters += fault.length
  for (const text of row.struck ?? NONE) characters += text.length
  for (const name in responseHeaders) characters += (responseHeaders[name] as string).length
  return REQUEST_BYTES + FIELD_BYTES * fields.length + 2 * characters
}
