// The ids of a scenario's animals: those that are given, and those that the others get.
import type { Int64 } from '../contract/generated/contract.ts'
import { idAfter, isInt64, normalizeInt64 } from '../contract/int64-json.ts'
import type { Problem } from '../contract/problem.ts'
import { isPlainObject } from '../contract/values.ts'

export function lacksId(pet: unknown): boolean {
  return isPlainObject(pet) && pet.id === undefined
}

/**
 * The ids that animals have, or get: the lowest from 1 on that is free. Undefined where the id is
 * not valid.
 */
export function listIds(pets: readonly unknown[]): (Int64 | undefined)[] {
  const given = pets.map(readId)
  if (!pets.some(lacksId)) return given
  const taken = new Set(given)
  let last = 0

  function nextFree(): Int64 {
    last++
    while (taken.has(last)) last++
    return last
  }

  return pets.map((pet, index) => (lacksId(pet) ? nextFree() : given[index]))
}

function readId(pet: unknown): Int64 | undefined {
  if (!isPlainObject(pet) || !isInt64(pet.id)) return undefined
  return normalizeInt64(pet.id)
}

/** Generated animals come after those that the document spells out, which have these ids. */
export function firstGeneratedId(ids: readonly (Int64 | undefined)[]): Int64 {
  return idAfter(findHighest(ids))
}

function findHighest(ids: readonly (Int64 | undefined)[]): Int64 | undefined {
  let highest: Int64 | undefined
  for (const id of ids) {
    if (id === undefined) continue
    if (highest === undefined || id > highest) highest = id
  }
  return highest
}

/** There must be room for the generated animals, and `nextId` must be above all ids. */
export function findIdProblems(
  nextId: unknown,
  count: unknown,
  ids: readonly (Int64 | undefined)[],
): Problem[] {
  const last = findLast(ids, Number.isInteger(count) ? Number(count) : 0)
  if (last === undefined) return []
  if (!isInt64(last)) {
    const text = `too many: the last id would be ${last}, beyond 64 bits`
    return [{ kind: 'text', path: 'generate.count', text }]
  }
  if (!isInt64(nextId) || nextId > last) return []
  const expected = `an id above all others (the last is ${last})`
  return [{ kind: 'mismatch', path: 'nextId', expected, got: String(nextId) }]
}

function findLast(ids: readonly (Int64 | undefined)[], generated: number): Int64 | undefined {
  if (generated <= 0) return findHighest(ids)
  return BigInt(firstGeneratedId(ids)) + BigInt(generated) - 1n
}
