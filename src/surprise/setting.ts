// What a tester writes, and the decision for each kind and place, which depends on the seed and the place alone.
import type { Schema } from '../contract/schema.ts'
import { MAX_LIST_ITEMS } from '../limits.ts'
import { createRandom, hash, type Random } from '../random.ts'
import { petKinds, responseKinds } from './kinds.ts'

/** The name of a kind of surprise. */
export type SurpriseKind = 'big-ids' | keyof typeof petKinds | keyof typeof responseKinds

/** What is changed when a state is loaded. */
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
    calls: { type: 'object', additionalProperties: { type: 'integer', minimum: 1 } },
  },
}

/** The random numbers of a surprise such as `order@listPets#3`; undefined if it is off. Other surprises do not matter. */
export function draw({ seed, only, kinds = [only ? 'all' : 'mild'] }: Surprise, label: string): Random | undefined {
  const [kind] = label.split('@', 1) as [SurpriseKind]
  if (only && !only.some((part) => label.startsWith(part) && /^[@?#]|^$/.test(label.slice(part.length)))) return undefined
  if (!kinds.flatMap((name) => (name === 'mild' || name === 'all' ? kindSets[name] : name)).includes(kind)) return undefined
  const bits = hash(`${seed} ${label}`)
  return bits % 2 === 0 ? undefined : createRandom(bits)
}
