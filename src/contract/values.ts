// Values of any type, since callers of the library can pass anything: how messages describe them,
// tests of their type, and copies.
import { parseJson, toJson } from './int64-json.ts'

const MAX_SHOWN_CHARACTERS = 60

export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'symbol') return 'a symbol'
  if (Number.isNaN(value)) return 'NaN'
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number out of range'
  // JSON and YAML give bigints only beyond 2^53, so the caller wrote this one where a number
  // belongs.
  if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) return `${value}n, a bigint`
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (isPromise(value)) return 'a promise; did you forget await?'
  if (isObject(value)) return describeObject(value)
  return cutText(toJson(value), MAX_SHOWN_CHARACTERS)
}

/** Shortens a long text. It copies the beginning, since a slice would keep all of it in memory. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const bytes = new TextEncoder().encode(text.slice(0, length))
  const copy = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  return `${copy}…`
}

/** The last characters of a key: enough to tell keys apart, but not to use one. */
export function describeKey(key: string): string {
  return key.length > 4 ? `…${key.slice(-4)}` : '…'
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function readOwn(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/**
 * A Map or a Date keeps its data where no check looks. Objects of another realm, such as jsdom's,
 * are plain too.
 */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false
  const prototype = Object.getPrototypeOf(value)
  if (prototype === null) return true
  const isBase = Object.getPrototypeOf(prototype) === null
  return isBase || !Object.hasOwn(prototype, 'constructor')
}

export function isPromise<T>(value: T): value is Extract<T, PromiseLike<unknown>> {
  return isObject(value) && typeof value.then === 'function'
}

/** By the name of its class: `an instance of Date`. */
function describeObject(value: object): string {
  const prototype: { constructor?: { name?: unknown } } | null = Object.getPrototypeOf(value)
  const name = String(prototype?.constructor?.name)
  const isClass = /^[A-Z][A-Za-z0-9]*$/.test(name) && name !== 'Object'
  return isClass ? `an instance of ${name}` : 'an object'
}

export function sum(numbers: readonly number[]): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}

export function withoutUndefined<T extends object>(fields: T): Defined<T> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as Defined<T>
}
type Defined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> }

/** By JSON, since `structuredClone` fails on a Proxy. */
export const freezeCopy = <T>(value: T): T => deepFreeze(parseJson(toJson(value)) as T)

export function deepFreeze<T>(value: T): T {
  // Frozen values, such as texts, numbers and the animals that scenarios share, are frozen all the
  // way down.
  if (Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const item of Object.values(value as object)) deepFreeze(item)
  return value
}
