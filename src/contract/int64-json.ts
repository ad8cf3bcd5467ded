// JSON with exact int64. JSON.parse rounds beyond 2^53, reports errors in the words of each engine and version, and does
// not report duplicate keys; a response must be the same bytes on every host.
import type { Int64 } from '../generated/contract.ts'
import { MAX_JSON_DEPTH, MAX_JSON_KEY_CHARACTERS } from '../limits.ts'
import { type Problem, say } from './problem.ts'

/** Integers beyond 2^53 are bigints. */
export type Json = null | boolean | string | Int64 | Json[] | { [key: string]: Json }

export class JsonError extends Error {
  readonly problem: Extract<Problem, { readonly kind: 'syntax' }>

  constructor(found: string, line: number, column: number) {
    const problem = { kind: 'syntax', found, line, column } as const
    super(say(problem))
    this.problem = problem
  }
}

const INT64_MIN = -(2n ** 63n)
const INT64_MAX = 2n ** 63n - 1n
/** The next id once the last one has been used. */
export const NO_ID_LEFT = INT64_MAX + 1n

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const FIRST_PRINTABLE = 0x20
const LETTER_U = 0x75
/** By the code of the character after a backslash. */
const ESCAPABLE = Array.from({ length: 128 }, (_, code) => '"\\/bfnrtu'.includes(String.fromCharCode(code)))
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y

interface Reading {
  readonly text: string
  /** If so, only escapes can make lone surrogates. */
  readonly isWellFormed: boolean
  at: number
  readonly onDuplicate: ((key: string, at: number) => void) | undefined
  readonly max: JsonLimits
  readonly maxDepth: number
  values: number
}

/** Keys of one object, values in all, and levels. */
export interface JsonLimits {
  readonly keys?: number
  readonly values?: number
  readonly depth?: number
}

/** Of what the mock wrote itself: a saved state puts further levels around the body of a fault, which may be as deep as a request. */
export const SAVED_DEPTH = MAX_JSON_DEPTH + 8

/** The last of duplicate keys wins; `onDuplicate` gets each of the others with its place in the text. */
export function parseJson(text: string, onDuplicate?: Reading['onDuplicate'], max: JsonLimits = {}): Json {
  const here: Reading = {
    text,
    isWellFormed: text.isWellFormed(),
    at: 0,
    onDuplicate,
    max,
    maxDepth: max.depth ?? MAX_JSON_DEPTH,
    values: 0,
  }
  if (text.charCodeAt(0) === 0xfeff) fail(here, 'a byte order mark is not allowed')
  const value = readValue(here, 0)
  skipSpace(here)
  if (here.at < text.length) fail(here)
  return value
}

function fail(
  { text, at }: Reading,
  found = `unexpected ${at < text.length ? JSON.stringify(String.fromCodePoint(text.codePointAt(at) as number)) : 'end'}`,
): never {
  throw new JsonError(found, findLine(text, at), at - text.slice(0, at).lastIndexOf('\n'))
}

/** The value of a text, or undefined if it is not JSON. */
export function tryJson(text = ''): Json | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

export function findLine(text: string, at: number): number {
  let line = 1
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) line++
  return line
}

/** Returns the code of the next character; NaN at the end. */
function skipSpace(here: Reading): number {
  const { text } = here
  for (; ; here.at++) {
    const code = text.charCodeAt(here.at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code
  }
}

function readValue(here: Reading, depth: number): Json {
  const code = skipSpace(here)
  if (++here.values > (here.max.values ?? Number.POSITIVE_INFINITY)) fail(here, `more than ${here.max.values} values`)
  if (depth === here.maxDepth && (code === OPEN_OBJECT || code === OPEN_LIST)) fail(here, `nesting deeper than ${here.maxDepth} levels`)
  switch (code) {
    case OPEN_OBJECT:
      return readObject(here, depth)
    case OPEN_LIST:
      return readArray(here, depth)
    case QUOTE:
      return readString(here)
    case 0x74:
      return readWord(here, 'true', true)
    case 0x66:
      return readWord(here, 'false', false)
    case 0x6e:
      return readWord(here, 'null', null)
    default:
      return readNumber(here)
  }
}

function readObject(here: Reading, depth: number): Json {
  const { onDuplicate } = here
  const { keys: maxKeys = Number.POSITIVE_INFINITY } = here.max
  const object: { [key: string]: Json } = {}
  let keys = 0
  here.at++
  if (skipSpace(here) === CLOSE_OBJECT) {
    here.at++
    return object
  }
  for (;;) {
    if (skipSpace(here) !== QUOTE) fail(here)
    if (++keys > maxKeys) fail(here, `more than ${maxKeys} keys in an object`)
    const key = readString(here)
    // V8 hashes longer texts by their length alone, so a thousand such keys take quadratic time: 64 MiB took 24 s.
    if (key.length > MAX_JSON_KEY_CHARACTERS) fail(here, `a key of more than ${MAX_JSON_KEY_CHARACTERS} characters`)
    if (skipSpace(here) !== COLON) fail(here)
    here.at++
    const value = readValue(here, depth + 1)
    if (onDuplicate && Object.hasOwn(object, key)) onDuplicate(key, here.at)
    // A plain assignment of __proto__ would set the prototype.
    if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
    else object[key] = value
    const next = skipSpace(here)
    if (next !== COMMA && next !== CLOSE_OBJECT) fail(here)
    here.at++
    if (next === CLOSE_OBJECT) return object
  }
}

function readArray(here: Reading, depth: number): Json {
  const items: Json[] = []
  here.at++
  if (skipSpace(here) === CLOSE_LIST) {
    here.at++
    return items
  }
  for (;;) {
    items.push(readValue(here, depth + 1))
    const next = skipSpace(here)
    if (next !== COMMA && next !== CLOSE_LIST) fail(here)
    here.at++
    if (next === CLOSE_LIST) return items
  }
}

function readString(here: Reading): string {
  const { text } = here
  const start = here.at
  let isPlain = here.isWellFormed
  for (here.at++; text.charCodeAt(here.at) !== QUOTE; here.at++) {
    const code = text.charCodeAt(here.at)
    if (code === BACKSLASH) {
      skipEscape(here)
      isPlain = false
    } else if (!(code >= FIRST_PRINTABLE)) fail(here, here.at < text.length ? 'unescaped control character' : undefined)
  }
  here.at++
  if (isPlain) return text.slice(start + 1, here.at - 1)
  const value: string = JSON.parse(text.slice(start, here.at))
  if (value.isWellFormed()) return value
  here.at = start
  return fail(here, 'lone surrogate')
}

/** Stops at the last character of the escape. */
function skipEscape(here: Reading): void {
  const code = here.text.charCodeAt(++here.at)
  if (!ESCAPABLE[code]) fail(here)
  if (code !== LETTER_U) return
  const digits = here.text.slice(++here.at, here.at + 4)
  if (!/^[0-9a-fA-F]{4}$/.test(digits)) fail(here, 'invalid \\u escape')
  here.at += 3
}

function readWord<T extends Json>(here: Reading, word: string, value: T): T {
  for (const letter of word) {
    if (here.text[here.at] !== letter) fail(here)
    here.at++
  }
  return value
}

function readNumber(here: Reading): Int64 {
  NUMBER.lastIndex = here.at
  const match = NUMBER.exec(here.text)
  if (!match) fail(here)
  here.at += match[0].length
  return toNumber(match[0], match[1], match[2])
}

/** The exact integer where there is one; otherwise a number that is not an integer. */
function toNumber(text: string, fraction = '', exponent = ''): Int64 {
  const rounded = Number(text)
  // Not an int64 either, and a bigint of a million digits would take a second to make.
  if (!Number.isFinite(rounded)) return rounded
  if (fraction === '' && exponent === '') return Number.isSafeInteger(rounded) ? rounded + 0 : BigInt(text)
  const digits = text.slice(0, text.length - fraction.length - exponent.length) + fraction.slice(1)
  if (!/[1-9]/.test(digits)) return 0
  // 1.0 and 1e2 are integers too, but int64 has at most 19 digits.
  if (Math.abs(rounded) >= 1e19) return rounded
  const places = Number(exponent.slice(1) || 0) - Math.max(fraction.length - 1, 0)
  const kept = places >= 0 ? digits + '0'.repeat(places) : digits.slice(0, places)
  if (places < 0 && /[1-9]/.test(digits.slice(places))) return Number.isInteger(rounded) ? Number.POSITIVE_INFINITY : rounded
  return normalizeInt64(BigInt(kept))
}

/** The same integer as a number if a number holds it exactly. */
export function normalizeInt64(value: Int64): Int64 {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

export function isInt64(value: unknown): value is Int64 {
  return typeof value === 'bigint' ? value >= INT64_MIN && value <= INT64_MAX : Number.isSafeInteger(value)
}

/** Only the canonical spelling: no leading zeros, no plus, no minus zero. */
export function parseInt64(text: string): Int64 | undefined {
  if (!/^(?:0|-?[1-9][0-9]{0,18})$/.test(text)) return undefined
  const value = toNumber(text)
  return isInt64(value) ? value : undefined
}

/** Writes bigints as plain digits, and leaves out `undefined` fields as JSON.stringify does. */
export function toJson(value: unknown, indent = 0): string {
  return print(value, indent, '\n')
}

/** Characters that JSON may have to write as escapes. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

function print(value: unknown, indent: number, newline: string): string {
  if (typeof value === 'string' && !ESCAPED.test(value)) return `"${value}"`
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const inner = indent > 0 ? newline + ' '.repeat(indent) : ''
  const outer = indent > 0 ? newline : ''
  const colon = indent > 0 ? ': ' : ':'
  const parts = Array.isArray(value)
    ? value.map((item) => print(item, indent, inner))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => JSON.stringify(key) + colon + print(item, indent, inner))
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return parts.length === 0 ? `${open}${close}` : `${open}${inner}${parts.join(`,${inner}`)}${outer}${close}`
}
