// What a tester writes, why each kind is legal, and the decision for each kind and place, which depends on the seed.
import type { Schema } from '../contract/schema.ts'
import { MAX_LIST_ITEMS } from '../limits.ts'
import { createRandom, hash, type Random } from '../random.ts'
import { petKinds, responseKinds } from './kinds.ts'

/** The name of a kind of surprise. */
export type SurpriseKind = 'big-ids' | keyof typeof petKinds | keyof typeof responseKinds

export const STATE_KINDS = ['big-ids', ...Object.keys(petKinds)] as readonly SurpriseKind[]
export const kindNames = [...STATE_KINDS, ...Object.keys(responseKinds)] as readonly SurpriseKind[]
/** Sets of kinds by name. A tolerant client may still need every animal, and time. */
const kindSets = { mild: kindNames.filter((kind) => kind !== 'short-page' && kind !== 'delay'), all: kindNames }

/** Responses within the spec, but unusual. */
export interface Surprise {
  /** The same seed gives the same surprises. */
  readonly seed: number
  /** Kinds, or the sets `mild` and `all`; `mild` by default, and `all` if `only` is given. */
  readonly kinds?: readonly (SurpriseKind | 'mild' | 'all')[]
  /** Only these of the seed's surprises: `order@listPets#3`, or a beginning such as `order@listPets` or `order`. */
  readonly only?: readonly string[]
  /** In a snapshot: how often each target was called, such as `listPets?limit=5`. */
  readonly calls?: Readonly<Record<string, number>>
}

export const surpriseSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['seed'],
  properties: {
    seed: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    kinds: { type: 'array', maxItems: MAX_LIST_ITEMS, items: { enum: [...Object.keys(kindSets), ...kindNames] } },
    only: {
      type: 'array',
      maxItems: MAX_LIST_ITEMS,
      items: { type: 'string', pattern: `^(${kindNames.join('|')})(@[!-~]+)?$`, title: 'a surprise such as order@listPets#3' },
    },
    calls: { type: 'object', properties: {}, additionalProperties: { type: 'integer', minimum: 1 } },
  },
}

/** The random numbers of a surprise such as `order@listPets#3`; undefined if it is off. */
export function draw({ seed, only, kinds = [only ? 'all' : 'mild'] }: Surprise, label: string): Random | undefined {
  const [kind] = label.split('@', 1) as [SurpriseKind]
  if (only && !only.some((part) => label.startsWith(part) && /^[@?#]|^$/.test(label.slice(part.length)))) return undefined
  if (!kinds.flatMap((name) => (name === 'mild' || name === 'all' ? kindSets[name] : name)).includes(kind)) return undefined
  const bits = hash(`${seed} ${label}`)
  return bits % 2 === 0 ? undefined : createRandom(bits)
}

/** Why each kind is legal, by the spec, an assumption or an RFC, and what a client may therefore not rely on. */
export const reasons: Readonly<Record<SurpriseKind, Readonly<Record<'legal' | 'relied', string>>>> = {
  'big-ids': { legal: 'Pet.id is an int64', relied: 'ids below 2^53, which a JavaScript number can hold' },
  'absent-status': { legal: 'NewPet.status is optional', relied: 'a status' },
  'equal-names': { legal: 'only Pet.id is unique', relied: 'different names' },
  'odd-names': { legal: 'NewPet.name is any string', relied: 'short, plain names' },
  'short-page': { legal: 'limit is a maximum', relied: 'getting as many animals as requested' },
  order: { legal: 'assumption list-order', relied: 'the order of a list' },
  'extra-field': { legal: 'additional properties are allowed', relied: 'documented fields only' },
  'error-words': { legal: 'assumption error-codes', relied: 'the code or message of an error' },
  'json-spelling': { legal: 'RFC 8259', relied: 'the text of JSON: white space, escapes, order of keys' },
  'media-type': { legal: 'RFC 9110 §8.3.1', relied: 'the exact text of Content-Type' },
  delay: { legal: 'no response time is promised', relied: 'quick responses' },
}
