// Turns the contract into the cells of coverage: what a client can try at each operation, response,
// parameter and body field.
import { createHash } from 'node:crypto'
import type { CompiledContract, CompiledOperation, CompiledSchema } from './read-contract.ts'

/** A parameter, or a field of the body. */
type Field = Omit<CompiledOperation['parameters'][number], 'required'>

/** Gives the next number to a cell. */
type NumberCell = (name: string) => number

/**
 * The name of the contract that the cells are of, their names, and by operation their numbers: of
 * each status, parameter and body field.
 */
export function compileCoverage(contract: CompiledContract) {
  const cells: string[] = []
  const numberCell = (name: string) => {
    cells.push(name)
    return cells.length - 1
  }
  const operations = Object.fromEntries(
    Object.values(contract.operations).map((operation, index) => {
      return [operation.operationId, { index, ...compileOperation(operation, numberCell) }]
    }),
  )
  // Coverage of the same cells of the same contract can be added up; prose does not matter.
  const hash = createHash('sha256').update(JSON.stringify(contract)).digest('hex').slice(0, 16)
  return { name: `${contract.title} ${contract.version} (${hash})`, cells, operations }
}

function compileOperation(operation: CompiledOperation, numberCell: NumberCell) {
  const { operationId, statuses, parameters, body } = operation
  const properties = Object.entries(body?.schema.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'body',
    schema,
  }))
  const all = [...parameters, ...properties]
  // A field of the body may have the name of a parameter.
  const isAmbiguous = ({ name }: Field) => all.filter((one) => one.name === name).length > 1
  const compile = (field: Field) => {
    const place = isAmbiguous(field) ? `${field.in}.` : ''
    return compileField(field, `${operationId}.${place}${field.name}`, numberCell)
  }
  return {
    called: numberCell(operationId),
    statuses: Object.fromEntries(
      statuses.map((status) => [status, numberCell(`${operationId}.${status}`)]),
    ),
    parameters: parameters.map(compile),
    bodyFields: properties.map(compile),
  }
}

/**
 * A field with its bounds, the cells of its classes, and those of its single values if it lists
 * them.
 */
function compileField({ name, in: place, schema }: Field, start: string, numberCell: NumberCell) {
  const { type } = schema
  const values = schema.enum as string[] | undefined
  const { low, high } = values ? {} : toBounds(schema)
  // No string is shorter than the empty one.
  const isBounded =
    values !== undefined ||
    high !== undefined ||
    (type === 'integer' ? low !== undefined : low !== 0)
  const classes = {
    // A path without its parameter is another path.
    absent: place !== 'path',
    lowest: low !== undefined,
    highest: high !== undefined,
    inside: values === undefined,
    outside: isBounded,
    malformed: true,
  }
  const numberCells = (names: readonly string[]) => {
    return Object.fromEntries(names.map((cell) => [cell, numberCell(`${start}=${cell}`)]))
  }
  const existing = Object.entries(classes).filter(([, exists]) => exists)
  return {
    name,
    in: place,
    type,
    low,
    high,
    cells: numberCells(existing.map(([cell]) => cell)),
    values: values && numberCells(values),
  }
}

/** The bounds of an integer, or of the length of a string. */
function toBounds({ type, format, minimum, maximum, minLength = 0, maxLength }: CompiledSchema): {
  low?: unknown
  high?: unknown
} {
  if (type !== 'integer') return { low: minLength, high: maxLength }
  const natural = format === 'int64' ? { low: -(2n ** 63n), high: 2n ** 63n - 1n } : {}
  return { low: minimum ?? natural.low, high: maximum ?? natural.high }
}
