// Turns the contract into the cells of coverage: what a client can try at each operation, response,
// parameter and body field.
import { createHash } from 'node:crypto'
import type { CompiledContract, CompiledOperation, CompiledSchema } from './read-contract.ts'

/** A parameter, or a field of the body. */
type Field = Omit<CompiledOperation['parameters'][number], 'required'>

/**
 * The name of the contract that the cells are of; the cells of each operation by status, and by
 * parameter and body field.
 */
export function compileCoverage(contract: CompiledContract) {
  const operations = Object.fromEntries(
    Object.values(contract.operations).map((one) => [one.operationId, compileOperation(one)]),
  )
  // Coverage of the same cells of the same contract can be added up; prose does not matter.
  const hash = createHash('sha256').update(JSON.stringify(contract)).digest('hex').slice(0, 16)
  return { name: `${contract.title} ${contract.version} (${hash})`, operations }
}

function compileOperation({ operationId, statuses, parameters, body }: CompiledOperation) {
  const properties = Object.entries(body?.schema.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'body',
    schema,
  }))
  const all = [...parameters, ...properties]
  // A field of the body may have the name of a parameter.
  const isAmbiguous = ({ name }: Field) => all.filter((one) => one.name === name).length > 1
  return {
    statuses: Object.fromEntries(statuses.map((status) => [status, `${operationId}.${status}`])),
    fields: all.map((field) =>
      compileField(
        field,
        `${operationId}.${isAmbiguous(field) ? `${field.in}.` : ''}${field.name}`,
      ),
    ),
  }
}

/**
 * A field with its bounds, the cells of its classes, and those of its single values if it lists
 * them.
 */
function compileField({ name, in: place, schema }: Field, start: string) {
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
  const cells = Object.entries(classes).flatMap(([cell, exists]) =>
    exists ? [[cell, `${start}=${cell}`]] : [],
  )
  return {
    name,
    in: place,
    type,
    low,
    high,
    cells: Object.fromEntries(cells),
    values: values && Object.fromEntries(values.map((value) => [value, `${start}=${value}`])),
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
