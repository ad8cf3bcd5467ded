// An animal as a value and as its JSON text; which fields it has is up to the contract.
import { contract, type Int64, type NewPet, type Pet } from './generated/contract.ts'
import { parseJson, toJson } from './int64-json.ts'
import type { Schema } from './schema.ts'

const schemas = contract.schemas
export const petSchema: Schema = schemas.Pet
/** An animal that may lack an id. */
export const addedPetSchema: Schema = {
  ...petSchema,
  required: schemas.NewPet.required,
  additionalProperties: false,
}
/** What the assumption `default-status` calls an animal without a status. */
export const ABSENT = 'absent'
export const STATUSES_OR_ABSENT = [...schemas.PetStatus.enum, ABSENT] as const
/** The fields of an animal, each with its beginning in JSON. */
const FIELDS = /* @__PURE__ */ listFields()

function listFields(): readonly { readonly name: string; readonly key: string }[] {
  const names = Object.keys(schemas.Pet.properties)
  return names.map((name) => ({ name, key: `"${name}":` }))
}

export const toPetText = (pet: Pet): string => printPet(pet.id, pet)

/**
 * Made when the animal is stored, and sent in every response: the fields of the contract that are
 * not undefined.
 */
export function printPet(id: Int64, pet: NewPet): string {
  const fields = pet as unknown as Record<string, unknown>
  const parts: string[] = []
  for (const { name, key } of FIELDS) {
    const value = name === 'id' ? id : fields[name]
    if (value !== undefined) parts.push(key + toJson(value))
  }
  // The braces go in before the join, which makes one flat string; adding to that would keep the
  // pieces alive.
  parts[0] = `{${parts[0] ?? ''}`
  parts[parts.length - 1] += '}'
  return parts.join(',')
}

export const parsePetText = (text: string): Pet => parseJson(text) as unknown as Pet
