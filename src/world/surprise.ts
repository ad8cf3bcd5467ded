// Surprises: responses within the spec, but unusual. This is the setting, the kinds, and the draw
// that decides whether a surprise happens. Seed, kind and place alone decide it, so omitting a kind
// does not change the others.
import { MAX_LIST_ITEMS } from '../contract/limits.ts'
import type { OptionSchemas } from '../contract/options.ts'
import { createRandom, hash, type Random } from '../contract/random.ts'
import { mapOf, objectOf, type Schema } from '../contract/schema.ts'

/** The kinds that change generated animals and ids when a scenario is loaded. */
export const STATE_KINDS = ['big-ids', 'absent-status', 'equal-names', 'odd-names'] as const
/** The kinds that change a response. */
const RESPONSE_KINDS = [
  'short-page',
  'order',
  'extra-field',
  'error-words',
  'media-type',
  'delay',
] as const

type StateKind = (typeof STATE_KINDS)[number]
export type PetKind = Exclude<StateKind, 'big-ids'>
export type ResponseKind = (typeof RESPONSE_KINDS)[number]

/** The name of a kind of surprise. */
export type SurpriseKind = StateKind | ResponseKind

export const kindNames: readonly SurpriseKind[] = /* @__PURE__ */ [
  STATE_KINDS,
  RESPONSE_KINDS,
].flat()

/** Leaves out what a tolerant client may still need: every animal, and time. */
const mild: readonly SurpriseKind[] = /* @__PURE__ */ kindNames.filter(
  (kind) => kind !== 'short-page' && kind !== 'delay',
)
const kindSets = { mild, all: kindNames }

/** Responses within the spec, but unusual. */
export interface Surprise {
  /** The same seed gives the same surprises. */
  readonly seed: number
  /** Kinds, or the sets `mild` and `all`; `mild` by default, and `all` if `only` is given. */
  readonly kinds?: readonly (SurpriseKind | 'mild' | 'all')[] | undefined
  /**
   * Only these of the seed's surprises: `order@listPets#3`, or a beginning such as `order@listPets`
   * or `order`.
   */
  readonly only?: readonly string[] | undefined
  /** In a snapshot: how often each target was called, such as `listPets?limit=5`. */
  readonly calls?: Readonly<Record<string, number>> | undefined
}

export const SEED: Schema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
export const surpriseSchema: Schema = /* @__PURE__ */ describeSurprise()

/** An object, or false for no surprises. */
function describeSurprise(): Schema {
  const listOf = (items: Schema): Schema => ({ type: 'array', maxItems: MAX_LIST_ITEMS, items })
  const label = `^(${kindNames.join('|')})(@[!-~]+)?$`
  const properties: OptionSchemas<Surprise> = {
    seed: SEED,
    kinds: listOf({ enum: [...Object.keys(kindSets), ...kindNames] }),
    only: listOf({ type: 'string', pattern: label, title: 'a surprise such as order@listPets#3' }),
    calls: mapOf({ type: 'integer', minimum: 1 }),
  }
  const { type, ...fields } = objectOf(['seed'], properties)
  return { ...fields, oneOf: [{ const: false }, { type: 'object' }] }
}

export const SURPRISE_HEADER = 'X-Mock-Surprise'
/** The variable with the file in which `surprise find` looks for the surprises of a kit. */
export const SURPRISE_REPORT = 'ANIMAL_STORE_SURPRISE_REPORT'

/** The seed in the value of that header. */
export const readSeed = (header = ''): string | undefined => /^seed=(\d+)/.exec(header)?.[1]

/** The kind in a label such as `order@listPets#3`. */
export const kindOf = (label: string) => label.split('@', 1)[0] as SurpriseKind

/** The random numbers of a surprise such as `order@listPets#3`; undefined if it is off. */
export function draw(surprise: Surprise, label: string): Random | undefined {
  if (!isWanted(surprise, label)) return undefined
  const bits = hash(`${surprise.seed} ${label}`)
  const isOff = bits % 2 === 0
  return isOff ? undefined : createRandom(bits)
}

function isWanted(surprise: Surprise, label: string): boolean {
  const { only } = surprise
  const usual = only ? 'all' : 'mild'
  const kinds = surprise.kinds ?? [usual]
  if (only && !only.some((part) => isBeginning(part, label))) return false
  const kind = kindOf(label)
  return kinds.some((name) => {
    if (name === 'mild' || name === 'all') return kindSets[name].includes(kind)
    return name === kind
  })
}

/** Whether `part` is one or more whole parts of a label: `order@listPets` of `order@listPets#3`. */
export function isBeginning(part: string, label: string): boolean {
  if (!label.startsWith(part)) return false
  const rest = label.slice(part.length)
  return rest === '' || /^[@?#]/.test(rest)
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
    'absent-status': {
      legal: 'NewPet.status is optional',
      relied: 'a status',
    },
    'equal-names': {
      legal: 'only Pet.id is unique',
      relied: 'different names',
    },
    'odd-names': {
      legal: 'NewPet.name is any string',
      relied: 'short, plain names',
    },
    'short-page': {
      legal: 'limit is a maximum',
      relied: 'getting as many animals as requested',
    },
    order: {
      legal: 'assumption list-order',
      relied: 'the order of a list',
    },
    'extra-field': {
      legal: 'additional properties are allowed',
      relied: 'the absence of other fields',
    },
    'error-words': {
      legal: 'assumption error-codes',
      relied: 'the code or message of an error',
    },
    'media-type': {
      legal: 'RFC 9110 §8.3.1',
      relied: 'the exact text of Content-Type',
    },
    delay: {
      legal: 'no response time is promised',
      relied: 'quick responses',
    },
  }
