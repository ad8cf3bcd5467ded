// The animals that a response shows, in a form that can be compared even if it deviates from the
// spec: in an envelope, with ids as texts, with fields that are invalid and optional.
import { contract, type Pet } from '../contract/generated/contract.ts'
import { type Json, parseInt64 } from '../contract/int64-json.ts'
import { parsePetText, petSchema, toPetText } from '../contract/pet.ts'
import { findViolations, type Schema } from '../contract/schema.ts'
import { isObject, readOwn } from '../contract/values.ts'
import { ENVELOPE } from './clean-value.ts'
import type { Answer, Exchange } from './exchange.ts'

interface NormalForm {
  readonly pets: readonly Pet[]
  /** As the engine would print it; undefined if the response shows no animals. */
  readonly text: string | undefined
}

const fields: Readonly<Record<string, Schema>> = contract.schemas.Pet.properties
/** Every part of the judge asks for it. */
const known = new WeakMap<Answer, NormalForm>()

export function normalize({ answer }: Exchange): NormalForm {
  const found = known.get(answer) ?? createNormalForm(answer)
  known.set(answer, found)
  return found
}

/** The animals of a successful response: of a list, or a single one. */
export const petsOf = (exchange: Exchange): readonly Pet[] => normalize(exchange).pets

function createNormalForm({ status, json }: Answer): NormalForm {
  if (status >= 300) return { pets: [], text: undefined }
  const inside = unwrap(json)
  const isList = Array.isArray(inside)
  const items = isList ? inside : [inside]
  const texts: string[] = []
  for (const item of items) {
    const text = printLikePet(unwrap(item))
    if (text !== undefined) texts.push(text)
  }
  return { pets: texts.map(parsePetText), text: isList ? `[${texts.join(',')}]` : texts[0] }
}

function unwrap(json: Json | undefined): Json | undefined {
  const inside = readOwn(json, ENVELOPE) as Json | undefined
  return inside ?? json
}

/** Only the fields of the contract, which is all that the engine has. */
function printLikePet(item: Json | undefined): string | undefined {
  if (!isObject(item)) return undefined
  const read: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(fields)) {
    const value = item[name]
    const isText = schema.type === 'integer' && typeof value === 'string'
    const field = isText ? parseInt64(value) : value
    if (findViolations(schema, field).length === 0) read[name] = field
  }
  if (findViolations(petSchema, read).length > 0) return undefined
  return toPetText(read as unknown as Pet)
}
