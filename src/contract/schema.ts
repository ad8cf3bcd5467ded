// Validates values by the JSON Schema keywords that the build lets through. A test compares it with
// Ajv.
import { isInt64, parseInt64, tryJson } from './int64-json.ts'
import { isEnough, joinWords, type Problem } from './problem.ts'
import { cutText, describeValue, isObject, isPlainObject } from './values.ts'

type Texts = Partial<Record<'type' | 'format' | 'pattern' | 'title' | 'description', string>>
type Bounds = Partial<
  Record<'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'minItems' | 'maxItems', number>
>

export type Fields = Readonly<Record<string, Schema>>

export interface Schema extends Readonly<Texts & Bounds> {
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly required?: readonly string[]
  readonly properties?: Fields
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly default?: unknown
  readonly oneOf?: readonly Schema[]
  readonly writeOnly?: boolean
}

export function objectOf(required: readonly string[], properties: Fields): Schema {
  const closed = { type: 'object', additionalProperties: false }
  return required.length > 0 ? { ...closed, required, properties } : { ...closed, properties }
}

export function mapOf(items: Schema): Schema {
  return { type: 'object', properties: {}, additionalProperties: items }
}

export function orNull(schema: Schema): Schema {
  return { oneOf: [schema, { const: null }] }
}

/** Queries, flags and variables are texts: a number or a boolean where the schema wants one. */
export function readTyped(schema: Schema, text: string): unknown {
  const takesInteger = schema.oneOf?.some(isInteger)
  const read = READERS[takesInteger ? 'integer' : (schema.type ?? '')]
  return read?.(text) ?? text
}

const isInteger = (schema: Schema): boolean => schema.type === 'integer'
const READERS: Record<string, (text: string) => unknown> = {
  integer: parseInt64,
  number: tryJson,
  boolean: tryJson,
}

/** The sender chooses names, so a path can be as long as the body. */
const MAX_PATH_CHARACTERS = 200
export const cutPath = (text: string): string => cutText(text, MAX_PATH_CHARACTERS)

/** In the order of the schema. Stops one past MAX_PROBLEMS: a small body can have millions. */
export function findViolations(schema: Schema, value: unknown, path = ''): Problem[] {
  const problems: Problem[] = []
  if (!isValidScalar(schema, value)) visit(schema, value, path, problems)
  return problems
}

function visit(schema: Schema, value: unknown, path: string, problems: Problem[]): void {
  const { properties, items } = schema
  if (value === undefined) problems.push({ kind: 'missing', path: cutPath(path) })
  else if (!fits(schema, value)) problems.push(describeMismatch(schema, value, cutPath(path)))
  else if (properties && isObject(value)) visitFields(schema, value, path, problems)
  else if (items && Array.isArray(value)) visitItems(items, value, path, problems)
}

function visitItems(
  schema: Schema,
  items: readonly unknown[],
  path: string,
  problems: Problem[],
): void {
  for (let index = 0; index < items.length; index++) {
    if (isEnough(problems)) return
    if (!isValidScalar(schema, items[index]))
      visit(schema, items[index], `${path}[${index}]`, problems)
  }
}

/** Fast path: a fitting scalar needs no path. */
function isValidScalar(schema: Schema, value: unknown): boolean {
  if (schema.properties || schema.items || value === undefined) return false
  return fits(schema, value)
}

function visitFields(
  schema: Schema,
  value: Record<string, unknown>,
  path: string,
  problems: Problem[],
): void {
  const { properties = {}, required, additionalProperties: others = true } = schema
  const visitField = (name: string, own: Schema, field: unknown) => {
    if (!isValidScalar(own, field)) visit(own, field, joinPath(path, name), problems)
  }
  for (const name in properties) {
    const field = Object.hasOwn(value, name) ? value[name] : undefined
    const isWanted = field !== undefined || required?.includes(name)
    if (isWanted) visitField(name, properties[name] as Schema, field)
  }
  if (others === true) return
  for (const name in value) {
    if (isEnough(problems)) return
    if (Object.hasOwn(properties, name) || value[name] === undefined) continue
    if (others) visitField(name, others, value[name])
    else problems.push(describeUnknown(name, path, Object.keys(properties)))
  }
}

function describeUnknown(name: string, path: string, known: readonly string[]): Problem {
  return { kind: 'unknown-field', path: joinPath(path, name), name: cutPath(name), known }
}

export function joinPath(path: string, name: string): string {
  return cutPath(path === '' ? name : `${path}.${name}`)
}

/**
 * Also explains mistakes that only library callers can make: class instances, lone surrogates,
 * rounded int64s.
 */
function describeMismatch(schema: Schema, value: unknown, path: string): Problem {
  const withoutGot = { kind: 'mismatch', path, expected: describeSchema(schema) } as const
  const isSecret = schema.writeOnly && typeof value !== 'object'
  if (isSecret) return withoutGot
  const problem = { ...withoutGot, got: describeValue(value) }
  if (schema.type === 'object' && isObject(value)) return { ...problem, expected: 'a plain object' }
  if (typeof value === 'string' && !value.isWellFormed())
    return { ...problem, expected: 'well-formed text' }
  if (schema.format === 'int64' && isRounded(value))
    return { ...problem, advice: 'write a number this large as a bigint' }
  return schema.enum ? { ...problem, choices: schema.enum.map(String) } : problem
}

/** A number that would be an int64 if it had all its digits. */
function isRounded(value: unknown): boolean {
  if (!Number.isInteger(value) || isInt64(value)) return false
  return isInt64(BigInt(value as number))
}

/** Does not look inside the value. */
function fits(schema: Schema, value: unknown): boolean {
  if (schema.oneOf && !fitsOne(schema.oneOf, value)) return false
  if (schema.enum && !schema.enum.includes(value)) return false
  if (schema.const !== undefined && schema.const !== value) return false
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' && fitsText(schema, value)
    case 'integer':
      return isIntegerOf(schema, value) && isWithin(value as number, schema.minimum, schema.maximum)
    case 'number':
      return Number.isFinite(value) && isWithin(value as number, schema.minimum, schema.maximum)
    case 'boolean':
    case 'function':
      return typeof value === schema.type
    case 'array':
      return Array.isArray(value) && isWithin(value.length, schema.minItems, schema.maxItems)
    case 'object':
      return isPlainObject(value)
    default:
      return typeof value !== 'function' && typeof value !== 'symbol'
  }
}

function fitsOne(schemas: readonly Schema[], value: unknown): boolean {
  return schemas.some((schema) => findViolations(schema, value).length === 0)
}

function isIntegerOf(schema: Schema, value: unknown): boolean {
  if (schema.format === 'int64') return isInt64(value, schema.maximum)
  return Number.isInteger(value)
}

function isWithin(size: number, low: number | undefined, high: number | undefined): boolean {
  if (low !== undefined && size < low) return false
  return high === undefined || size <= high
}

function fitsText(schema: Schema, value: string): boolean {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = schema
  // A lone surrogate has no UTF-8, so no response could carry it.
  if (!value.isWellFormed()) return false
  if (minLength > 0 || Number.isFinite(maxLength)) {
    // A code point takes at most two units, so there is no need to count all of a text that is far
    // too long.
    const { length } = [...value.slice(0, 2 * maxLength + 1)]
    if (!isWithin(length, minLength, maxLength)) return false
  }
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return false
  return format !== 'date-time' || !Number.isNaN(Date.parse(value))
}

export function describeSchema(schema: Schema): string {
  const { title, oneOf } = schema
  if (title !== undefined) return title
  if (oneOf) return joinWords(oneOf.flatMap(listWords), 'or')
  if (schema.enum) return joinWords(schema.enum.map(String), 'or')
  if (schema.const !== undefined) return String(schema.const)
  const { minimum, maximum } = schema
  switch (schema.type) {
    case 'integer':
      if (schema.format === 'int64') return `a 64-bit integer${describeBounds(minimum, maximum)}`
      return `an integer${describeBounds(minimum, maximum)}`
    case 'number':
      return `a number${describeBounds(minimum, maximum)}`
    case 'string':
      return describeText(schema)
    case 'array':
      return `a list${addUnit(describeBounds(schema.minItems, schema.maxItems), 'item')}`
    case 'object':
      return 'an object'
    default:
      return schema.type === undefined ? 'JSON data' : `a ${schema.type}`
  }
}

function listWords(schema: Schema): string[] {
  if (schema.title === undefined && schema.enum) return schema.enum.map(String)
  return [describeSchema(schema)]
}

function describeText(schema: Schema): string {
  if (schema.format === 'date-time') return 'a date and time'
  const length = describeBounds(schema.minLength, schema.maxLength)
  const matching = schema.pattern === undefined ? '' : ` matching ${schema.pattern}`
  return `a string${matching}${addUnit(length, 'character')}`
}

function addUnit(size: string, unit: string): string {
  if (size === '') return ''
  return `${size} ${unit}${size.endsWith(' 1') ? '' : 's'}`
}

function describeBounds(low: number | undefined, high: number | undefined): string {
  if (low !== undefined && low === high) return ` of ${low}`
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`
  if (low !== undefined) return ` of at least ${low}`
  return high === undefined ? '' : ` of at most ${high}`
}
