// A sorted list as a value, in chunks: a change makes the next list and shares the chunks that it
// leaves alone.
//
// Adding an entry after the last one, as the service does, copies nothing: the entry goes into the
// last chunk, which the old and the new list share. Each list knows how many entries of that chunk
// are its own (`lastLength`), so the old one does not see the new entry. If the chunk has more
// entries than the list, another list has added to it, and this one takes a copy.
import type { Int64 } from '../contract/generated/contract.ts'

interface Chunk<Key, Value> {
  readonly keys: Key[]
  readonly values: Value[]
  /**
   * Belongs to a scenario: nothing is added to it, or each mock that starts from it would keep what
   * others add.
   */
  readonly isSealed: boolean
}

type Keys = Int64 | string

/** Keys are normalised, so that `===` compares them: an int64 is a bigint only beyond 2^53. */
export interface Sorted<Key extends Keys, Value> {
  /** At least one. Only the last may be empty, and only the last grows. */
  readonly chunks: readonly Chunk<Key, Value>[]
  /** How many entries of the last chunk belong to this list. */
  readonly lastLength: number
  readonly size: number
}

export type Differing<Key, Value> = Readonly<{
  key: Key
  before: Value | undefined
  after: Value | undefined
}>

export const CHUNK_SIZE = 512
/** A copy of a full chunk, with two words an entry. */
export const CHUNK_BYTES = 16 * CHUNK_SIZE

const EMPTY: Sorted<never, never> = {
  chunks: [{ keys: [], values: [], isSealed: true }],
  lastLength: 0,
  size: 0,
}

export const emptyList = <Key extends Keys, Value>(): Sorted<Key, Value> => EMPTY

/** Builds a list from entries in the order of their keys. */
export function createListBuilder<Key extends Keys, Value>() {
  const chunks: Chunk<Key, Value>[] = []
  let size = 0
  return {
    add(key: Key, value: Value): void {
      if (size % CHUNK_SIZE === 0) chunks.push({ keys: [], values: [], isSealed: true })
      const last = chunks[chunks.length - 1] as Chunk<Key, Value>
      last.keys.push(key)
      last.values.push(value)
      size++
    },
    build(): Sorted<Key, Value> {
      if (size === 0) return emptyList()
      return { chunks, lastLength: chunks.at(-1)?.keys.length ?? 0, size }
    },
  }
}

export function findIn<Key extends Keys, Value>(
  list: Sorted<Key, Value>,
  key: Key,
): Value | undefined {
  const index = findChunk(list, key)
  const { keys, values } = list.chunks[index] as Chunk<Key, Value>
  const length = lengthOf(list, index)
  const place = findPlace(keys, length, key)
  return place < length && keys[place] === key ? values[place] : undefined
}

export function lastKey<Key extends Keys, Value>(list: Sorted<Key, Value>): Key | undefined {
  const { chunks, lastLength } = list
  if (lastLength > 0) return chunks[chunks.length - 1]?.keys[lastLength - 1]
  return chunks.at(-2)?.keys.at(-1)
}

export function putIn<Key extends Keys, Value>(
  list: Sorted<Key, Value>,
  key: Key,
  value: Value,
): Sorted<Key, Value> {
  const last = lastKey(list)
  const isLast = last === undefined || last < key
  return isLast ? append(list, key, value) : changeChunk(list, key, value)
}

export function removeFrom<Key extends Keys, Value>(
  list: Sorted<Key, Value>,
  key: Key,
): Sorted<Key, Value> {
  return findIn(list, key) === undefined ? list : changeChunk(list, key, undefined)
}

function append<Key extends Keys, Value>(
  list: Sorted<Key, Value>,
  key: Key,
  value: Value,
): Sorted<Key, Value> {
  const size = list.size + 1
  if (list.lastLength === CHUNK_SIZE) {
    const added = { keys: [key], values: [value], isSealed: false }
    return { chunks: [...list.chunks, added], lastLength: 1, size }
  }
  const { chunks, lastLength } = canGrow(list) ? list : copyLastChunk(list)
  const last = chunks[chunks.length - 1] as Chunk<Key, Value>
  last.keys.push(key)
  last.values.push(value)
  return { chunks, lastLength: lastLength + 1, size }
}

/**
 * Whether an entry may go into the last chunk itself. Not if it is a scenario's, nor if another
 * list has added to it, such as that of a state which a rewind left.
 */
function canGrow({ chunks, lastLength }: Sorted<Keys, unknown>): boolean {
  const last = chunks[chunks.length - 1] as Chunk<Keys, unknown>
  return last.keys.length === lastLength && !last.isSealed
}

function copyLastChunk<Key extends Keys, Value>(list: Sorted<Key, Value>): Sorted<Key, Value> {
  const last = list.chunks[list.chunks.length - 1] as Chunk<Key, Value>
  return { ...list, chunks: list.chunks.with(-1, cutChunk(last, 0, list.lastLength)) }
}

/** The list with this value for the key, or without the key, in a copy of its chunk. */
function changeChunk<Key extends Keys, Value>(
  list: Sorted<Key, Value>,
  key: Key,
  value: Value | undefined,
): Sorted<Key, Value> {
  const index = findChunk(list, key)
  const isLast = index === list.chunks.length - 1
  const oldLength = lengthOf(list, index)
  const chunk = cutChunk(list.chunks[index] as Chunk<Key, Value>, 0, oldLength)
  edit(chunk, key, value)
  const { length } = chunk.keys
  // An empty last chunk stays: the one before it is in the middle of another list, where nothing
  // may be added to it.
  const isGone = length === 0 && !isLast
  const parts = isGone ? [] : splitChunk(chunk)
  const chunks = list.chunks.toSpliced(index, 1, ...parts)
  const last = chunks[chunks.length - 1] as Chunk<Key, Value>
  return {
    chunks,
    lastLength: isLast ? last.keys.length : list.lastLength,
    size: list.size + length - oldLength,
  }
}

function edit<Key extends Keys, Value>(
  { keys, values }: Chunk<Key, Value>,
  key: Key,
  value: Value | undefined,
): void {
  const place = findPlace(keys, keys.length, key)
  const isThere = keys[place] === key
  if (value === undefined) {
    keys.splice(place, 1)
    values.splice(place, 1)
  } else if (isThere) {
    values[place] = value
  } else {
    keys.splice(place, 0, key)
    values.splice(place, 0, value)
  }
}

function splitChunk<Key, Value>(chunk: Chunk<Key, Value>): Chunk<Key, Value>[] {
  const { length } = chunk.keys
  if (length <= CHUNK_SIZE) return [chunk]
  const half = Math.floor(length / 2)
  return [cutChunk(chunk, 0, half), cutChunk(chunk, half, length)]
}

function cutChunk<Key, Value>(
  chunk: Chunk<Key, Value>,
  from: number,
  to: number,
): Chunk<Key, Value> {
  return {
    keys: chunk.keys.slice(from, to),
    values: chunk.values.slice(from, to),
    isSealed: false,
  }
}

export function sliceList<Value>(
  list: Sorted<never, Value> | Sorted<Keys, Value>,
  from = 0,
  to = list.size,
): Value[] {
  const found: Value[] = []
  let start = 0
  for (let index = 0; index < list.chunks.length && start < to; index++) {
    const { values } = list.chunks[index] as Chunk<unknown, Value>
    const length = lengthOf(list, index)
    const end = Math.min(to - start, length)
    for (let place = Math.max(from - start, 0); place < end; place++)
      found.push(values[place] as Value)
    start += length
  }
  return found
}

export function entriesOf<Key extends Keys, Value>(list: Sorted<Key, Value>): [Key, Value][] {
  return [...collectOthers(list, emptyList<Key, Value>(), 0)]
}

/**
 * What differs, in the order of the keys. Chunks that both lists have are skipped; what was added
 * to the same last chunk is known by its length.
 */
export function compareLists<Key extends Keys, Value>(
  one: Sorted<Key, Value>,
  other: Sorted<Key, Value>,
): Differing<Key, Value>[] {
  if (one === other) return []
  if (one.chunks === other.chunks) return compareLengths(one, other)
  const start = countShared(one, other)
  const before = collectOthers(one, other, start)
  const after = collectOthers(other, one, start)
  const found: Differing<Key, Value>[] = []
  for (const [key, value] of before) {
    const now = after.get(key)
    if (now !== value) found.push({ key, before: value, after: now })
  }
  for (const [key, value] of after) {
    if (!before.has(key)) found.push({ key, before: undefined, after: value })
  }
  return found.sort((left, right) => (left.key < right.key ? -1 : 1))
}

/** Of two lists with the same chunks, one has more entries of the last chunk. */
function compareLengths<Key extends Keys, Value>(
  one: Sorted<Key, Value>,
  other: Sorted<Key, Value>,
): Differing<Key, Value>[] {
  const found: Differing<Key, Value>[] = []
  const { keys, values } = one.chunks[one.chunks.length - 1] as Chunk<Key, Value>
  const isRemoval = one.lastLength > other.lastLength
  const shorter = Math.min(one.lastLength, other.lastLength)
  const longer = Math.max(one.lastLength, other.lastLength)
  for (let place = shorter; place < longer; place++) {
    const key = keys[place] as Key
    const value = values[place] as Value
    if (isRemoval) found.push({ key, before: value, after: undefined })
    else found.push({ key, before: undefined, after: value })
  }
  return found
}

/** How many chunks both lists begin with. */
function countShared(one: Sorted<Keys, unknown>, other: Sorted<Keys, unknown>): number {
  let index = 0
  while (index < one.chunks.length && one.chunks[index] === other.chunks[index]) index++
  // A last chunk may have entries of one list alone.
  return Math.max(index - 1, 0)
}

/** The entries in chunks that the other list does not have, from a chunk on. */
function collectOthers<Key extends Keys, Value>(
  list: Sorted<Key, Value>,
  other: Sorted<Key, Value>,
  start: number,
): Map<Key, Value> {
  const shared = new Map<unknown, number>()
  for (let index = start; index < other.chunks.length; index++) {
    shared.set(other.chunks[index], lengthOf(other, index))
  }
  const found = new Map<Key, Value>()
  for (let index = start; index < list.chunks.length; index++) {
    const chunk = list.chunks[index] as Chunk<Key, Value>
    const length = lengthOf(list, index)
    if (shared.get(chunk) === length) continue
    for (let place = 0; place < length; place++)
      found.set(chunk.keys[place] as Key, chunk.values[place] as Value)
  }
  return found
}

/** How many entries of a chunk belong to the list. */
function lengthOf(list: Sorted<never, unknown> | Sorted<Keys, unknown>, index: number): number {
  const isLast = index === list.chunks.length - 1
  return isLast ? list.lastLength : (list.chunks[index]?.keys.length ?? 0)
}

/** The last chunk that begins at the key or before it, or else the first. */
function findChunk<Key extends Keys, Value>(list: Sorted<Key, Value>, key: Key): number {
  const { chunks } = list
  let low = 0
  let high = chunks.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    const start = chunks[middle]?.keys[0]
    if (start !== undefined && start <= key) low = middle
    else high = middle - 1
  }
  return low
}

/** Where the key is among the first `length` keys, or would be put. */
function findPlace<Key extends Keys>(keys: readonly Key[], length: number, key: Key): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    const there = keys[middle] as Key
    if (there < key) low = middle + 1
    else high = middle
  }
  return low
}
