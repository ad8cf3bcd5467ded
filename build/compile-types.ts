// Types from the spec: those of the contract module, and `paths` and `components` for typed clients, in the shape that openapi-typescript
// generates. openapi-typescript itself needs TypeScript 5.

import type { CompiledAssumption, CompiledOperation, CompiledSchema } from './compile-contract.ts'
import { dereference, type Yaml } from './dereference.ts'

/** Names that are already taken: `Error` is a global. */
const RENAMED: Record<string, string> = { Error: 'ApiErrorBody' }

/** How a type refers to other schemas, and how it writes an int64. */
interface Spelling {
  readonly int64: string
  name(schema: string): string
}

const OWN: Spelling = { int64: 'Int64', name: typeName }

export function toTypes(
  schemas: Record<string, Yaml>,
  operations: Record<string, CompiledOperation>,
  assumptions: CompiledAssumption[],
): string {
  return [
    '/** A 64-bit integer: a number where a number holds it exactly, a bigint beyond. */',
    'export type Int64 = number | bigint',
    ...Object.entries(schemas).map(([name, schema]) => declare(name, schema)),
    `/** The operations of the contract, by their operationId. */`,
    `export type OperationId = ${union(Object.keys(operations))}`,
    '/** The parsed and validated input of each operation. */',
    `export interface OperationInputs {\n${Object.values(operations).map(toInput).join('\n')}\n}`,
    '/** The choices for the questions that the spec leaves open. */',
    `export interface AssumptionChoices {\n${assumptions.map(toChoice).join('\n')}\n}`,
    '/** The names of these questions. */',
    'export type AssumptionId = keyof AssumptionChoices',
  ].join('\n')
}

function toChoice({ id, question, default: chosen, choices }: CompiledAssumption): string {
  return `  /** ${question} Default: ${chosen}. */\n  '${id}': ${union(choices.map((choice) => choice.id))}`
}

function declare(name: string, schema: Yaml): string {
  return `/** ${schema.description} */\nexport type ${typeName(name)} = ${toType(schema)}`
}

function toInput(operation: CompiledOperation): string {
  const fields = operation.parameters.map((parameter) => {
    const sure = parameter.required || parameter.schema.default !== undefined
    return `${parameter.name}${sure ? '' : '?'}: ${toType(parameter.schema)}`
  })
  if (operation.body) fields.push(`body: ${typeName(operation.body.schemaName)}`)
  return `  ${operation.operationId}: { ${fields.join('; ')} }`
}

function toType(schema: Yaml | CompiledSchema, spelling = OWN): string {
  const inner = (part: unknown) => toType(part as Yaml, spelling)
  if (typeof schema.$ref === 'string') return spelling.name(schema.$ref.split('/').pop() as string)
  if (Array.isArray(schema.allOf)) return schema.allOf.map(inner).join(' & ')
  if (Array.isArray(schema.enum)) return union(schema.enum as string[])
  switch (schema.type) {
    case 'object': {
      const required = (schema.required as string[] | undefined) ?? []
      const fields = Object.entries((schema.properties as Record<string, Yaml> | undefined) ?? {})
      return `{ ${fields.map(([name, part]) => `${name}${required.includes(name) ? '' : '?'}: ${inner(part)}`).join('; ')} }`
    }
    case 'array':
      return `${inner(schema.items)}[]`
    case 'integer':
      return schema.format === 'int64' ? spelling.int64 : 'number'
    case 'number':
    case 'string':
    case 'boolean':
      return schema.type
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`)
  }
}

function union(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(' | ')
}

function typeName(name: string): string {
  return RENAMED[name] ?? name
}

/** Clients read bodies with JSON.parse, so an int64 is a number to them, rounded or not; nor can JSON.stringify write a bigint. */
const BODY: Spelling = { int64: 'number', name: (schema) => `components['schemas']['${schema}']` }
/** Parts of an address are written as text, and a bigint is exact there. */
const ADDRESS: Spelling = { ...BODY, int64: 'number | bigint' }
const PLACES = ['query', 'header', 'path', 'cookie']

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Yaml
}

/** The text of the module with that interface. Paths are relative to the client's base address. */
export function compilePaths(openapi: Yaml): string {
  const { schemas } = openapi.components as { schemas: Record<string, Yaml> }
  return [
    '// Made by `npm run build` from spec/openapi.yaml: change that, not this.',
    `/** The schemas of the spec for typed clients. */\nexport interface components {\n  /** By their names in the spec. */\n  schemas: {\n${Object.entries(
      schemas,
    )
      .map(([name, schema]) => `    ${name}: ${toType(schema, BODY)}`)
      .join('\n')}\n  }\n}`,
    `/** The spec for typed clients, e.g. \`createClient<paths>()\` of openapi-fetch. In bodies integers are typed as number, as JSON.parse gives them; addresses also take a bigint. */
export interface paths {\n${Object.entries(openapi.paths as Record<string, Yaml>)
      .map((entry) => toPath(openapi, ...entry))
      .join('\n')}\n}`,
    '',
  ].join('\n\n')
}

function toPath(openapi: Yaml, path: string, item: Yaml): string {
  return `  /** The operations of ${path}. */\n  '${path}': {\n${Object.entries(item)
    .map(([method, operation]) => toOperation(openapi, method, operation as Yaml))
    .join('\n')}\n  }`
}

function toOperation(openapi: Yaml, method: string, operation: Yaml): string {
  const parameters = ((operation.parameters as Parameter[] | undefined) ?? []).map((parameter) => dereference(openapi, parameter))
  const body = operation.requestBody === undefined ? undefined : dereference(openapi, operation.requestBody as Yaml)
  const responses = Object.entries(operation.responses as Record<string, Yaml>)
  return [
    `    /** ${operation.deprecated ? `@deprecated ${operation.description}` : operation.summary} */`,
    `    ${method}: {`,
    `      parameters: { ${PLACES.map((place) => toPlace(place, parameters)).join('; ')} }`,
    `      ${body ? `requestBody${body.required ? '' : '?'}: ${toContent(body)}` : 'requestBody?: never'}`,
    '      responses: {',
    ...responses.map(
      ([status, response]) => `        ${status}: ${toContent(dereference(openapi, response), 'headers: Record<string, unknown>; ')}`,
    ),
    '      }',
    '    }',
  ].join('\n')
}

function toPlace(place: string, all: readonly Parameter[]): string {
  const here = all.filter((parameter) => parameter.in === place)
  if (here.length === 0) return `${place}?: never`
  const fields = here.map(({ name, required, schema }) => `${name}${required ? '' : '?'}: ${toType(schema, ADDRESS)}`)
  return `${place}${here.some(({ required }) => required) ? '' : '?'}: { ${fields.join('; ')} }`
}

function toContent({ content }: Yaml, before = ''): string {
  const media = Object.entries(content as Record<string, { schema: Yaml }>)
  return `{ ${before}content: { ${media.map(([type, { schema }]) => `'${type}': ${toType(schema, BODY)}`).join('; ')} } }`
}
