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

/** The types of the contract module. */
export function declareContract(
  openapi: Yaml,
  { operations }: CompiledContract,
  questions: readonly CompiledQuestion[],
): string {
  const schemas = Object.entries((openapi.components as { schemas: Record<string, Yaml> }).schemas)
  return [
    '/** A 64-bit integer: a number where a number holds it exactly, a bigint beyond. */',
    'export type Int64 = number | bigint',
    ...schemas.map(
      ([name, schema]) =>
        `/** ${schema.description} */\nexport type ${OWN.name(name)} = ${toType(schema, OWN)}`,
    ),
    '/** The operations of the contract, by their operationId. */',
    `export type OperationId = ${union(Object.keys(operations))}`,
    '/** What the contract says of one. */',
    'export type OperationContract = (typeof contract.operations)[OperationId]',
    '/** The parsed and validated input of each operation. */',
    `export interface OperationInputs {\n${Object.values(operations).map(declareInput).join('\n')}\n}`,
    '/** The choices for the questions that the spec leaves open. */',
    `export interface AssumptionChoices {\n${questions.map(declareChoices).join('\n')}\n}`,
    '/** The names of these questions. */',
    'export type AssumptionId = keyof AssumptionChoices',
  ].join('\n')
}

function declareInput({ operationId, parameters, body }: CompiledOperation): string {
  const fields = parameters.map(({ name, required, schema }) =>
    declareField(name, required || 'default' in schema, schema, OWN),
  )
  if (body) fields.push(`body: ${OWN.name(body.schemaName)}`)
  return `  ${operationId}: { ${fields.join('; ')} }`
}

function declareChoices({ id, question, default: chosen, choices }: CompiledQuestion): string {
  return `  /** ${question} Default: ${chosen}. */\n  '${id}': ${union(choices.map((choice) => choice.id))}`
}

/** The interfaces for typed clients. Paths are relative to the client's base address. */
export function declarePaths(openapi: Yaml, { operations }: CompiledContract): string {
  const schemas = Object.entries((openapi.components as { schemas: Record<string, Yaml> }).schemas)
  const lines = [
    '/** The schemas of the spec for typed clients. */',
    'export interface components {',
    '  /** By their names in the spec. */',
    '  schemas: {',
    ...schemas.map(([name, schema]) => `    ${name}: ${toType(schema, BODY)}`),
    '  }',
    '}',
    '',
    '/** The spec for typed clients, e.g. `createClient<paths>()` of openapi-fetch. In bodies integers are typed as number, as JSON.parse gives them; addresses also take a bigint. */',
    'export interface paths {',
  ]
  for (const [path, item] of children(open(openapi), 'paths')) {
    lines.push(`  /** The operations of ${path}. */`, `  '${path}': {`)
    for (const method of Object.keys(item.value)) {
      const operation = child(item, method)
      const { operationId, deprecated, description, summary } = operation.value
      const { parameters, body } = operations[operationId as string] as CompiledOperation
      lines.push(
        `    /** ${deprecated ? `@deprecated ${description}` : summary} */`,
        `    ${method}: {`,
        `      parameters: { ${PLACES.map((place) => declareParameters(place, parameters)).join('; ')} }`,
        `      ${body ? `requestBody: { ${declareContent({ $ref: body.schemaName })} }` : 'requestBody?: never'}`,
        '      responses: {',
        ...children(operation, 'responses').map(([status, response]) => {
          const content = declareResponse(status, response)
          return `        ${status}: { headers: Record<string, unknown>; ${content} }`
        }),
        '      }',
        '    }',
      )
    }
    lines.push('  }')
  }
  return [...lines, '}'].join('\n')
}

function declareParameters(place: string, all: CompiledOperation['parameters']): string {
  const here = all.filter((parameter) => parameter.in === place)
  if (here.length === 0) return `${place}?: never`
  const fields = here.map(({ name, required, schema }) =>
    declareField(name, required, schema, ADDRESS),
  )
  return `${place}${here.some(({ required }) => required) ? '' : '?'}: { ${fields.join('; ')} }`
}

function declareResponse(status: string, response: Part): string {
  if (status === '204') return 'content?: never'
  return declareContent(readContent(response).value.schema as Yaml)
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
  const fields = Object.entries((schema.properties as Record<string, Yaml> | undefined) ?? {})
  return `{ ${fields.map(([name, field]) => declareField(name, required.includes(name), field, spelling)).join('; ')} }`
}

function declareField(name: string, isRequired: boolean, schema: Yaml, spelling: Spelling): string {
  return `${name}${isRequired ? '' : '?'}: ${toType(schema, spelling)}`
}

function union(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(' | ')
}
