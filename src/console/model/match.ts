// The longest common subsequence of two lists of texts: what stayed, in its order.

export type Match = readonly [index: number, otherIndex: number]

/** Longer lists would take too long; beyond it only the common beginning and end match. */
const MAX_CELLS = 4_000_000

export function findMatches(one: readonly string[], other: readonly string[]): Match[] {
  const start = countCommon(one, other, (index) => index)
  const most = Math.min(one.length, other.length) - start
  const end = Math.min(
    most,
    countCommon(one, other, (index) => -1 - index),
  )
  const matches: Match[] = []
  for (let index = 0; index < start; index++) matches.push([index, index])
  const middle = one.slice(start, one.length - end)
  const otherMiddle = other.slice(start, other.length - end)
  for (const [index, otherIndex] of matchMiddle(middle, otherMiddle))
    matches.push([start + index, start + otherIndex])
  for (let index = end; index > 0; index--) matches.push([one.length - index, other.length - index])
  return matches
}

/** How many texts are equal from one side. */
function countCommon(
  one: readonly string[],
  other: readonly string[],
  placeOf: (index: number) => number,
): number {
  const shorter = Math.min(one.length, other.length)
  let common = 0
  while (common < shorter && one.at(placeOf(common)) === other.at(placeOf(common))) common++
  return common
}

function matchMiddle(one: readonly string[], other: readonly string[]): Match[] {
  if (one.length * other.length > MAX_CELLS) return []
  const lengths = measure(one, other)
  const lengthAt = (index: number, otherIndex: number) => lengths[index]?.[otherIndex] ?? 0
  const matches: Match[] = []
  let index = 0
  let otherIndex = 0
  while (index < one.length && otherIndex < other.length) {
    if (one[index] === other[otherIndex]) {
      matches.push([index, otherIndex])
      index++
      otherIndex++
    } else if (lengthAt(index + 1, otherIndex) >= lengthAt(index, otherIndex + 1)) index++
    else otherIndex++
  }
  return matches
}

/** For each pair of places, how many texts from there on match. */
function measure(one: readonly string[], other: readonly string[]): Uint32Array[] {
  let after = new Uint32Array(other.length + 1)
  const lengths = [after]
  for (const text of one.toReversed()) {
    const lengthsHere = new Uint32Array(other.length + 1)
    for (let index = other.length - 1; index >= 0; index--) {
      const withMatch = (after[index + 1] ?? 0) + 1
      const without = Math.max(after[index] ?? 0, lengthsHere[index + 1] ?? 0)
      lengthsHere[index] = text === other[index] ? withMatch : without
    }
    lengths.push(lengthsHere)
    after = lengthsHere
  }
  return lengths.reverse()
}
