// The rows of a world: its requests and changes, each with the state before it. Forgets the oldest rows, bounded in number and in bytes,
// each log by itself and all together; and before that, the states of the oldest rows, if there is no room for more animals.
import { countCharacters } from '../contract/problem.ts'
import { MAX_CHANGES, MAX_LOG_BYTES, MAX_LOG_ENTRIES, MAX_LOGS_BYTES } from '../limits.ts'
import { hash } from '../random.ts'
import type { Memory } from './memory.ts'
import { isAnswered, isChange, isRequest, type KeptChange, type KeptRequest, type KeptRow, type LogFilter } from './row.ts'
import type { State } from './state.ts'

/** The request logs of one mock, which share their numbering and a limit. */
export type RequestLogs = ReturnType<typeof createRequestLogs>
export type RequestLog = ReturnType<RequestLogs['create']>

export type RequestLogLimits = Readonly<Partial<Record<'entries' | 'bytes' | 'totalBytes', number>>>

/** A log that others may ask to make room. */
interface Holder {
  bytes(): number
  forgetOldest(): void
  /** The id of the oldest row that keeps a state. */
  oldestState(): number | undefined
  forgetOldestState(): void
}

export function createRequestLogs(memory: Memory, limits: RequestLogLimits = {}) {
  const { entries: maxEntries = MAX_LOG_ENTRIES, bytes: maxBytes = MAX_LOG_BYTES, totalBytes: maxTotalBytes = MAX_LOGS_BYTES } = limits
  const holders = new Set<Holder>()
  let lastId = 0
  let totalBytes = 0

  /** The largest gives way, so that the entries of other sandboxes outlast a busy one. */
  function makeRoom(): void {
    while (totalBytes > maxTotalBytes) [...holders].reduce((one, other) => (other.bytes() > one.bytes() ? other : one)).forgetOldest()
  }

  /** The oldest row of all gives up the state before it; returns false if none has one. */
  function forgetOldestState(): boolean {
    let oldest: Holder | undefined
    for (const holder of holders) {
      if ((holder.oldestState() ?? Number.POSITIVE_INFINITY) < (oldest?.oldestState() ?? Number.POSITIVE_INFINITY)) oldest = holder
    }
    oldest?.forgetOldestState()
    return oldest !== undefined
  }

  /** The log of a world. `present` is what comes after its last row. */
  function create(present: () => State) {
    const kept: KeptRow[] = []
    /** How many bytes each takes, here so that forgetting one does not fetch it from memory that is long cold. */
    const sizes: number[] = []
    /** How many of the oldest keep no state. */
    let stateless = 0
    let requestCount = 0
    let bytes = 0
    /** Whether the changes know which of them stand. */
    let isJudged = true
    const holder: Holder = { bytes: () => bytes, forgetOldest, oldestState: () => kept[stateless]?.id, forgetOldestState }

    function grow(more: number): void {
      bytes += more
      totalBytes += more
    }

    /** The state after a row: the one before the next. */
    const after = (index: number): State => kept[index + 1]?.before ?? present()

    function forgetOldestState(): void {
      const row = kept[stateless] as KeptRow
      memory.release(row.before as State, after(stateless))
      row.before = undefined
      if (isChange(row)) row.canUndo = false
      stateless++
    }

    function forgetOldest(): void {
      if (stateless === 0) forgetOldestState()
      stateless--
      if (!isChange(kept.shift() as KeptRow)) requestCount--
      grow(-(sizes.shift() as number))
      if (kept.length === 0) holders.delete(holder)
    }

    /** A request whose response is delayed stays. */
    function clear(): void {
      const waiting = listWaiting()
      while (kept.length > 0) forgetOldest()
      for (const one of waiting) keepWithout(one)
    }

    /** The rows, once it is decided which changes stand. */
    function readRows(): readonly KeptRow[] {
      if (!isJudged) judge(kept, present())
      isJudged = true
      return kept
    }

    /** The last load or reset that is not undone. */
    function findStart(): number {
      return readRows().findLast((row) => isChange(row) && row.startsAgain && !row.isUndone)?.id ?? 0
    }

    const listWaiting = () => kept.filter(isRequest).filter(({ outcome }) => outcome === 'waiting')

    function keepWithout(row: KeptRow): void {
      row.before = undefined
      keep(row)
      stateless++
    }

    function keep(row: KeptRow): void {
      holders.add(holder)
      const size = sizeOfRow(row)
      kept.push(row)
      if (isChange(row)) isJudged = false
      else requestCount++
      sizes.push(size)
      grow(size)
    }

    function forgetExcess(): void {
      while (requestCount > maxEntries || kept.length - requestCount > MAX_CHANGES || bytes > maxBytes) forgetOldest()
      makeRoom()
    }

    return {
      get oldestId(): number | undefined {
        return kept[0]?.id
      },
      /** The id of the last entry of the mock, also if it is gone: none is used again. */
      get lastId(): number {
        return lastId
      },
      /** Gives a row the next id, unless a recording gave it one, and keeps it with the state before it; `present` is the one after it. */
      add(row: KeptRow, before: State): void {
        row.id ||= lastId + 1
        lastId = Math.max(lastId, row.id)
        if (maxEntries === 0) memory.release(before, present())
        else {
          row.before = before
          if (isChange(row)) row.canUndo = before !== present()
          keep(row)
          forgetExcess()
        }
      },
      /** Keeps earlier rows, under their own ids. New ones count on from the highest of them, or from `newLastId` if that is higher. */
      restore(rows: Iterable<KeptRow>, newLastId: number): void {
        lastId = Math.max(lastId, newLastId)
        for (const row of rows) {
          lastId = Math.max(lastId, row.id)
          if (maxEntries > 0) keepWithout(row)
        }
        forgetExcess()
      },
      find(id: number) {
        const index = readRows().findIndex((row) => row.id === id)
        const row = kept[index]
        return row && { row, after: after(index) }
      },
      /** The requests since the last load or reset that match, in the order in which they were decided; a limit is up to the caller. */
      requests(filter: LogFilter = {}): Readonly<KeptRequest>[] {
        const start = findStart()
        const isWanted = createMatch(filter)
        return kept.filter(isRequest).filter((row) => row.id > start && isWanted(row))
      },
      listWaiting,
      /** Every row that matches; changes do unless the filter is about requests. */
      rows(filter: LogFilter = {}): (Readonly<KeptRequest> | KeptChange)[] {
        const { operation, status, method, apiKey } = filter
        const hasChanges = [operation, status, method, apiKey].every((wanted) => wanted === undefined)
        const isWanted = createMatch(filter)
        return readRows().filter((row) => (isChange(row) ? hasChanges : isWanted(row)))
      },
      clear,
      /** Empties it, as if nothing had happened. */
      empty(): void {
        while (kept.length > 0) forgetOldest()
      },
    }
  }

  return { create, forgetOldestState }
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
/** What the name or the value of a header field takes besides its characters. */
const FIELD_BYTES = 32
/** Made once: every request is measured. */
const NONE: readonly string[] = []

/** Roughly the memory that a row takes, two bytes a character. */
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
