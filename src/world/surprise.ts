// Responses within the spec, but unusual: the kinds of surprise, why each is legal, the setting,
// and what they do to an animal and a response. Seed, kind and place alone decide on one, so that
// omitting a kind does not change the others.

import type { OperationContract, Pet } from '../contract/generated/contract.ts'
import { type Json, parseJson, toJson } from '../contract/int64-json.ts'
import { MAX_LIST_ITEMS } from '../contract/limits.ts'
import type { OptionSchemas } from '../contract/options.ts'
import { createRandom, hash, type Random } from '../contract/random.ts'
import { mapOf, objectOf, type Schema } from '../contract/schema.ts'

type Draft = Readonly<{ value: Json; mediaType?: string; delay: number }>
type ChangePet = (pet: Pet, random: Random, before?: Pet) => Pet
type ChangeResponse = (draft: Draft, random: Random) => Partial<Draft> | undefined

/** `%` is the old name. */
const PLAIN_ODD_NAMES = [
  '',
  '  %  ',
  '% 🐈‍⬛',
  '\u202e%',
  "O'% & <b>sons</b>",
  '"%"\\n',
  '%\u0000',
  'Zoë % Ångström',
]
const NAMES = /* @__PURE__ */ PLAIN_ODD_NAMES.concat(
  /* @__PURE__ */ '%'.padEnd(361, ' of the Hill'),
)
const DELAYS_MS = [20, 50, 100, 300]
const MEDIA_TYPES = [
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/json;charset="UTF-8"',
]
const CODES = ['E1042', 'error.rejected', 'Refused', 'x']
const MESSAGES = ['Sorry, that did not work.', 'Request refused', 'Ein Fehler ist aufgetreten', '?']
const EXTRAS: readonly Json[] = ['2030-01-01', 0, true, [], { href: '/' }]

/** Applied to generated animals, in this order. */
const petKinds = {
  'absent-status': ({ status, ...pet }) => pet,
  'equal-names': (pet, _, before) => ({ ...pet, name: before?.name ?? pet.name }),
  'odd-names': (pet, random) => ({
    ...pet,
    name: random.pick(NAMES).replaceAll('%', () => pet.name),
  }),
} satisfies Record<string, ChangePet>

/** Applied to responses, in this order. */
const responseKinds = {
  'short-page': ({ value }, random) =>
    isLong(value)
      ? { value: value.slice(0, 1 + Math.floor(random.next() * (value.length - 1))) }
      : undefined,
  order: ({ value }, random) => (isLong(value) ? { value: reorder(value, random) } : undefined),
  'extra-field'({ value }, random) {
    const field = { [`x-${random.pick('abcdef'.split(''))}`]: random.pick(EXTRAS) }
    if (!Array.isArray(value)) return { value: { ...(value as object), ...field } }
    return value.length === 0
      ? undefined
      : { value: value.map((item) => ({ ...(item as object), ...field })) }
  },
  'error-words'({ value }, random) {
    if ((value as { code?: Json }).code === undefined) return undefined
    return {
      value: { ...(value as object), code: random.pick(CODES), message: random.pick(MESSAGES) },
    }
  },
  'media-type': (_, random) => ({ mediaType: random.pick(MEDIA_TYPES) }),
  delay: (_, random) => ({ delay: random.pick(DELAYS_MS) }),
} satisfies Record<string, ChangeResponse>

const isLong = (body: Json): body is Json[] => Array.isArray(body) && body.length > 1

function reorder(items: readonly Json[], random: Random): Json[] {
  const ranked = items
    .map((item) => ({ item, rank: random.next() }))
    .sort((one, other) => one.rank - other.rank)
  const [first, ...rest] = ranked.map(({ item }) => item) as [Json, ...Json[]]
  return first === items[0] ? [...rest, first] : [first, ...rest]
}

/** The name of a kind of surprise. */
export type SurpriseKind = 'big-ids' | keyof typeof petKinds | keyof typeof responseKinds

const RESPONSE_KINDS = /* @__PURE__ */ Object.keys(responseKinds) as readonly SurpriseKind[]
export const STATE_KINDS = /* @__PURE__ */ Object.keys({
  'big-ids': 0,
  ...petKinds,
}) as readonly SurpriseKind[]
export const kindNames = /* @__PURE__ */ STATE_KINDS.concat(RESPONSE_KINDS)
/** Leaves out what a tolerant client may still need: every animal, and time. */
const mild = /* @__PURE__ */ kindNames.filter((kind) => kind !== 'short-page' && kind !== 'delay')
const kindSets = { mild, all: kindNames }

/** Responses within the spec, but unusual. */
export interface Surprise {
  /** The same seed gives the same surprises. */
  readonly seed: number
  /** Kinds, or the sets `mild` and `all`; `mild` by default, and `all` if `only` is given. */
  readonly kinds?: readonly (SurpriseKind | 'mild' | 'all')[]
  /**
   * Only these of the seed's surprises: `order@listPets#3`, or a beginning such as `order@listPets`
   * or `order`.
   */
  readonly only?: readonly string[]
  /** In a snapshot: how often each target was called, such as `listPets?limit=5`. */
  readonly calls?: Readonly<Record<string, number>>
}

export const SEED: Schema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
export const surpriseSchema: Schema = /* @__PURE__ */ describeSurprise()

function describeSurprise(): Schema {
  const listOf = (items: Schema): Schema => ({ type: 'array', maxItems: MAX_LIST_ITEMS, items })
  const pattern = `^(${kindNames.join('|')})(@[!-~]+)?$`
  const { type, ...fields } = objectOf(['seed'], {
    seed: SEED,
    kinds: listOf({ enum: [...Object.keys(kindSets), ...kindNames] }),
    only: listOf({ type: 'string', pattern, title: 'a surprise such as order@listPets#3' }),
    calls: mapOf({ type: 'integer', minimum: 1 }),
  } satisfies OptionSchemas<Surprise>)
  return { ...fields, oneOf: [{ const: false }, { type: 'object' }] }
}

export const kindOf = (label: string) => label.split('@', 1)[0] as SurpriseKind

/** The random numbers of a surprise such as `order@listPets#3`; undefined if it is off. */
export function draw(
  { seed, only, kinds = [only ? 'all' : 'mild'] }: Surprise,
  label: string,
): Random | undefined {
  const isNamed = only?.some(
    (part) => label.startsWith(part) && /^[@?#]|^$/.test(label.slice(part.length)),
  )
  const wanted = kinds.flatMap((name) =>
    name === 'mild' || name === 'all' ? kindSets[name] : name,
  )
  if (isNamed === false || !wanted.includes(kindOf(label))) return undefined
  const bits = hash(`${seed} ${label}`)
  return bits % 2 === 0 ? undefined : createRandom(bits)
}

/**
 * Why the response is legal (by the spec, an assumption or an RFC), and what clients must not rely
 * on.
 */
export const reasons: Readonly<Record<SurpriseKind, Readonly<Record<'legal' | 'relied', string>>>> =
  {
    'big-ids': {
      legal: 'Pet.id is an int64',
      relied: 'ids below 2^53, which a JavaScript number can hold',
    },
    'absent-status': { legal: 'NewPet.status is optional', relied: 'a status' },
    'equal-names': { legal: 'only Pet.id is unique', relied: 'different names' },
    'odd-names': { legal: 'NewPet.name is any string', relied: 'short, plain names' },
    'short-page': { legal: 'limit is a maximum', relied: 'getting as many animals as requested' },
    order: { legal: 'assumption list-order', relied: 'the order of a list' },
    'extra-field': {
      legal: 'additional properties are allowed',
      relied: 'there being no other fields',
    },
    'error-words': { legal: 'assumption error-codes', relied: 'the code or message of an error' },
    'media-type': { legal: 'RFC 9110 §8.3.1', relied: 'the exact text of Content-Type' },
    delay: { legal: 'no response time is promised', relied: 'quick responses' },
  }

const SHARE = 0.4

export function surprisePet(given: Pet, before: Pet | undefined, surprise: Surprise): Pet {
  let pet = given
  for (const [kind, apply] of Object.entries<ChangePet>(petKinds)) {
    const random = createRandom(hash(`${surprise.seed} ${kind} ${pet.id}`))
    if (random.next() < SHARE && draw(surprise, kind)) pet = apply(pet, random, before)
  }
  return pet
}

export const SURPRISE_HEADER = 'X-Mock-Surprise'
/** The variable with the file in which `surprise find` looks for the surprises of a kit. */
export const SURPRISE_REPORT = 'ANIMAL_STORE_SURPRISE_REPORT'

export type Surprised = ReturnType<typeof surpriseResponse>

export const readSeed = (header = ''): string | undefined => /^seed=(\d+)/.exec(header)?.[1]

/** `place` is like `listPets#3`, and a label like `order@listPets#3`. */
export function surpriseResponse(setting: Surprise, place: string, given: string) {
  const usual = parseJson(given)
  const labels: string[] = []
  let draft: Draft = { value: usual, delay: 0 }
  for (const [kind, apply] of Object.entries<ChangeResponse>(responseKinds)) {
    const label = `${kind}@${place}`
    const random = draw(setting, label)
    const change = random && apply(draft, random)
    if (!change) continue
    labels.push(label)
    draft = { ...draft, ...change }
  }
  const { value, mediaType, delay } = draft
  const body = value === usual ? given : toJson(value)
  return { body, mediaType, delay, labels, header: [`seed=${setting.seed}`, ...labels].join(' ') }
}

type Sent = Readonly<{
  path: Readonly<Record<string, string>>
  query: ReadonlyMap<string, readonly string[]>
}>
/** `listPets?status=sold`. Undocumented parameters can be secret, or different in each run. */
export function nameTarget({ operationId, parameters }: OperationContract, sent?: Sent): string {
  const parts = (parameters as readonly { name: string; schema: Schema }[]).flatMap(
    ({ name, schema }) => {
      const text = sent?.path[name] ?? sent?.query.get(name)?.[0] ?? ''
      return /^-?\d{1,19}$/.test(text) || schema.enum?.includes(text) ? [`${name}=${text}`] : []
    },
  )
  return parts.length === 0 ? operationId : `${operationId}?${parts.join('&')}`
}
