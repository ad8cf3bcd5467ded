// Turns the contract into the cells of coverage: what a client can try at each operation, response, parameter and body field.
import { createHash } from 'node:crypto'
import type { CompiledContract, CompiledOperation, CompiledSchema } from './compile-contract.ts'

/** A parameter or a body field, as a schema of what can be read at all, and with what tells its values apart. */
interface CompiledField {
  name: string
  in: string
  type?: string
  pattern?: string
  format?: string
  low?: number | bigint
  high?: number | bigint
  /** What its cells begin with, if not with the name: a field of the body may be called like a parameter. */
  path?: string
  /** In the order of CLASSES, empty where there is none, then the single values. */
  classes: string[]
  /** How often a value of each class was sent. */
  counts: number[]
}

const CLASSES = ['absent', 'lowest', 'highest', 'inside', 'outside', 'malformed']
/** The keywords that decide whether a value can be read at all; the others are bounds. */
const SHAPE = ['type', 'pattern', 'format'] as const
const INT64 = { low: -(2n ** 63n), high: 2n ** 63n - 1n }

/** The text of the module with the cells. */
export function compileCoverage(contract: CompiledContract): string {
  const operations = Object.fromEntries(Object.values(contract.operations).map((one) => [one.operationId, toCells(one)]))
  // Counts of the same contract can be added up; prose does not matter.
  const hash = createHash('sha256').update(JSON.stringify(contract)).digest('hex').slice(0, 16)
  return [
    '// Made by `npm run build` from spec/openapi.yaml: change that, not this.',
    `/** The contract that the cells are of. */\nexport const coveredContract = ${JSON.stringify(`${contract.title} ${contract.version} (${hash})`)}`,
    `/** Every cell, not tried yet. */\nexport const createCells = () => (${toSource(operations)})`,
    '',
  ].join('\n\n')
}

function toCells({ statuses, parameters, body }: CompiledOperation) {
  const properties = Object.entries(body?.schema.properties ?? {}).map(([name, schema]) => ({ name, in: 'body', schema }))
  const all = [...parameters, ...properties]
  const isAmbiguous = ({ name }: Field) => all.filter((one) => one.name === name).length > 1
  return {
    calls: 0,
    statuses,
    counts: statuses.map(() => 0),
    fields: all.map((field) => toField(field, isAmbiguous(field) ? { path: `${field.in}.${field.name}` } : {})),
  }
}

interface Field {
  readonly name: string
  readonly in: string
  readonly schema: CompiledSchema
}

function toField({ name, in: place, schema }: Field, path: { path?: string }): CompiledField {
  const bounds = toBounds(schema)
  // A path without its parameter is another path.
  const own = ['malformed', ...toClasses(schema, bounds), ...(place === 'path' ? [] : ['absent'])]
  const values = schema.type === 'boolean' ? ['true', 'false'] : ((schema.enum as string[] | undefined) ?? [])
  const classes = [...CLASSES.map((name) => (own.includes(name) ? name : '')), ...values]
  return {
    name,
    in: place,
    ...Object.fromEntries(SHAPE.filter((keyword) => schema[keyword] !== undefined).map((keyword) => [keyword, schema[keyword]])),
    ...bounds,
    ...path,
    classes,
    counts: classes.map(() => 0),
  }
}

/** Those that a value of the right type can have, beside the single values. */
function toClasses(schema: CompiledSchema, { low, high }: Bounds): string[] {
  if (schema.enum) return ['outside']
  if (schema.type === 'boolean') return []
  // No text is shorter than an empty one.
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

/** Of the value itself, or of the length of a text or list, which has a lowest one by nature. */
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
