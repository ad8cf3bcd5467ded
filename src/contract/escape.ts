// Escapes characters that could move the cursor, break the line or turn the reading direction.
import { toJson } from './int64-json.ts'
import { cutText } from './values.ts'

/**
 * Controls, invisible formats such as bidi marks, line and paragraph separators, lone surrogates.
 */
export const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
/** For most texts: compiling the other pattern takes a tenth of the start. */
const PLAIN = /^[ -~]*$/

export function escapeUnsafe(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNSAFE, escapeCharacter)
}

export function cutLine(text: string, characters = 300): string {
  return escapeUnsafe(cutText(text, characters))
}

/**
 * Keeps the meaning of a document: only JSON strings and double-quoted YAML strings can change.
 * Line feeds stay.
 */
export function escapeInJson(text: string): string {
  return text.replace(UNSAFE, (character) =>
    character === '\n' ? character : escapeCharacter(character),
  )
}

/** JSON for people, with a line feed at the end. */
export const toJsonText = (value: unknown): string => `${escapeInJson(toJson(value, 2))}\n`

/** As JSON does: a character beyond the first plane becomes two escapes. */
export function escapeCharacter(character: string): string {
  return character.replace(/./gs, escapeUnit)
}

function escapeUnit(unit: string): string {
  const digits = unit.charCodeAt(0).toString(16)
  return `\\u${digits.padStart(4, '0')}`
}
