// Validates values against the JSON Schema keywords that the build lets through, with int64 as numbers and bigints. A
// test compares it with Ajv.
import { describeValue, isObject, isPlainObject } from './describe-value.ts'
import { UsageError } from './errors.ts'
import { isInt64 } from './int64-json.ts'
import { cutText, isEnough, joinWords, type Problem } from './problem.ts'

export interface Schema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly default?: unknown
  readonly oneOf?: readonly Schema[]
  readonly title?: string
  readonly description?: string
  /** A secret, which messages do not show. */
  readonly writeOnly?: boolean
}

/** The sender chooses names, so a path can be as long as the body. */
const MAX_PATH_CHARACTERS = 200

/** In the order of the schema. Stops one past MAX_PROBLEMS: a small body can have millions. */
export function findViolations(schema: Schema, value: unknown, path = ''): Problem[] {
  if (isRight(schema, value)) return []
  const here: Visit = { trail: path === '' ? [] : [path], problems: [] }
  visit(schema, value, here)
  return here.problems
}

/** Throws a UsageError with every problem. `path` is what messages call the value. */
export function checkValue<T>(schema: Schema, value: T, path = ''): T {
  const problems = findViolations(schema, value, path)
  if (problems.length > 0) throw new UsageError(problems)
  return value
}

interface Visit {
  /** The path to the value; made into text only for a problem. */
  readonly trail: (string | number)[]
  readonly problems: Problem[]
}

function visit(schema: Schema, value: unknown, here: Visit): void {
  if (value === undefined) {
    here.problems.push({ kind: 'missing', path: toPath(here.trail) })
  } else if (!fits(schema, value)) {
    here.problems.push(describeMismatch(schema, value, toPath(here.trail)))
  } else if (schema.properties && isObject(value)) visitFields(schema, value, here)
  else if (schema.items && Array.isArray(value))
    for (let index = 0; index < value.length && !isEnough(here.problems); index++) visitPart(schema.items, value[index], index, here)
}

/** Fast path: a fitting scalar needs no path. */
function isRight(schema: Schema, value: unknown): boolean {
  return !schema.properties && !schema.items && value !== undefined && fits(schema, value)
}

function visitPart(schema: Schema, value: unknown, name: string | number, here: Visit): void {
  if (isRight(schema, value)) return
  here.trail.push(name)
  visit(schema, value, here)
  here.trail.pop()
}

function visitFields(schema: Schema, value: Record<string, unknown>, here: Visit): void {
  const properties = schema.properties as Readonly<Record<string, Schema>>
  for (const name in properties) {
    if (Object.hasOwn(value, name) && value[name] !== undefined) visitPart(properties[name] as Schema, value[name], name, here)
    else if (schema.required?.includes(name)) visitPart(properties[name] as Schema, undefined, name, here)
  }
  const others = schema.additionalProperties
  if (others === undefined || others === true) return
  for (const name in value) {
    if (isEnough(here.problems)) return
    if (Object.hasOwn(properties, name)) continue
    if (others) visitPart(others, value[name], name, here)
    else {
      const [path, known] = [toPath([...here.trail, name]), Object.keys(properties)]
      here.problems.push({ kind: 'unknown-field', path, name: cutText(name, MAX_PATH_CHARACTERS), known })
    }
  }
}

/** Also explains mistakes that only library callers can make: class instances, lone surrogates, rounded int64s. */
function describeMismatch(schema: Schema, value: unknown, path: string): Problem {
  if (schema.writeOnly && typeof value === 'string') return { kind: 'mismatch', path, expected: describeSchema(schema) }
  const got = describeValue(value)
  if (schema.type === 'object' && isObject(value)) return { kind: 'mismatch', path, expected: 'a plain object', got }
  if (schema.type === 'string' && typeof value === 'string' && !value.isWellFormed()) {
    return { kind: 'mismatch', path, expected: 'well-formed text', got }
  }
  if (schema.format === 'int64' && Number.isInteger(value) && isInt64(BigInt(value as number)) && !isInt64(value)) {
    return { kind: 'mismatch', path, expected: describeSchema(schema), got, advice: 'write a number this large as a bigint' }
  }
  const choices = schema.enum?.map(String)
  return { kind: 'mismatch', path, expected: describeSchema(schema), got, ...(choices && { choices }) }
}

/** Does not look inside the value. */
function fits(schema: Schema, value: unknown): boolean {
  if (schema.oneOf && !schema.oneOf.some((one) => findViolations(one, value).length === 0)) return false
  if (schema.enum && !schema.enum.includes(value)) return false
  if (schema.const !== undefined && schema.const !== value) return false
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' && fitsText(schema, value)
    case 'integer':
      if (schema.format === 'int64' ? !isInt64(value) : !Number.isInteger(value)) return false
      return fitsBounds(schema, value as number)
    case 'number':
      return Number.isFinite(value) && fitsBounds(schema, value as number)
    case 'boolean':
      return typeof value === 'boolean'
    case 'array':
      return Array.isArray(value) && value.length >= (schema.minItems ?? 0) && value.length <= (schema.maxItems ?? Number.POSITIVE_INFINITY)
    case 'object':
      return isPlainObject(value)
    default:
      return true
  }
}

function fitsBounds(schema: Schema, value: number): boolean {
  return value >= (schema.minimum ?? Number.NEGATIVE_INFINITY) && value <= (schema.maximum ?? Number.POSITIVE_INFINITY)
}

function fitsText(schema: Schema, value: string): boolean {
  // A lone surrogate has no UTF-8, so no response could carry it.
  if (!value.isWellFormed()) return false
  if (schema.minLength !== undefined || schema.maxLength !== undefined) {
    const max = schema.maxLength ?? Number.POSITIVE_INFINITY
    // A code point takes at most two units, so there is no need to count those of a text that is far too long.
    if (value.length > 2 * max) return false
    const length = [...value].length
    if (length < (schema.minLength ?? 0) || length > max) return false
  }
  if (schema.pattern !== undefined && !toRegExp(schema.pattern).test(value)) return false
  return schema.format !== 'date-time' || !Number.isNaN(Date.parse(value))
}

/** From the spec and our own tables, never from a client. */
const patterns = new Map<string, RegExp>()

function toRegExp(pattern: string): RegExp {
  const known = patterns.get(pattern) ?? new RegExp(pattern, 'u')
  patterns.set(pattern, known)
  return known
}

/** `an integer from 1 to 100`, `available, pending or sold`. */
export function describeSchema(schema: Schema): string {
  if (schema.title !== undefined) return schema.title
  if (schema.oneOf) return joinWords(schema.oneOf.map(describeSchema), 'or')
  if (schema.enum) return joinWords(schema.enum.map(String), 'or')
  if (schema.const !== undefined) return String(schema.const)
  switch (schema.type) {
    case 'integer':
      return `${schema.format === 'int64' ? 'a 64-bit integer' : 'an integer'}${bounds(schema.minimum, schema.maximum)}`
    case 'number':
      return `a number${bounds(schema.minimum, schema.maximum)}`
    case 'string':
      if (schema.format === 'date-time') return 'a date and time'
      return `a string${schema.pattern === undefined ? '' : ` matching ${schema.pattern}`}${withUnit(bounds(schema.minLength, schema.maxLength), 'character')}`
    case 'array':
      return `a list${withUnit(bounds(schema.minItems, schema.maxItems), 'item')}`
    case 'object':
      return 'an object'
    default:
      return schema.type === undefined ? 'a value' : `a ${schema.type}`
  }
}

function withUnit(bounds: string, unit: string): string {
  return bounds === '' ? '' : `${bounds} ${unit}${bounds.endsWith(' 1') ? '' : 's'}`
}

function bounds(low: number | undefined, high: number | undefined): string {
  if (low !== undefined && low === high) return ` of ${low}`
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`
  if (low !== undefined) return ` of at least ${low}`
  return high === undefined ? '' : ` of at most ${high}`
}

function toPath(trail: readonly (string | number)[]): string {
  const path = trail.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
  return cutText(typeof trail[0] === 'string' ? path.slice(1) : path, MAX_PATH_CHARACTERS)
}
