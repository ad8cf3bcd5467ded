// Types from the spec: those of the contract module, and `paths` and `components` for typed
// clients, in the shape that openapi-typescript generates. openapi-typescript itself needs
// TypeScript 5.
import {
  type CompiledContract,
  type CompiledOperation,
  type CompiledQuestion,
  child,
  children,
  open,
  type Part,
  readContent,
  type Yaml,
} from './read-contract.ts'

/** How a type refers to other schemas, and how it writes an int64. */
interface Spelling {
  readonly int64: string
  name(schema: string): string
}

/** `Error` is a global. */
const OWN: Spelling = {
  int64: 'Int64',
  name: (schema) => (schema === 'Error' ? 'ApiErrorBody' : schema),
}
/**
 * Clients read bodies with JSON.parse, so an int64 is a number to them, rounded or not; nor can
 * JSON.stringify write a bigint.
 */
const BODY: Spelling = { int64: 'number', name: (schema) => `components['schemas']['${schema}']` }
/** Parts of an address are written as text, and a bigint is exact there. */
const ADDRESS: Spelling = { ...BODY, int64: 'number | bigint' }
const PLACES = ['query', 'header', 'path', 'cookie']

type Schemas = Readonly<Record<string, Yaml>>

/** The types of the contract module. */
export function declareContract(
  openapi: Yaml,
  { operations }: CompiledContract,
  questions: readonly CompiledQuestion[],
): string {
  const { schemas } = openapi.components as { schemas: Schemas }
  const lines = [
    '/** A 64-bit integer: a number where a number holds it exactly, a bigint beyond. */',
    'export type Int64 = number | bigint',
  ]
  for (const [name, schema] of Object.entries(schemas)) {
    lines.push(`/** ${schema.description} */`)
    lines.push(`export type ${OWN.name(name)} = ${toType(schema, OWN)}`)
  }
  lines.push(
    '/** The operations of the contract, by their operationId. */',
    `export type OperationId = ${union(Object.keys(operations))}`,
    '/** What the contract says of one. */',
    'export type OperationContract = (typeof contract.operations)[OperationId]',
    '/** The parsed and validated input of each operation. */',
    'export interface OperationInputs {',
    ...Object.values(operations).map(declareInput),
    '}',
    '/** The choices for the questions that the spec leaves open. */',
    'export interface AssumptionChoices {',
    ...questions.map(declareChoices),
    '}',
    '/** The names of these questions. */',
    'export type AssumptionId = keyof AssumptionChoices',
  )
  return lines.join('\n')
}

function declareInput({ operationId, parameters, body }: CompiledOperation): string {
  const fields = parameters.map(({ name, required, schema }) =>
    declareField(name, required || 'default' in schema, schema, OWN),
  )
  if (body) fields.push(`body: ${OWN.name(body.schemaName)}`)
  return `  ${operationId}: { ${fields.join('; ')} }`
}

function declareChoices({ id, question, default: chosen, choices }: CompiledQuestion): string {
  const type = union(choices.map((choice) => choice.id))
  return `  /** ${question} Default: ${chosen}. */\n  '${id}': ${type}`
}

/** The interfaces for typed clients. Paths are relative to the client's base address. */
export function declarePaths(openapi: Yaml, { operations }: CompiledContract): string {
  const { schemas } = openapi.components as { schemas: Schemas }
  const lines = [
    '/** The schemas of the spec for typed clients. */',
    'export interface components {',
    '  /** By their names in the spec. */',
    '  schemas: {',
  ]
  for (const [name, schema] of Object.entries(schemas))
    lines.push(`    ${name}: ${toType(schema, BODY)}`)
  lines.push(
    '  }',
    '}',
    '',
    '/** The spec for typed clients, e.g. `createClient<paths>()` of openapi-fetch. In bodies ' +
      'integers are typed as number, as JSON.parse gives them; addresses also take a bigint. */',
    'export interface paths {',
  )
  for (const [path, item] of children(open(openapi), 'paths')) {
    lines.push(`  /** The operations of ${path}. */`, `  '${path}': {`)
    for (const method of Object.keys(item.value)) {
      const operation = child(item, method)
      const compiled = operations[operation.value.operationId as string] as CompiledOperation
      lines.push(...declareOperation(method, operation, compiled))
    }
    lines.push('  }')
  }
  lines.push('}')
  return lines.join('\n')
}

function declareOperation(method: string, operation: Part, compiled: CompiledOperation): string[] {
  const { deprecated, description, summary } = operation.value
  const { parameters, body } = compiled
  const places = PLACES.map((place) => declareParameters(place, parameters))
  const lines = [
    `    /** ${deprecated ? `@deprecated ${description}` : summary} */`,
    `    ${method}: {`,
    `      parameters: { ${places.join('; ')} }`,
  ]
  if (body) lines.push(`      requestBody: { ${declareContent({ $ref: body.schemaName })} }`)
  else lines.push('      requestBody?: never')
  lines.push('      responses: {')
  for (const [status, response] of children(operation, 'responses')) {
    const content = declareResponse(status, response)
    lines.push(`        ${status}: { headers: Record<string, unknown>; ${content} }`)
  }
  lines.push('      }', '    }')
  return lines
}

function declareResponse(status: string, response: Part): string {
  if (status === '204') return 'content?: never'
  return declareContent(readContent(response).value.schema as Yaml)
}

function declareParameters(place: string, all: CompiledOperation['parameters']): string {
  const here = all.filter((parameter) => parameter.in === place)
  if (here.length === 0) return `${place}?: never`
  const fields = here.map(({ name, required, schema }) =>
    declareField(name, required, schema, ADDRESS),
  )
  return `${place}${here.some(({ required }) => required) ? '' : '?'}: { ${fields.join('; ')} }`
}

function declareContent(schema: Yaml): string {
  return `content: { 'application/json': ${toType(schema, BODY)} }`
}

function toType(schema: Yaml, spelling: Spelling): string {
  const inner = (part: unknown) => toType(part as Yaml, spelling)
  if (typeof schema.$ref === 'string') return spelling.name(schema.$ref.split('/').pop() as string)
  if (Array.isArray(schema.allOf)) return schema.allOf.map(inner).join(' & ')
  if (Array.isArray(schema.enum)) return union(schema.enum)
  if (schema.type === 'array') return `${inner(schema.items)}[]`
  if (schema.type === 'integer') return schema.format === 'int64' ? spelling.int64 : 'number'
  if (schema.type === 'string') return 'string'
  const required = (schema.required as string[] | undefined) ?? []
  const properties = (schema.properties as Schemas | undefined) ?? {}
  const fields = Object.entries(properties).map(([name, field]) =>
    declareField(name, required.includes(name), field, spelling),
  )
  return `{ ${fields.join('; ')} }`
}

function declareField(name: string, isRequired: boolean, schema: Yaml, spelling: Spelling): string {
  const type = toType(schema, spelling)
  if (isRequired) return `${name}: ${type}`
  // The mock takes a field that is undefined for one that is absent.
  return spelling === OWN ? `${name}?: ${type} | undefined` : `${name}?: ${type}`
}

function union(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(' | ')
}
