// Turns the contract into the cells of coverage: what a client can try at each operation, response, parameter and body field.
import { createHash } from 'node:crypto'
import { toJson } from '../src/contract/int64-json.ts'
import type { CompiledContract, CompiledOperation, CompiledSchema } from './compile-contract.ts'

interface Field {
  readonly name: string
  readonly in: string
  readonly schema: CompiledSchema
}

const INT64 = { low: -(2n ** 63n), high: 2n ** 63n - 1n }

/** The text of the module with the cells. */
export function compileCoverage(contract: CompiledContract): string {
  const operations = Object.fromEntries(Object.values(contract.operations).map((one) => [one.operationId, compileOperation(one)]))
  // Coverage of the same cells of the same contract can be added up; prose does not matter.
  const hash = createHash('sha256').update(JSON.stringify(contract)).digest('hex').slice(0, 16)
  return [
    '// Made by `npm run build` from spec/openapi.yaml: change that, not this.',
    `/** The contract that the cells are of. */\nexport const coveredContract = ${JSON.stringify(`${contract.title} ${contract.version} (${hash})`)}`,
    `/** The cells of each operation by status, and by parameter and body field. */\nexport const coveredOperations = ${toSource(operations)} as const`,
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

/** A field with its bounds, the cells of its classes, and those of its single values if it lists them. */
function compileField({ name, in: place, schema }: Field, start: string) {
  const { type } = schema
  const values = schema.enum as string[] | undefined
  const { low, high } = values ? {} : toBounds(schema)
  const classes = values ? ['outside'] : toClasses(type, low, high)
  // A path without its parameter is another path.
  const cells = [...(place === 'path' ? [] : ['absent']), ...classes, 'malformed']
  return {
    name,
    in: place,
    type,
    low,
    high,
    cells: Object.fromEntries(cells.map((cell) => [cell, `${start}=${cell}`])),
    values: values && Object.fromEntries(values.map((value) => [value, `${start}=${value}`])),
  }
}

interface Bounds {
  readonly low?: number | bigint
  readonly high?: number | bigint
}

/** The bounds of an integer, or of the length of a string. */
function toBounds({ type, format, minimum, maximum, minLength = 0, maxLength }: CompiledSchema): Bounds {
  if (type !== 'integer') return { low: minLength, high: maxLength } as Bounds
  const natural: Bounds = format === 'int64' ? INT64 : {}
  return { low: minimum ?? natural.low, high: maximum ?? natural.high } as Bounds
}

function toClasses(type: unknown, low: Bounds['low'], high: Bounds['high']): string[] {
  // No string is shorter than the empty one.
  const isBounded = high !== undefined || (low !== undefined && (low !== 0 || type === 'integer'))
  return [...(low === undefined ? [] : ['lowest']), ...(high === undefined ? [] : ['highest']), 'inside', ...(isBounded ? ['outside'] : [])]
}

/** JSON with bigints as JavaScript writes them. */
function toSource(value: unknown): string {
  return toJson(value).replace(/-?\d{16,}/g, '$&n')
}
