// A world for each key, since keys may have animals of their own; under the order of lists that
// explains most.
import type { Task } from '../contract/turns.ts'
import type { Exchange, Key } from './exchange.ts'
import { type Followed, follow } from './follow.ts'
import { readOrder } from './gather-clues.ts'
import { type Choices, createModelState } from './model.ts'

/** That of most requests first. */
export function* followWorlds(
  exchanges: readonly Exchange[],
  validKeys: readonly number[] = listAcceptedKeys(exchanges),
): Task<Followed[]> {
  const first = createModelState(validKeys)
  let best: Followed[] = []
  let fewest = Number.POSITIVE_INFINITY
  for (const made of listOrders(exchanges)) {
    const worlds: Followed[] = []
    for (const own of groupByKey(exchanges, validKeys)) worlds.push(yield* follow(own, first, made))
    const left = countUnexplained(worlds)
    if (left < fewest) best = worlds
    fewest = Math.min(fewest, left)
  }
  return best
}

function listAcceptedKeys(exchanges: readonly Exchange[]): number[] {
  const keys = new Set<number>()
  for (const { key, answer } of exchanges) {
    if (typeof key === 'number' && answer.status !== 401) keys.add(key)
  }
  return [...keys]
}

/** What has no valid key goes with the most used one. */
function groupByKey(exchanges: readonly Exchange[], keys: readonly number[]): Exchange[][] {
  const groups = new Map<Key, Exchange[]>(keys.map((key) => [key, []]))
  const others: Exchange[] = []
  for (const exchange of exchanges) {
    const own = groups.get(exchange.key) ?? others
    own.push(exchange)
  }
  const [main = [], ...rest] = [...groups.values()].sort((one, other) => other.length - one.length)
  return [[...main, ...others], ...rest]
}

/** Lists show their order; if none has two animals, either is possible. */
function listOrders(exchanges: readonly Exchange[]): Choices[] {
  const counts = { 'oldest-first': 0, 'newest-first': 0 }
  for (const exchange of exchanges) {
    const order = readOrder(exchange)?.[0]?.['list-order']
    if (order !== undefined) counts[order]++
  }
  const oldest: Choices = { 'list-order': 'oldest-first' }
  const newest: Choices = { 'list-order': 'newest-first' }
  const difference = counts['oldest-first'] - counts['newest-first']
  if (difference > 0) return [oldest]
  return difference < 0 ? [newest] : [oldest, newest]
}

/** Of two orders that explain the same, the one with fewer changes by others. */
function countUnexplained(worlds: readonly Followed[]): number {
  let left = 0
  for (const { judged, changes } of worlds) {
    const odd = judged.filter(({ fits }) => fits.length === 0)
    left += odd.length + changes.length / (judged.length + changes.length + 1)
  }
  return left
}
