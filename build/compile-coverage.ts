// Turns the contract into the cells of coverage: what a client can try at each operation, response, parameter and body field.
import { createHash } from 'node:crypto'
import type { CompiledContract, CompiledOperation, CompiledSchema } from './compile-contract.ts'

/** A parameter or a body field: the part of its schema that tells malformed values, its bounds, and the cells of its values. */
interface CompiledField {
  name: string
  in: string
  type?: string
  pattern?: string
  format?: string
  low?: number | bigint
  high?: number | bigint
  /** By class. */
  cells: Record<string, string>
  /** By single value, if the field lists them. */
  values?: Record<string, string>
}

const CLASSES = ['absent', 'lowest', 'highest', 'inside', 'outside', 'malformed']
/** The keywords that decide whether a value is malformed; the others are bounds. */
const SHAPE = ['type', 'pattern', 'format'] as const
const INT64 = { low: -(2n ** 63n), high: 2n ** 63n - 1n }

/** The text of the module with the cells. */
export function compileCoverage(contract: CompiledContract): string {
  const operations = Object.fromEntries(Object.values(contract.operations).map((one) => [one.operationId, compileOperation(one)]))
  const cells = Object.entries(operations).flatMap(([id, { statuses, fields }]) => [
    id,
    ...Object.values(statuses),
    ...fields.flatMap((field) => [...Object.values(field.cells), ...Object.values(field.values ?? {})]),
  ])
  // Coverage of the same cells of the same contract can be added up; prose does not matter.
  const hash = createHash('sha256').update(JSON.stringify(contract)).digest('hex').slice(0, 16)
  return [
    '// Made by `npm run build` from spec/openapi.yaml: change that, not this.',
    `/** The contract that the cells are of. */\nexport const coveredContract = ${JSON.stringify(`${contract.title} ${contract.version} (${hash})`)}`,
    `/** Every cell, in the order of the contract. */\nexport const coveredCells = ${JSON.stringify(cells, null, 2)}`,
    `/** The cells of each operation by status, and by parameter and body field. */\nexport const coveredOperations = ${toSource(operations)}`,
    '',
  ].join('\n\n')
}

function compileOperation({ operationId, statuses, parameters, body }: CompiledOperation) {
  const properties = Object.entries(body?.schema.properties ?? {}).map(([name, schema]) => ({ name, in: 'body', schema }))
  const all = [...parameters, ...properties]
  // A field of the body may have the name of a parameter.
  const isAmbiguous = ({ name }: Field) => all.filter((one) => one.name === name).length > 1
  return {
    statuses: Object.fromEntries(statuses.map((status) => [status, `${operationId}.${status}`])),
    fields: all.map((field) => compileField(field, `${operationId}.${isAmbiguous(field) ? `${field.in}.` : ''}${field.name}`)),
  }
}

interface Field {
  readonly name: string
  readonly in: string
  readonly schema: CompiledSchema
}

function compileField({ name, in: place, schema }: Field, start: string): CompiledField {
  const bounds = toBounds(schema)
  // A path without its parameter is another path.
  const own = ['malformed', ...toClasses(schema, bounds), ...(place === 'path' ? [] : ['absent'])]
  const values = schema.type === 'boolean' ? ['true', 'false'] : (schema.enum as string[] | undefined)
  // A value with the name of a class gets quotes.
  const cellOf = (value: string) => [value, `${start}=${own.includes(value) ? `"${value}"` : value}`]
  return {
    name,
    in: place,
    ...Object.fromEntries(SHAPE.filter((keyword) => schema[keyword] !== undefined).map((keyword) => [keyword, schema[keyword]])),
    ...bounds,
    cells: Object.fromEntries(CLASSES.filter((name) => own.includes(name)).map((name) => [name, `${start}=${name}`])),
    ...(values ? { values: Object.fromEntries(values.map(cellOf)) } : {}),
  }
}

/** The classes that a value of the right type can have, without the single values. */
function toClasses(schema: CompiledSchema, { low, high }: Bounds): string[] {
  if (schema.enum) return ['outside']
  if (schema.type === 'boolean') return []
  // A string cannot be shorter than the empty one.
  const isBounded = high !== undefined || (low !== undefined && (low !== 0 || isNumeric(schema)))
  return [
    ...(low === undefined ? [] : ['lowest']),
    ...(high === undefined || high === low ? [] : ['highest']),
    ...(isAdjacent(schema, low, high) ? [] : ['inside']),
    ...(isBounded ? ['outside'] : []),
  ]
}

interface Bounds {
  low?: number | bigint
  high?: number | bigint
}

/** The bounds of the value itself, or of the length of a string or list, which is never below 0. */
function toBounds(schema: CompiledSchema): Bounds {
  if (schema.enum) return {}
  const natural: Bounds = schema.format === 'int64' ? INT64 : {}
  const [low, high] = isNumeric(schema)
    ? [schema.minimum ?? natural.low, schema.maximum ?? natural.high]
    : schema.type === 'string'
      ? [schema.minLength ?? 0, schema.maxLength]
      : schema.type === 'array'
        ? [schema.minItems ?? 0, schema.maxItems]
        : []
  return { ...(low === undefined ? {} : { low: low as number | bigint }), ...(high === undefined ? {} : { high: high as number | bigint }) }
}

function isNumeric({ type }: CompiledSchema): boolean {
  return type === 'integer' || type === 'number'
}

/** Whether there is nothing between the two bounds. */
function isAdjacent(schema: CompiledSchema, low: number | bigint | undefined, high: number | bigint | undefined): boolean {
  if (low === undefined || high === undefined) return false
  return schema.type === 'number' ? low === high : BigInt(high) - BigInt(low) < 2n
}

/** JSON with bigints as JavaScript writes them. */
function toSource(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part), 2).replace(/"(-?\d{16,}n)"/g, '$1')
}
