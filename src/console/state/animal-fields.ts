// The fields of an animal as a form has them, as text, and back. What the mock would refuse is passed on: its message says why.
import { type Json, parseInt64 } from '../../contract/int64-json.ts'
import type { Pet } from '../../generated/contract.ts'
import type { InterfaceField } from './read-interface.ts'

export type FieldTexts = Readonly<Record<string, string>>
type Values = Readonly<Record<string, Json>>

export function toFieldTexts(pet: Partial<Pet>, fields: readonly InterfaceField[]): FieldTexts {
  const values = pet as Values
  return Object.fromEntries(fields.map(({ name }) => [name, values[name] === undefined ? '' : String(values[name])]))
}

/** A new animal; an optional field that is empty is left out. */
export function toNewAnimal(texts: FieldTexts, fields: readonly InterfaceField[]): Values {
  const given = fields.filter(({ name, isRequired }) => isRequired || texts[name] !== '')
  return Object.fromEntries(given.map((field) => [field.name, toValue(field, texts[field.name] ?? '')]))
}

/** What differs; an optional field that was emptied is null, which removes it. */
export function toAnimalChanges(before: FieldTexts, after: FieldTexts, fields: readonly InterfaceField[]): Values {
  const changed = fields.filter(({ name }) => after[name] !== before[name])
  return Object.fromEntries(
    changed.map((field) => [field.name, !field.isRequired && after[field.name] === '' ? null : toValue(field, after[field.name] ?? '')]),
  )
}

function toValue({ type }: InterfaceField, text: string): Json {
  if (/^(?:int|number)/.test(type)) return parseInt64(text.trim()) ?? toNumber(text)
  return type === 'boolean' ? text === 'true' : text
}

function toNumber(text: string): Json {
  const number = Number(text)
  return text.trim() === '' || !Number.isFinite(number) ? text : number
}
