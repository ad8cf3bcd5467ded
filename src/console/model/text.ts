// Text for people: hidden characters made visible, long text shortened, times and amounts in words.
// Times are in UTC.

import { escapeCharacter, UNSAFE } from '../../contract/escape.ts'
import { count } from '../../contract/problem.ts'

export { count }

/** Texts by name, as those of a form or an address. */
export type Texts = Readonly<Record<string, string>>

/** Ordinary white space, and the joiners of scripts and emoji. */
const HARMLESS = ['\n', '\t', '\u200c', '\u200d']
const JSON_PART = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^"{}[\],:\s]+/gs
/** Deeper levels are not indented further: 16 KiB of `[` would otherwise become 268 MB. */
const MAX_INDENTS = 40

/** The text with hidden characters as `\u202e`; JSON text stays JSON and means the same. */
export const showHidden = (text: string): string =>
  text.replace(UNSAFE, (character) =>
    HARMLESS.includes(character) ? character : escapeCharacter(character),
  )

/**
 * Cuts long text in the middle: the end of a key tells it from others as often as its beginning.
 */
export function shorten(text: string, maxCharacters = 24): string {
  const characters = [...text]
  if (characters.length <= maxCharacters) return text
  const half = (maxCharacters - 1) / 2
  return `${characters.slice(0, Math.ceil(half)).join('')}…${characters.slice(-Math.floor(half)).join('')}`
}

const DATE = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})
export const dateTime = (instant: number | string) => DATE.format(new Date(instant))
export const timeOf = (iso: string) => iso.slice(11, 21)

/**
 * Changes white space only: every digit stays as it was sent. JSON may be cut; other text stays as
 * it is.
 */
export function indentJson(text: string): string {
  if (!/^\s*[{[]/.test(text)) return text
  let depth = 0
  let result = ''
  let previous = ''
  for (const [token] of text.matchAll(JSON_PART)) {
    const isClose = token === '}' || token === ']'
    if (isClose) depth = Math.max(0, depth - 1)
    const isFirst = previous === '{' || previous === '['
    const isNewLine = isClose ? !isFirst : isFirst || previous === ','
    if (isNewLine) result += `\n${'  '.repeat(Math.min(depth, MAX_INDENTS))}`
    result += token === ':' ? ': ' : token
    if (token === '{' || token === '[') depth++
    previous = token
  }
  return result
}

/**
 * The indexes of the lines between what two texts have in common at their beginnings and at their
 * ends, for both.
 */
export function diffLines(one: readonly string[], other: readonly string[]): number[][] {
  const isSame = (left = '', right = '') => left.replace(/,$/, '') === right.replace(/,$/, '')
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && isSame(one[start], other[start])) start++
  let end = 0
  while (end < shorter - start && isSame(one.at(-1 - end), other.at(-1 - end))) end++
  return [one, other].map(({ length }) =>
    Array.from({ length: length - start - end }, (_, index) => start + index),
  )
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const fieldLines = (fields: Texts) =>
  Array.from(Object.entries(fields), (pair) => pair.join(': ')).join('\n')

export const size = (text: string): string => `${count(new TextEncoder().encode(text).length)} B`
