// Every kind of surprise with what it does, to generated animals and to responses; `big-ids` changes a whole state
// (surprise.ts). A kind that is left out does not move the others. `reasons` in setting.ts says why each is legal.
import { type Json, toJson } from '../contract/int64-json.ts'
import type { Pet } from '../generated/contract.ts'
import type { Random } from '../random.ts'

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
const PLAIN_ODD_NAMES = ['', '  %  ', '% 🐈‍⬛', '\u202e%', "O'% & <b>sons</b>", '"%"\\n', '%\u0000', 'Zoë % Ångström']
const NAMES = [...PLAIN_ODD_NAMES, `%${' of the Hill'.repeat(30)}`]
const DELAYS_MS = [20, 50, 100, 300]
const MEDIA_TYPES = ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"']
const CODES = ['E1042', 'error.rejected', 'Refused', 'x']
const MESSAGES = ['Sorry, that did not work.', 'Request refused', 'Ein Fehler ist aufgetreten', '?']
const EXTRAS: readonly Json[] = ['2030-01-01', 0, true, [], { href: '/' }]
const SPACES = ['', '', ' ', '\n  ', '\t']
/** The part of the characters that are escaped without need. */
const ESCAPED_SHARE = 0.15

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

function reorder(items: readonly Json[], random: Random): Json[] {
  const [first, ...rest] = shuffle(items, random) as [Json, ...Json[]]
  return first === items[0] ? [...rest, first] : [first, ...rest]
}

/** The same JSON with other white space, escapes and order of keys. Never the usual text: it ends in a space. */
export function spell(value: Json, random: Random): string {
  const space = () => random.pick(SPACES)
  const join = (parts: string[]) => space() + parts.join(`${space()},${space()}`) + space()
  const write = (one: Json): string => {
    if (typeof one === 'string') return `"${[...one].map((character) => spellCharacter(character, random)).join('')}"`
    if (typeof one !== 'object' || one === null) return toJson(one)
    if (Array.isArray(one)) return `[${join(one.map(write))}]`
    const fields = Object.entries(one).map(([key, item]) => `${toJson(key)}${space()}:${space()}${write(item)}`)
    return `{${join(shuffle(fields, random))}}`
  }
  return `${write(value)} `
}

/** An escape of half a surrogate pair would leave the other half, which UTF-8 cannot hold. */
function spellCharacter(character: string, random: Random): string {
  if (random.next() >= ESCAPED_SHARE) return JSON.stringify(character).slice(1, -1)
  return Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')
}

function shuffle<T>(items: readonly T[], random: Random): T[] {
  const ranked = items.map((item) => ({ item, rank: random.next() })).sort((one, other) => one.rank - other.rank)
  return ranked.map(({ item }) => item)
}
