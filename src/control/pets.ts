// Changes and lists the animals of one state, with the checks of every argument.
import { UsageError } from '../contract/errors.ts'
import { normalizeInt64 } from '../contract/int64-json.ts'
import { newPetSchema, parsePetText, petSchema } from '../contract/pet.ts'
import { checkValue, type Schema } from '../contract/schema.ts'
import { contract, type Int64, type NewPet, type Pet } from '../generated/contract.ts'
import { MAX_LISTED_PETS } from '../limits.ts'
import { FullError } from '../world/catalogue.ts'
import type { World } from '../world/world.ts'
import { browsePets } from './browse-pets.ts'
import type { PetChanges, PetFilter, StateControl } from './control.ts'

const COLUMNS = Object.keys(contract.schemas.Pet.properties)
export const petFilterFields: Record<keyof PetFilter, Schema> = {
  status: { enum: [...contract.schemas.PetStatus.enum, 'absent'] },
  search: { type: 'string' },
  changed: { type: 'boolean' },
  sort: { enum: COLUMNS.flatMap((column) => [column, `-${column}`]) },
  offset: { type: 'integer', minimum: 0 },
  limit: { type: 'integer', minimum: 0, maximum: MAX_LISTED_PETS },
}
const filterSchema: Schema = { type: 'object', additionalProperties: false, properties: petFilterFields }
const idSchema: Schema = { type: 'integer', format: 'int64' }
export const addedPetFields = petSchema.properties ?? {}
export const changedPetFields = newPetSchema.properties ?? {}
const addedSchema: Schema = { ...newPetSchema, properties: addedPetFields, additionalProperties: false }
const changedSchema: Schema = { ...newPetSchema, additionalProperties: false }

interface PetsSettings {
  /** The state, for reading only. */
  seen(): World
  change<T>(run: (world: World) => T): T
}

export function createPetsControl({ seen, change }: PetsSettings): StateControl['pets'] {
  const find = (id: Int64): Pet | undefined => {
    const text = seen().catalogue.find(String(id))
    return text === undefined ? undefined : parsePetText(text)
  }
  const put = (run: (world: World) => string): Pet => change((world) => parsePetText(orTooMuch(world, run)))

  return {
    add(given) {
      const { id, ...pet } = checkValue(addedSchema, given, 'pet')
      if (id === undefined) return put((world) => world.store(pet))
      if (find(id)) throw new UsageError(`pet.id: ${id} is already in use`)
      return put((world) => world.put({ id: normalizeInt64(BigInt(id)), ...pet }))
    },
    update(id, changes) {
      checkValue(idSchema, id, 'id')
      checkValue({ type: 'object' }, changes, 'changes')
      const before = find(id)
      if (!before) throw new UsageError(`Animal ${id} not found`, 404)
      const { id: own, ...fields } = before
      const pet = parsePet(merge(fields, changes))
      return put((world) => world.put({ id: own, ...pet }))
    },
    remove(id) {
      checkValue(idSchema, id, 'id')
      return find(id) !== undefined && change(({ catalogue }) => catalogue.remove(String(id)))
    },
    get: (id) => find(checkValue(idSchema, id, 'id')),
    list: (filter = {}) => browsePets(seen().catalogue, checkValue(filterSchema, filter, 'filter')),
  }
}

function parsePet(value: Record<string, unknown>): NewPet {
  checkValue(changedSchema, value, 'changes')
  return value as unknown as NewPet
}

/** As RFC 7396 merges, one level deep: null removes a field that may be absent. */
function merge(fields: NewPet, changes: PetChanges): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...fields }
  for (const [name, value] of Object.entries(changes)) {
    if (value === null && !newPetSchema.required?.includes(name) && Object.hasOwn(newPetSchema.properties ?? {}, name)) delete merged[name]
    else if (value !== undefined) merged[name] = value
  }
  return merged
}

/** That the world is full is the service's answer to a client; to a tester it is a UsageError. */
function orTooMuch(world: World, run: (world: World) => string): string {
  try {
    return run(world)
  } catch (error) {
    throw error instanceof FullError ? new UsageError(error.message, 507) : error
  }
}
