// JSON with exact int64. JSON.parse rounds beyond 2^53, reports no duplicate keys, and words its
// errors by the engine.
import type { Int64 } from './generated/contract.ts'
import { MAX_JSON_DEPTH, MAX_JSON_KEY_CHARACTERS } from './limits.ts'
import { sayFound } from './problem.ts'

export const JSON_TYPE = 'application/json'

/** Integers beyond 2^53 are bigints. */
export type Json = null | boolean | string | Int64 | Json[] | { [key: string]: Json }

export class JsonError extends Error {
  readonly problem: {
    readonly kind: 'syntax'
    readonly found: string
    readonly line: number
    readonly column: number
  }

  constructor(found: string, line: number, column: number) {
    const problem = { kind: 'syntax', found, line, column } as const
    super(sayFound(problem))
    this.problem = problem
  }
}

const INT64_MIN = -(2n ** 63n)
const INT64_MAX = 2n ** 63n - 1n
/** The next id once the last one has been used. */
export const NO_ID_LEFT = INT64_MAX + 1n
export const idAfter = (highest: Int64 = 0): Int64 => (highest < 0 ? 1 : increment(highest))

const PLAIN = /[ !#-[\]-\uffff]*/y
const INTEGER = /-?(?:0|[1-9][0-9]*)/y
/** The rest of a number. It may be empty. */
const FRACTION = /(?:[.][0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const WORDS: Readonly<Record<string, Word>> = {
  t: { text: 'true', value: true },
  f: { text: 'false', value: false },
  n: { text: 'null', value: null },
}

interface Word {
  readonly text: string
  readonly value: Json
}

type OnDuplicate = (key: string, at: number) => void
type Limits = Readonly<{ depth: number; keys: number; values: number }>
export type JsonLimits = Partial<Limits>

const USUAL_LIMITS: Limits = {
  depth: MAX_JSON_DEPTH,
  keys: Number.POSITIVE_INFINITY,
  values: Number.POSITIVE_INFINITY,
}

interface Reading {
  readonly text: string
  /** If so, only escapes can make lone surrogates. */
  readonly isWellFormed: boolean
  readonly onDuplicate: OnDuplicate | undefined
  readonly max: Limits
  at: number
  values: number
}

/**
 * The last of duplicate keys wins; `onDuplicate` gets each of the others with its place in the
 * text.
 */
export function parseJson(text: string, onDuplicate?: OnDuplicate, limits?: JsonLimits): Json {
  const here: Reading = {
    text,
    isWellFormed: text.isWellFormed(),
    onDuplicate,
    max: limits ? { ...USUAL_LIMITS, ...limits } : USUAL_LIMITS,
    at: 0,
    values: 0,
  }
  if (text.startsWith('\ufeff')) failAt(here, 'a byte order mark is not allowed')
  const value = readJsonValue(here, 0)
  if (skipSpace(here) !== undefined) failAt(here)
  return value
}

export function failAt(place: Pick<Reading, 'text' | 'at'>, found?: string): never {
  const { text, at } = place
  const before = text.slice(0, at)
  let line = 1
  let end = before.indexOf('\n')
  while (end >= 0) {
    line++
    end = before.indexOf('\n', end + 1)
  }
  const column = before.length - before.lastIndexOf('\n')
  throw new JsonError(found ?? `unexpected ${describeNext(text, before.length)}`, line, column)
}

function describeNext(text: string, at: number): string {
  const code = text.codePointAt(at)
  return code === undefined ? 'end' : JSON.stringify(String.fromCodePoint(code))
}

export function tryJson(text = ''): Json | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function skipSpace(here: Reading): string | undefined {
  const { text } = here
  let next = text[here.at]
  while (next === ' ' || next === '\n' || next === '\r' || next === '\t') {
    here.at++
    next = text[here.at]
  }
  return next
}

function readJsonValue(here: Reading, depth: number): Json {
  const next = skipSpace(here)
  here.values++
  if (here.values > here.max.values) failAt(here, `more than ${here.max.values} values`)
  if (next === '"') return readString(here)
  if (next === '{' || next === '[') {
    if (depth === here.max.depth) failAt(here, `nesting deeper than ${depth} levels`)
    return next === '{' ? readObject(here, depth + 1) : readArray(here, depth + 1)
  }
  const word = next === undefined ? undefined : WORDS[next]
  return word ? readWord(here, word) : readNumber(here)
}

function readObject(here: Reading, depth: number): Json {
  const object: { [key: string]: Json } = {}
  let keys = 0
  while (hasNext(here, '}', keys)) {
    if (skipSpace(here) !== '"') failAt(here)
    keys++
    if (keys > here.max.keys) failAt(here, `more than ${here.max.keys} keys in an object`)
    const start = here.at
    const key = readString(here)
    // V8 hashes longer texts by their length alone, so a thousand such keys take quadratic time: 64
    // MiB took 24 s.
    if (key.length > MAX_JSON_KEY_CHARACTERS)
      failAt(here, `a key of more than ${MAX_JSON_KEY_CHARACTERS} characters`)
    if (skipSpace(here) !== ':') failAt(here)
    here.at++
    const value = readJsonValue(here, depth)
    if (here.onDuplicate && Object.hasOwn(object, key)) here.onDuplicate(key, start)
    // A plain assignment of __proto__ would set the prototype.
    if (key === '__proto__') Object.defineProperty(object, key, { ...OWN_FIELD, value })
    else object[key] = value
  }
  return object
}

const OWN_FIELD = { enumerable: true, configurable: true, writable: true }

function readArray(here: Reading, depth: number): Json {
  const items: Json[] = []
  while (hasNext(here, ']', items.length)) items.push(readJsonValue(here, depth))
  return items
}

/** Passes the bracket or the comma before an item, or the bracket at the end. */
function hasNext(here: Reading, close: string, count: number): boolean {
  if (count === 0) here.at++
  const next = skipSpace(here)
  if (next === close || (count > 0 && next === ',')) here.at++
  else if (count > 0) failAt(here)
  return next !== close
}

function readString(here: Reading): string {
  const { text } = here
  const start = here.at
  let isPlain = here.isWellFormed
  for (here.at++; ; here.at += 2) {
    // It matches nothing only beyond the end, after a last backslash.
    if (!passes(here, PLAIN)) failAt(here)
    if (text[here.at] !== '\\') break
    isPlain = false
  }
  if (text[here.at] !== '"')
    failAt(here, here.at < text.length ? 'unescaped control character' : undefined)
  here.at++
  return isPlain ? text.slice(start + 1, here.at - 1) : unescapeText(here, start)
}

function unescapeText(here: Reading, start: number): string {
  const { text } = here
  let value: string
  try {
    value = JSON.parse(text.slice(start, here.at))
  } catch {
    return failAt({ text, at: start }, 'invalid escape')
  }
  return value.isWellFormed() ? value : failAt({ text, at: start }, 'lone surrogate')
}

function readWord(here: Reading, word: Word): Json {
  for (const letter of word.text) {
    if (here.text[here.at] !== letter) failAt(here)
    here.at++
  }
  return word.value
}

function readNumber(here: Reading): Int64 {
  const start = here.at
  if (!passes(here, INTEGER)) failAt(here)
  const end = here.at
  passes(here, FRACTION)
  return toNumber(here.text.slice(start, here.at), here.at === end)
}

/** Whether the text goes on with what a sticky pattern matches, which is then passed. */
function passes(here: Reading, pattern: RegExp): boolean {
  pattern.lastIndex = here.at
  const isMatch = pattern.test(here.text)
  if (isMatch) here.at = pattern.lastIndex
  return isMatch
}

/**
 * Digits alone are read exactly. Out of range it is infinity: a bigint of a million digits would
 * take a second.
 */
function toNumber(text: string, isDigits = true): Int64 {
  const rounded = Number(text)
  if (!Number.isFinite(rounded)) return rounded
  if (isDigits && !Number.isSafeInteger(rounded)) return BigInt(text)
  // Minus zero becomes zero.
  return rounded + 0
}

export function normalizeInt64(value: Int64): Int64 {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

export function increment(value: Int64): Int64 {
  if (typeof value === 'number' && value < Number.MAX_SAFE_INTEGER) return value + 1
  return normalizeInt64(BigInt(value) + 1n)
}

export function isInt64(value: unknown, max: Int64 = INT64_MAX): value is Int64 {
  if (typeof value !== 'bigint') return Number.isSafeInteger(value)
  return value >= INT64_MIN && value <= max
}

/** Only the canonical spelling: no leading zeros, no plus, no minus zero. */
export function parseInt64(text: string): Int64 | undefined {
  if (!/^(?:0|-?[1-9][0-9]{0,18})$/.test(text)) return undefined
  const value = toNumber(text)
  return isInt64(value) ? value : undefined
}

/** Writes bigints as plain digits, and all else as JSON.stringify does. */
export function toJson(value: unknown, indent = 0): string {
  return printJson(value, indent, '\n') ?? 'null'
}
export const printBody = (body: unknown): string => (typeof body === 'string' ? body : toJson(body))

const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

/** Undefined for what JSON leaves out, such as a function. */
function printJson(given: unknown, indent: number, newline: string): string | undefined {
  if (typeof given === 'string' && !ESCAPED.test(given)) return `"${given}"`
  if (typeof given === 'bigint' || Number.isSafeInteger(given)) return String(given)
  if (typeof given !== 'object' || given === null) return JSON.stringify(given)
  const { toJSON } = given as { toJSON?: unknown }
  const value: unknown = typeof toJSON === 'function' ? toJSON.call(given) : given
  if (typeof value !== 'object' || value === null) return printJson(value, indent, newline)
  const inner = indent > 0 ? newline + ' '.repeat(indent) : ''
  const outer = indent > 0 ? newline : ''
  if (Array.isArray(value)) {
    const items = printItems(value, indent, inner)
    return items.length === 0 ? '[]' : `[${joinParts(items, inner, outer)}]`
  }
  const fields = printFields(value, indent, inner)
  return fields.length === 0 ? '{}' : `{${joinParts(fields, inner, outer)}}`
}

function joinParts(parts: readonly string[], inner: string, outer: string): string {
  return inner + parts.join(`,${inner}`) + outer
}

function printItems(items: readonly unknown[], indent: number, newline: string): string[] {
  const texts: string[] = []
  for (const item of items) texts.push(printJson(item, indent, newline) ?? 'null')
  return texts
}

function printFields(object: object, indent: number, newline: string): string[] {
  const colon = indent > 0 ? ': ' : ':'
  const texts: string[] = []
  for (const [key, item] of Object.entries(object)) {
    const text = printJson(item, indent, newline)
    if (text !== undefined) texts.push(JSON.stringify(key) + colon + text)
  }
  return texts
}
