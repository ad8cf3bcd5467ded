// Every kind of surprise with what it does, to generated animals and to responses; `big-ids` changes a whole state
// (state.ts). A kind that is left out does not move the others. `reasons.ts` says why each is legal.
import type { Json } from '../contract/int64-json.ts'
import type { Pet } from '../generated/contract.ts'
import type { Random } from '../random.ts'
import { shuffle, spell } from './spell.ts'

/** A response that surprises change. */
export interface Draft {
  readonly value: Json
  /** The text of the value, if it is not the usual one. */
  readonly body?: string
  readonly mediaType?: string
  readonly delay: number
}

export type ChangePet = (pet: Pet, random: Random, before?: Pet) => Pet
export type ChangeResponse = (draft: Draft, random: Random) => Partial<Draft> | undefined

/** `%` is the old name. */
const NAMES = [
  '',
  '  %  ',
  '% 🐈‍⬛',
  '\u202e%',
  "O'% & <b>sons</b>",
  '"%"\\n',
  '%\u0000',
  'Zoë % Ångström',
  `%${' of the Hill'.repeat(30)}`,
]
const DELAYS_MS = [20, 50, 100, 300]
const MEDIA_TYPES = ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"']
const CODES = ['E1042', 'error.rejected', 'Refused', 'x']
const MESSAGES = ['Sorry, that did not work.', 'Request refused', 'Ein Fehler ist aufgetreten', '?']
const EXTRAS: readonly Json[] = ['2030-01-01', 0, true, [], { href: '/' }]

/** What each kind makes of an animal, in this order. */
export const petKinds = {
  'absent-status': ({ status: _, ...pet }) => pet,
  'equal-names': (pet, _, before) => ({ ...pet, name: before?.name ?? pet.name }),
  'odd-names': (pet, random) => ({ ...pet, name: random.pick(NAMES).replaceAll('%', () => pet.name) }),
} satisfies Record<string, ChangePet>

/** What each kind changes in a response, in this order; undefined where there is nothing to change. */
export const responseKinds = {
  'short-page': ({ value }, random) =>
    isLong(value) ? { value: value.slice(0, 1 + Math.floor(random.next() * (value.length - 1))) } : undefined,
  order: ({ value }, random) => (isLong(value) ? { value: reorder(value, random) } : undefined),
  'extra-field'({ value }, random) {
    const field = { [`x-${random.pick('abcdef'.split(''))}`]: random.pick(EXTRAS) }
    if (!Array.isArray(value)) return { value: { ...(value as object), ...field } }
    return value.length === 0 ? undefined : { value: value.map((item) => ({ ...(item as object), ...field })) }
  },
  'error-words'({ value }, random) {
    if ((value as { code?: Json }).code === undefined) return undefined
    return { value: { ...(value as object), code: random.pick(CODES), message: random.pick(MESSAGES) } }
  },
  'json-spelling': ({ value }, random) => ({ body: spell(value, random) }),
  'media-type': (_, random) => ({ mediaType: random.pick(MEDIA_TYPES) }),
  delay: (_, random) => ({ delay: random.pick(DELAYS_MS) }),
} satisfies Record<string, ChangeResponse>

function isLong(body: Json): body is Json[] {
  return Array.isArray(body) && body.length > 1
}

/** Another animal comes first. */
function reorder(items: readonly Json[], random: Random): Json[] {
  const [first, ...rest] = shuffle(items, random) as [Json, ...Json[]]
  return first === items[0] ? [...rest, first] : [first, ...rest]
}
