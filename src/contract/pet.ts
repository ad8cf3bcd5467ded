// An animal as a value and as its JSON text; which fields it has is up to the contract.
import { contract, type NewPet, type Pet } from '../generated/contract.ts'
import { type Json, parseJson, toJson } from './int64-json.ts'
import type { Schema } from './schema.ts'

export const petSchema: Schema = contract.schemas.Pet
export const newPetSchema: Schema = contract.schemas.NewPet
const FIELDS = Object.keys(contract.schemas.Pet.properties).map((name) => ({ name, key: `${JSON.stringify(name)}:` }))
const NEW_PET_FIELDS = Object.keys(contract.schemas.NewPet.properties)

/** The fields of the contract that the value has, and no others. */
export function toNewPet(value: Readonly<Record<string, unknown>>): NewPet {
  const pet: Record<string, unknown> = {}
  for (const name of NEW_PET_FIELDS) if (Object.hasOwn(value, name)) pet[name] = value[name]
  return pet as NewPet
}

/** The names of the value's fields that the contract does not have. */
export function findUnknownFields(value: Readonly<Record<string, unknown>>): string[] {
  const unknown: string[] = []
  for (const name in value) if (!NEW_PET_FIELDS.includes(name)) unknown.push(name)
  return unknown
}

/** The animal's JSON text: made once when it is stored, and sent as it is in every response. */
export function toPetText(pet: Pet): string {
  const fields = pet as unknown as Record<string, unknown>
  const parts: string[] = []
  for (const { name, key } of FIELDS) {
    const value = fields[name]
    if (value !== undefined) parts.push(key + toJson(value))
  }
  // The braces go in before the join, since its result is one flat string: adding to that would keep the pieces alive.
  parts[0] = `{${parts[0] ?? ''}`
  parts[parts.length - 1] += '}'
  return parts.join(',')
}

export function parsePetText(text: string): Pet {
  return parseJson(text) as Record<string, Json> as unknown as Pet
}
