// The control methods for the animals of a state.
import { UsageError } from '../contract/errors.ts'
import { normalizeInt64 } from '../contract/int64-json.ts'
import { parsePetText } from '../contract/pet.ts'
import type { Int64, NewPet, Pet } from '../generated/contract.ts'
import { findPet } from '../world/catalogue.ts'
import { addPet, type State, setPet, setPetText } from '../world/state.ts'
import { browsePets } from './browse-pets.ts'
import type { AddedPet, PetChanges, PetFilter } from './results.ts'
import type { Changed, View } from './view.ts'

interface WithId {
  readonly id: Int64
}

function find({ catalogue }: State, id: Int64): Pet | undefined {
  const text = findPet(catalogue, normalizeInt64(id))
  return text === undefined ? undefined : parsePetText(text)
}

function add({ state }: View, { id, ...fields }: AddedPet): Changed {
  if (id === undefined) {
    const added = addPet(state, fields)
    return { state: added.state, result: parsePetText(added.body) }
  }
  if (find(state, id)) throw new UsageError(`id: ${id} is already in use`)
  return put(state, { id, ...fields })
}

function put(state: State, pet: Pet): Changed {
  const next = setPet(state, pet)
  return { state: next, result: find(next, pet.id) }
}

/** As RFC 7396 merges, one level deep: null removes a field that may be absent. */
function update({ state }: View, { id, ...changes }: WithId & PetChanges): Changed {
  const before = find(state, id)
  if (!before) throw new UsageError(`Animal ${id} not found`, 404)
  const fields = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null)
  return put(state, { ...(Object.fromEntries(fields) as NewPet), id })
}

export const petMethods = {
  'pets.list': ({ state }: View, filter: PetFilter) => browsePets(state, filter),
  'pets.get': ({ state }: View, { id }: WithId) => find(state, id),
  'pets.add': add,
  'pets.update': update,
  'pets.remove': ({ state }: View, { id }: WithId): Changed => {
    const isThere = find(state, id) !== undefined
    return { state: isThere ? setPetText(state, normalizeInt64(id), undefined) : state, result: isThere }
  },
}
