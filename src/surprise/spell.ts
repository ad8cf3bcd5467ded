// The same JSON, written differently: keys in another order, white space, escapes.
import { type Json, toJson } from '../contract/int64-json.ts'
import type { Random } from '../random.ts'

const SPACES = ['', '', ' ', '\n  ', '\t']
/** The part of the characters that are escaped without need. */
const ESCAPED_SHARE = 0.15

/** Ends in a space, so that the text is never the usual one. */
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

export function shuffle<T>(items: readonly T[], random: Random): T[] {
  const ranked = items.map((item) => ({ item, rank: random.next() })).sort((one, other) => one.rank - other.rank)
  return ranked.map(({ item }) => item)
}
