// A sorted list as a value, in chunks: a change makes the next list and shares the chunks that it
// leaves alone. Adding behind the last entry, as the service does, writes into the last chunk,
// which older lists read up to their own end.
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

const EMPTY: unknown = {
  chunks: [{ keys: [], values: [], isSealed: true }],
  lastLength: 0,
  size: 0,
}
export const emptyList = <Key extends Keys, Value>() => EMPTY as Sorted<Key, Value>

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

export function putIn<Key extends Keys, Value>(
  list: Sorted<Key, Value>,
  key: Key,
  value: Value,
): Sorted<Key, Value> {
  const last = lastKey(list)
  return last === undefined || last < key
    ? append(list, key, value)
    : changeChunk(list, key, [value])
}

export function removeFrom<Key extends Keys, Value>(
  list: Sorted<Key, Value>,
  key: Key,
): Sorted<Key, Value> {
  return findIn(list, key) === undefined ? list : changeChunk(list, key, [])
}

export function buildList<Key extends Keys, Value>(
  keys: readonly Key[],
  values: readonly Value[],
): Sorted<Key, Value> {
  const chunks: Chunk<Key, Value>[] = []
  for (let from = 0; from < keys.length; from += CHUNK_SIZE) {
    const to = from + CHUNK_SIZE
    chunks.push({ keys: keys.slice(from, to), values: values.slice(from, to), isSealed: true })
  }
  if (chunks.length === 0) return emptyList()
  return { chunks, lastLength: ((keys.length - 1) % CHUNK_SIZE) + 1, size: keys.length }
}

export function lastKey<Key extends Keys, Value>({
  chunks,
  lastLength,
}: Sorted<Key, Value>): Key | undefined {
  return lastLength > 0
    ? chunks[chunks.length - 1]?.keys[lastLength - 1]
    : chunks.at(-2)?.keys.at(-1)
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
    for (let at = Math.max(from - start, 0); at < end; at++) found.push(values[at] as Value)
    start += length
  }
  return found
}

export const entriesOf = <Key extends Keys, Value>(list: Sorted<Key, Value>) => [
  ...collectOthers(list, emptyList()),
]

/**
 * What differs. Chunks that both have are skipped; what was added to the same last chunk is known
 * by its length.
 */
export function compareLists<Key extends Keys, Value>(one: Sorted<Key, Value>, other: typeof one) {
  if (one === other) return []
  if (one.chunks === other.chunks) return compareLengths(one, other)
  const before = collectOthers(one, other)
  const after = collectOthers(other, one)
  const found: Differing<Key, Value>[] = []
  for (const [key, value] of before) {
    const now = after.get(key)
    if (now !== value) found.push({ key, before: value, after: now })
  }
  for (const [key, value] of after)
    if (!before.has(key)) found.push({ key, before: undefined, after: value })
  return found.sort((left, right) => (left.key < right.key ? -1 : 1))
}

function compareLengths<Key extends Keys, Value>(one: Sorted<Key, Value>, other: typeof one) {
  const found: Differing<Key, Value>[] = []
  const { keys, values } = one.chunks[one.chunks.length - 1] as Chunk<Key, Value>
  const longer = Math.max(one.lastLength, other.lastLength)
  for (let at = Math.min(one.lastLength, other.lastLength); at < longer; at++) {
    const [before, after] = at < one.lastLength ? [values[at], undefined] : [undefined, values[at]]
    found.push({ key: keys[at] as Key, before, after })
  }
  return found
}

/** The entries in chunks that the other list does not have. */
function collectOthers<Key extends Keys, Value>(
  list: Sorted<Key, Value>,
  other: Sorted<Key, Value>,
): Map<Key, Value> {
  const shared = new Map(other.chunks.map((chunk, index) => [chunk, lengthOf(other, index)]))
  const found = new Map<Key, Value>()
  for (const [index, chunk] of list.chunks.entries()) {
    const length = lengthOf(list, index)
    if (shared.get(chunk) === length) continue
    for (let at = 0; at < length; at++) found.set(chunk.keys[at] as Key, chunk.values[at] as Value)
  }
  return found
}

function append<Key extends Keys, Value>(
  { chunks, lastLength, size }: Sorted<Key, Value>,
  key: Key,
  value: Value,
) {
  if (lastLength === CHUNK_SIZE) {
    return {
      chunks: [...chunks, { keys: [key], values: [value], isSealed: false }],
      lastLength: 1,
      size: size + 1,
    }
  }
  const last = chunks[chunks.length - 1] as Chunk<Key, Value>
  // A state we rewound from may already have appended.
  const isOwn = last.keys.length === lastLength && !last.isSealed
  const own = isOwn ? last : cutChunk(last, 0, lastLength)
  own.keys.push(key)
  own.values.push(value)
  return {
    chunks: isOwn ? chunks : chunks.with(-1, own),
    lastLength: lastLength + 1,
    size: size + 1,
  }
}

/** With one value for the key, or without the key. */
function changeChunk<Key extends Keys, Value>(
  list: Sorted<Key, Value>,
  key: Key,
  values: readonly Value[],
) {
  const { chunks, lastLength, size } = list
  const index = findChunk(list, key)
  const isLast = index === chunks.length - 1
  const oldLength = lengthOf(list, index)
  const chunk = cutChunk(chunks[index] as Chunk<Key, Value>, 0, oldLength)
  const place = findPlace(chunk.keys, oldLength, key)
  const removed = chunk.keys[place] === key ? 1 : 0
  chunk.keys.splice(place, removed, ...values.map(() => key))
  chunk.values.splice(place, removed, ...values)
  const { length } = chunk.keys
  const half = length >> 1
  const parts =
    length <= CHUNK_SIZE ? [chunk] : [cutChunk(chunk, 0, half), cutChunk(chunk, half, length)]
  return {
    // An empty last chunk stays: the one before it is in the middle of another list, where nothing
    // may be added to it.
    chunks: chunks.toSpliced(index, 1, ...parts.filter(({ keys }) => isLast || keys.length > 0)),
    lastLength: isLast ? (parts.at(-1)?.keys.length ?? 0) : lastLength,
    size: size + length - oldLength,
  }
}

function cutChunk<Key, Value>(
  { keys, values }: Chunk<Key, Value>,
  from: number,
  to: number,
): Chunk<Key, Value> {
  return { keys: keys.slice(from, to), values: values.slice(from, to), isSealed: false }
}

function lengthOf(
  { chunks, lastLength }: Sorted<never, unknown> | Sorted<Keys, unknown>,
  index: number,
): number {
  return index === chunks.length - 1 ? lastLength : (chunks[index]?.keys.length ?? 0)
}

function findChunk<Key extends Keys, Value>({ chunks }: Sorted<Key, Value>, key: Key): number {
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
