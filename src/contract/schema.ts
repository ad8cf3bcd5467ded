// Holds a value against a schema of the contract and says every place where they differ. It reads the JSON Schema keywords
// that the build lets through, with int64 as numbers and bigints; a test holds it against Ajv.
import { isInt64, toJson } from './int64-json.ts'

/** A schema with its references resolved, as the build writes it. */
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
}

/** One place where a value is not what the schema asks for. */
export interface Violation {
  /** Where, as in `pets[3].status`; empty for the whole value. */
  readonly path: string
  readonly expected: string
  readonly got: string
}

/** Every violation, in the order of the schema. */
export function findViolations(schema: Schema, value: unknown, path = ''): Violation[] {
  const violations: Violation[] = []
  visit(schema, value, { trail: path === '' ? [] : [path], violations })
  return violations
}

/** A violation as a sentence. */
export function toSentence({ path, expected, got }: Violation): string {
  return `${path === '' ? 'body' : path}: expected ${expected}, got ${got}`
}

interface Visit {
  /** The way to the present value, written out only where something is wrong. */
  readonly trail: (string | number)[]
  readonly violations: Violation[]
}

function visit(schema: Schema, value: unknown, here: Visit): void {
  if (!fits(schema, value)) here.violations.push({ path: toPath(here.trail), expected: describe(schema), got: excerpt(value) })
  else if (schema.properties && isRecord(value)) visitFields(schema, value, here)
  else if (schema.items && Array.isArray(value))
    for (let index = 0; index < value.length; index++) visitPart(schema.items, value[index], index, here)
}

function visitPart(schema: Schema, value: unknown, name: string | number, here: Visit): void {
  here.trail.push(name)
  visit(schema, value, here)
  here.trail.pop()
}

function visitFields(schema: Schema, value: Record<string, unknown>, here: Visit): void {
  const properties = schema.properties as Readonly<Record<string, Schema>>
  const complain = (name: string, expected: string, got: string) =>
    here.violations.push({ path: toPath([...here.trail, name]), expected, got })
  for (const name in properties) {
    const field = properties[name] as Schema
    if (Object.hasOwn(value, name) && value[name] !== undefined) visitPart(field, value[name], name, here)
    else if (schema.required?.includes(name)) complain(name, describe(field), 'nothing')
  }
  const others = schema.additionalProperties
  if (others === undefined || others === true) return
  for (const name in value) {
    if (Object.hasOwn(properties, name)) continue
    if (others) visitPart(others, value[name], name, here)
    else complain(name, `one of ${list(Object.keys(properties), 'and')}`, 'an unknown field')
  }
}

/** Whether the value itself fits, apart from what is inside it. */
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
      return typeof value === 'number' && Number.isFinite(value) && fitsBounds(schema, value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'array':
      return Array.isArray(value) && value.length >= (schema.minItems ?? 0) && value.length <= (schema.maxItems ?? Number.POSITIVE_INFINITY)
    case 'object':
      return isRecord(value)
    default:
      return true
  }
}

function fitsBounds(schema: Schema, value: number): boolean {
  return value >= (schema.minimum ?? Number.NEGATIVE_INFINITY) && value <= (schema.maximum ?? Number.POSITIVE_INFINITY)
}

function fitsText(schema: Schema, value: string): boolean {
  // Half of a surrogate pair has no UTF-8, so no answer could carry it.
  if (!value.isWellFormed()) return false
  if (schema.minLength !== undefined || schema.maxLength !== undefined) {
    const length = [...value].length
    if (length < (schema.minLength ?? 0) || length > (schema.maxLength ?? Number.POSITIVE_INFINITY)) return false
  }
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) return false
  return schema.format !== 'date-time' || !Number.isNaN(Date.parse(value))
}

/** What a schema asks for, in words: `an integer from 1 to 100`, `available, pending or sold`. */
export function describe(schema: Schema): string {
  if (schema.title !== undefined) return schema.title
  if (schema.oneOf) return list(schema.oneOf.map(describe), 'or')
  if (schema.enum) return list(schema.enum.map(String), 'or')
  if (schema.const !== undefined) return String(schema.const)
  switch (schema.type) {
    case 'integer':
      return `${schema.format === 'int64' ? 'a 64-bit integer' : 'an integer'}${bounds(schema.minimum, schema.maximum)}`
    case 'number':
      return `a number${bounds(schema.minimum, schema.maximum)}`
    case 'string':
      if (schema.format === 'date-time') return 'a date and time'
      return `a string${schema.pattern === undefined ? '' : ` like ${schema.pattern}`}${lengths(schema, 'characters')}`
    case 'array':
      return `a list${bounds(schema.minItems, schema.maxItems)}`
    case 'object':
      return 'an object'
    default:
      return schema.type === undefined ? 'a value' : `a ${schema.type}`
  }
}

function lengths(schema: Schema, unit: string): string {
  const text = bounds(schema.minLength, schema.maxLength)
  return text === '' ? '' : `${text} ${unit}`
}

function bounds(low: number | undefined, high: number | undefined): string {
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`
  if (low !== undefined) return ` of at least ${low}`
  return high === undefined ? '' : ` of at most ${high}`
}

/** A list in words: `a, b or c`. */
export function list(items: readonly string[], word: 'and' | 'or'): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`
}

/** A value as far as a message has room for it. */
export function excerpt(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number beyond what can be held'
  const text = Array.isArray(value) ? `a list of ${value.length}` : isRecord(value) ? 'an object' : toJson(value)
  return text.length <= 60 ? text : `${text.slice(0, 57).toWellFormed()}…`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function toPath(trail: readonly (string | number)[]): string {
  return trail.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('')
}
