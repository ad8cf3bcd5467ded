// When which animal was seen, and what the responses say about its beginning and its end.
import type { Int64, Pet } from '../contract/generated/contract.ts'
import { parseInt64 } from '../contract/int64-json.ts'
import type { Exchange } from './exchange.ts'
import { findTarget } from './flaws.ts'
import { readOrder } from './gather-clues.ts'
import { petsOf } from './normal-form.ts'

export type Sightings = ReturnType<typeof listSightings>

/** Of responses in the order in which they ended. */
export function listSightings(rows: readonly Exchange[]) {
  const last = new Map<Int64, number>()
  const births = new Map<Int64, number>()
  for (const [index, exchange] of rows.entries()) {
    const created = findCreated(exchange)
    if (created && !births.has(created.id)) births.set(created.id, index)
    for (const { id } of listShown(exchange)) last.set(id, index)
  }
  return {
    /** Otherwise a page may show any animals. */
    isSorted: rows.every((exchange) => readOrder(exchange)?.length !== 0),
    isSeenAfter: (id: Int64, index: number): boolean => (last.get(id) ?? -1) > index,
    birthOf(id: Int64) {
      const index = births.get(id)
      return index === undefined ? undefined : { index, exchange: rows[index] as Exchange }
    },
  }
}

export function findCreated(exchange: Exchange): Pet | undefined {
  const isCreated = findTarget(exchange).operation?.operationId === 'createPet'
  return isCreated ? petsOf(exchange)[0] : undefined
}

/** The animals that a reading response shows. */
export function listShown(exchange: Exchange): readonly Pet[] {
  if (exchange.method !== 'GET') return []
  const wanted = findWanted(exchange)
  const pets = petsOf(exchange)
  return wanted === undefined ? pets : pets.filter(({ id }) => id === wanted)
}

/** The id of a request for one animal. */
export function findWanted(exchange: Exchange): Int64 | undefined {
  const { petId } = findTarget(exchange).params
  return petId === undefined ? undefined : parseInt64(petId)
}
