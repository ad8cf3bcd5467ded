// The contract for typed clients: the interface `paths`, in the shape that openapi-typescript generates.
import { dereference } from '../src/contract/dereference.ts'
import type { Yaml } from './compiled.ts'
import { type Spelling, toType } from './to-types.ts'

/** Clients read bodies with JSON.parse, so an int64 is a number to them, rounded or not; nor can JSON.stringify write a bigint. */
const BODY: Spelling = { int64: 'number', name: (schema) => `Schemas['${schema}']` }
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
    `interface Schemas {\n${Object.entries(schemas)
      .map(([name, schema]) => `  ${name}: ${toType(schema, BODY)}`)
      .join('\n')}\n}`,
    `/** The contract for typed clients, e.g. \`createClient<paths>()\` of openapi-fetch. In bodies integers are typed as number, as JSON.parse gives them; in addresses a bigint will do too. */
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
