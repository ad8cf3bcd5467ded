// Data by the contract itself: reads spec/openapi.yaml and makes up what it allows, and what it forbids one constraint at a
// time. Nothing here knows an operation, a field or a bound by name.
import { readFileSync } from 'node:fs'
import fc, { type Arbitrary } from 'fast-check'
import { parse } from 'yaml'
import { int64, text } from './requests.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path'
  readonly required?: boolean
  readonly schema: Schema
}

export interface Operation {
  readonly operationId: string
  readonly method: string
  /** Version segment included, parameters in braces. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
  readonly statuses: readonly number[]
  /** The documented status of a success. */
  readonly success: number
}

/** Something the contract forbids, and which of its sentences it breaks. */
export interface Forbidden {
  readonly why: string
  readonly text: string
}

type PathItem = Readonly<
  Record<
    string,
    { operationId: string; parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> }; responses: object }
  >
>
const document = parse(readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8')) as {
  servers: [{ url: string }]
  paths: Readonly<Record<string, PathItem>>
  components: { schemas: Readonly<Record<string, Schema>> }
}

const basePath = new URL(document.servers[0].url).pathname

export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, { operationId, parameters = [], requestBody, responses }]) => {
    const statuses = Object.keys(responses).map(Number)
    return {
      operationId,
      method: method.toUpperCase(),
      path: basePath + path,
      parameters,
      body: requestBody?.content['application/json']?.schema,
      statuses,
      success: statuses.find((status) => status < 300) as number,
    }
  }),
)

/** The methods of each path, as `Allow` must name them. */
export const allowed: ReadonlyMap<string, string> = new Map(
  Object.entries(document.paths).map(([path, item]) => {
    const methods = Object.keys(item).map((method) => method.toUpperCase())
    return [basePath + path, [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ')]
  }),
)

function resolve(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : resolve(document.components.schemas[schema.$ref.split('/').at(-1) as string] as Schema)
}

/** JSON text that fits the schema, edges first. */
export function good(given: Schema): Arbitrary<string> {
  const schema = resolve(given)
  if (schema.enum) return fc.constantFrom(...schema.enum.map((value) => JSON.stringify(value)))
  switch (schema.type) {
    case 'string':
      return text.map((any) => JSON.stringify(resize(any.toWellFormed(), schema)))
    case 'integer':
      return schema.format === 'int64' ? int64.map(String) : goodInteger(schema).map(String)
    case 'object':
      return goodFields(schema).map(toObject)
    default:
      throw new Error(`no data for the type ${schema.type}`)
  }
}

/** The text cut or filled to the length that the schema asks for, in characters. */
function resize(any: string, { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema): string {
  return [...any].slice(0, maxLength).join('').padEnd(minLength, 'x')
}

function goodInteger({ minimum = -1000, maximum = 1000 }: Schema): Arbitrary<number> {
  return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum))
}

function goodFields({ properties = {}, required }: Schema): Arbitrary<Record<string, string>> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, good(field)]))
  return fc.record(fields, { requiredKeys: [...(required ?? [])] }) as Arbitrary<Record<string, string>>
}

const OTHERS: Readonly<Record<string, readonly string[]>> = {
  null: ['null'],
  boolean: ['true', 'false'],
  string: ['""', '"1"', '"available"'],
  integer: ['0', '1', '-7'],
  number: ['1.5', '-0.1', '1e-7'],
  array: ['[]', '["a"]', '[[1]]'],
  object: ['{}', '{"id":1}'],
}

/** JSON text that breaks the schema in one place. */
export function bad(given: Schema): Arbitrary<Forbidden> {
  const schema = resolve(given)
  const ways: Arbitrary<Forbidden>[] = []
  const forbid = (why: string, texts: readonly string[]) => ways.push(fc.constantFrom(...texts).map((one) => ({ why, text: one })))
  for (const [type, texts] of Object.entries(OTHERS)) if (type !== schema.type) forbid(`type: ${schema.type}, not ${type}`, texts)
  if (schema.enum)
    forbid(
      'enum',
      schema.enum.flatMap((value) => [value.toUpperCase(), `${value} `, value.slice(1), '']).map((value) => JSON.stringify(value)),
    )
  if (schema.minimum !== undefined) forbid('minimum', [schema.minimum - 1, -(2 ** 31)].map(String))
  if (schema.maximum !== undefined) forbid('maximum', [schema.maximum + 1, 2 ** 31].map(String))
  if (schema.minLength) forbid('minLength', [JSON.stringify('x'.repeat(schema.minLength - 1))])
  if (schema.maxLength !== undefined) forbid('maxLength', [JSON.stringify('x'.repeat(schema.maxLength + 1))])
  if (schema.format === 'int64')
    forbid('format: int64', ['9223372036854775808', '-9223372036854775809', '1e19', '1e400', `1${'0'.repeat(400)}`])
  if (schema.properties) ways.push(...badFields(schema))
  return fc.oneof(...ways)
}

function badFields(schema: Schema): Arbitrary<Forbidden>[] {
  const whole = { ...schema, required: Object.keys(schema.properties ?? {}) }
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    ...(schema.required?.includes(name)
      ? [goodFields(whole).map(({ [name]: _, ...rest }) => ({ why: `required: ${name}`, text: toObject(rest) }))]
      : []),
    fc
      .tuple(goodFields(whole), bad(field))
      .map(([fields, { why, text: one }]) => ({ why: `${name}: ${why}`, text: toObject({ ...fields, [name]: one }) })),
  ])
}

/** The text of a parameter's value, which has no quotes. */
export function goodParameter({ schema }: Parameter): Arbitrary<string> {
  return good(schema).map((json) => (json.startsWith('"') ? JSON.parse(json) : json))
}

export function badParameter({ schema }: Parameter): Arbitrary<Forbidden> {
  const spelled = bad(schema).map(({ why, text: json }) => ({ why, text: json.startsWith('"') ? (JSON.parse(json) as string) : json }))
  if (resolve(schema).type !== 'integer') return spelled
  const spellings = fc
    .constantFrom('', ' 5', '5 ', '+5', '05', '5.0', '5e0', '0x5', '٥', '5,5', '-0', '५')
    .map((one) => ({ why: 'spelling', text: one }))
  // A parameter is text to begin with, so "1" is a good one.
  return fc.oneof(spelled, spellings).filter(({ text: one }) => !/^(?:0|-?[1-9]\d*)$/.test(one) || !fits(schema, BigInt(one)))
}

function fits({ minimum, maximum }: Schema, value: bigint): boolean {
  return value >= BigInt(minimum ?? -(2n ** 63n)) && value <= BigInt(maximum ?? 2n ** 63n - 1n)
}

function toObject(fields: Readonly<Record<string, string>>): string {
  return `{${Object.entries(fields)
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
    .join(',')}}`
}
