// A sorted list as a value, in chunks: a change makes the next list and shares the chunks that it leaves alone. Adding behind the last
// entry, as the service does, writes into the last chunk, which older lists share and do not look at beyond their own end.
import type { Int64 } from '../generated/contract.ts'

interface Chunk<Key, Value> {
  readonly keys: Key[]
  readonly values: Value[]
  /** Belongs to a scenario: nothing is added to it, or every mock that starts from it would keep the entries of the others alive. */
  readonly isSealed: boolean
}

type Keys = Int64 | string

/** Keys are normalised, so that `===` compares them: an int64 is a bigint only beyond 2^53. */
export interface Sorted<Key extends Keys, Value> {
  /** Never changed. */
  readonly full: readonly Chunk<Key, Value>[]
  readonly tail: Chunk<Key, Value>
  readonly tailSize: number
  readonly size: number
}

export interface Differing<Key, Value> {
  readonly key: Key
  readonly before: Value | undefined
  readonly after: Value | undefined
}

export const CHUNK_SIZE = 512

const NOTHING = { keys: [], values: [], isSealed: true }
export const EMPTY_LIST: Sorted<never, never> = { full: [], tail: NOTHING, tailSize: 0, size: 0 }

export function emptyList<Key extends Keys, Value>(): Sorted<Key, Value> {
  return EMPTY_LIST as unknown as Sorted<Key, Value>
}

export function findIn<Key extends Keys, Value>(list: Sorted<Key, Value>, key: Key): Value | undefined {
  const index = findChunk(list, key)
  const { keys, values } = list.full[index] ?? list.tail
  const length = index < list.full.length ? keys.length : list.tailSize
  const place = findPlace(keys, length, key)
  return place < length && keys[place] === key ? values[place] : undefined
}

export function putIn<Key extends Keys, Value>(list: Sorted<Key, Value>, key: Key, value: Value): Sorted<Key, Value> {
  const last = lastKey(list)
  if (last === undefined || last < key) return append(list, key, value)
  return changeChunk(list, key, (keys, values, place) => {
    const isThere = keys[place] === key
    keys.splice(place, isThere ? 1 : 0, key)
    values.splice(place, isThere ? 1 : 0, value)
  })
}

export function removeFrom<Key extends Keys, Value>(list: Sorted<Key, Value>, key: Key): Sorted<Key, Value> {
  if (findIn(list, key) === undefined) return list
  return changeChunk(list, key, (keys, values, place) => {
    keys.splice(place, 1)
    values.splice(place, 1)
  })
}

export function buildList<Key extends Keys, Value>(keys: readonly Key[], values: readonly Value[]): Sorted<Key, Value> {
  const chunks: Chunk<Key, Value>[] = []
  for (let from = 0; from < keys.length; from += CHUNK_SIZE) {
    const to = from + CHUNK_SIZE
    chunks.push({ keys: keys.slice(from, to), values: values.slice(from, to), isSealed: true })
  }
  const tail = chunks.pop() ?? NOTHING
  return { full: chunks, tail, tailSize: tail.keys.length, size: keys.length }
}

/** The list without entries of a later one in its last chunk, which it would keep in memory. */
export function trimList<Key extends Keys, Value>(list: Sorted<Key, Value>): Sorted<Key, Value> {
  const { tail, tailSize } = list
  return tail.keys.length === tailSize ? list : { ...list, tail: cutChunk(tail, 0, tailSize) }
}

export function lastKey<Key extends Keys, Value>({ full, tail, tailSize }: Sorted<Key, Value>): Key | undefined {
  return tailSize > 0 ? tail.keys[tailSize - 1] : full.at(-1)?.keys.at(-1)
}

export function sliceList<Value>(list: Sorted<never, Value> | Sorted<Keys, Value>, from = 0, to = list.size): Value[] {
  const { full, tail, tailSize } = list
  const found: Value[] = []
  let start = 0
  for (let index = 0; index <= full.length && start < to; index++) {
    const { values } = full[index] ?? tail
    const length = index < full.length ? values.length : tailSize
    const end = Math.min(to - start, length)
    for (let at = Math.max(from - start, 0); at < end; at++) found.push(values[at] as Value)
    start += length
  }
  return found
}

export function entriesOf<Key extends Keys, Value>({ full, tail, tailSize }: Sorted<Key, Value>): [Key, Value][] {
  const chunks = [...full, cutChunk(tail, 0, tailSize)]
  return chunks.flatMap(({ keys, values }) => keys.map((key, at): [Key, Value] => [key, values[at] as Value]))
}

/** What differs. Chunks that both have are skipped, and what was added to the same last chunk is known by its size. */
export function compareLists<Key extends Keys, Value>(one: Sorted<Key, Value>, other: Sorted<Key, Value>): Differing<Key, Value>[] {
  if (one === other) return []
  if (one.full === other.full && one.tail === other.tail) return compareTails(one, other)
  const known = new Set(one.full)
  const shared = new Set(other.full.filter((chunk) => known.has(chunk)))
  const before = collectOthers(one, shared)
  const after = collectOthers(other, shared)
  const found: Differing<Key, Value>[] = []
  for (const [key, value] of before) {
    const now = after.get(key)
    if (now !== value) found.push({ key, before: value, after: now })
  }
  for (const [key, value] of after) if (!before.has(key)) found.push({ key, before: undefined, after: value })
  return found.sort((left, right) => (left.key < right.key ? -1 : 1))
}

function compareTails<Key extends Keys, Value>(one: Sorted<Key, Value>, other: Sorted<Key, Value>): Differing<Key, Value>[] {
  const found: Differing<Key, Value>[] = []
  const { keys, values } = one.tail
  for (let at = Math.min(one.tailSize, other.tailSize); at < Math.max(one.tailSize, other.tailSize); at++) {
    const [key, value] = [keys[at] as Key, values[at]]
    found.push(at < one.tailSize ? { key, before: value, after: undefined } : { key, before: undefined, after: value })
  }
  return found
}

function collectOthers<Key extends Keys, Value>(
  { full, tail, tailSize }: Sorted<Key, Value>,
  shared: ReadonlySet<Chunk<Key, Value>>,
): Map<Key, Value> {
  const found = new Map<Key, Value>()
  const collect = ({ keys, values }: Chunk<Key, Value>, length: number) => {
    for (let at = 0; at < length; at++) found.set(keys[at] as Key, values[at] as Value)
  }
  for (const chunk of full) if (!shared.has(chunk)) collect(chunk, chunk.keys.length)
  collect(tail, tailSize)
  return found
}

function append<Key extends Keys, Value>(list: Sorted<Key, Value>, key: Key, value: Value): Sorted<Key, Value> {
  const { full, tail, tailSize, size } = list
  if (tailSize === CHUNK_SIZE) {
    return { full: [...full, tail], tail: { keys: [key], values: [value], isSealed: false }, tailSize: 1, size: size + 1 }
  }
  // A state we rewound from may already have appended.
  const own = tail.keys.length === tailSize && !tail.isSealed ? tail : cutChunk(tail, 0, tailSize)
  own.keys.push(key)
  own.values.push(value)
  return { full, tail: own, tailSize: tailSize + 1, size: size + 1 }
}

function changeChunk<Key extends Keys, Value>(
  list: Sorted<Key, Value>,
  key: Key,
  change: (keys: Key[], values: Value[], place: number) => void,
): Sorted<Key, Value> {
  const { full, tail, tailSize, size } = list
  const index = findChunk(list, key)
  const isTail = index === full.length
  const before = full[index] ?? tail
  const oldLength = isTail ? tailSize : before.keys.length
  const chunk = cutChunk(before, 0, oldLength)
  change(chunk.keys, chunk.values, findPlace(chunk.keys, oldLength, key))
  const { length } = chunk.keys
  const half = length >> 1
  const parts = length <= CHUNK_SIZE ? [chunk] : [cutChunk(chunk, 0, half), cutChunk(chunk, half, length)]
  const next = { size: size + length - oldLength }
  if (!isTail) return { ...next, full: full.toSpliced(index, 1, ...parts.filter(({ keys }) => keys.length > 0)), tail, tailSize }
  const newTail = parts.at(-1) as Chunk<Key, Value>
  return { ...next, full: [...full, ...parts.slice(0, -1)], tail: newTail, tailSize: newTail.keys.length }
}

function cutChunk<Key, Value>({ keys, values }: Chunk<Key, Value>, from: number, to: number): Chunk<Key, Value> {
  return { keys: keys.slice(from, to), values: values.slice(from, to), isSealed: false }
}

/** The chunk in which a key is, or would be: an index of `full`, or its length for the tail. */
function findChunk<Key extends Keys, Value>({ full, tail, tailSize }: Sorted<Key, Value>, key: Key): number {
  const [first] = tail.keys
  if (full.length === 0 || (tailSize > 0 && first !== undefined && first <= key)) return full.length
  let low = 0
  let high = full.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    const start = full[middle]?.keys[0]
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
