// Turns spec/openapi.yaml and spec/assumptions.yaml into the contract module: plain data and the types that go with it.
// A keyword the engine would not honour stops the build, so that the YAML never says more than the mock does.
import type { CompiledAssumption, CompiledOperation, CompiledSchema, Yaml } from './compiled.ts'
import { toTypes } from './to-types.ts'

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace']

const HONOURED = new Set([
  'type',
  'format',
  'enum',
  'const',
  'required',
  'properties',
  'additionalProperties',
  'items',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'default',
  'oneOf',
])
const PROSE = new Set(['description', 'title', 'example', 'examples', 'deprecated'])

/** The text of the contract module for these two documents. */
export function compileContract(openapi: Yaml, assumptions: Yaml[]): string {
  const basePath = readBasePath(openapi)
  const components = openapi.components as Record<string, Yaml>
  const schemas: Record<string, CompiledSchema> = {}
  for (const [name, schema] of Object.entries(components.schemas ?? {})) {
    schemas[name] = resolve(openapi, schema as Yaml, `components.schemas.${name}`)
  }
  const info = openapi.info as Yaml
  const contract = { title: info.title, version: info.version, basePath, operations: readOperations(openapi, basePath), schemas }
  const ledger = assumptions.map((raw) => readAssumption(raw, schemas))
  return [
    '// Made by `npm run build` from spec/openapi.yaml and spec/assumptions.yaml: change those, not this.',
    `export const contract = ${JSON.stringify(contract, null, 2)} as const`,
    `export const assumptions = ${JSON.stringify(ledger, null, 2)} as const`,
    toTypes(components.schemas as Record<string, Yaml>, contract.operations, ledger),
    '',
  ].join('\n\n')
}

/** The path that every server address ends in; the mock serves it on its own address. */
function readBasePath(openapi: Yaml): string {
  const paths = (openapi.servers as { url: string; variables?: Record<string, { default: string }> }[]).map((server) => {
    const address = server.url.replace(/\{(\w+)\}/g, (_, name) => server.variables?.[name]?.default ?? '')
    return new URL(address).pathname.replace(/\/$/, '')
  })
  const [first] = paths
  if (first === undefined || paths.some((path) => path !== first))
    throw new Error(`servers: expected one base path, got ${paths.join(', ')}`)
  return first
}

function readOperations(openapi: Yaml, basePath: string): Record<string, CompiledOperation> {
  const operations: Record<string, CompiledOperation> = {}
  for (const [path, item] of Object.entries(openapi.paths as Record<string, Yaml>)) {
    for (const [method, raw] of Object.entries(item)) {
      if (!METHODS.includes(method)) throw new Error(`paths.${path}.${method}: not honoured by the mock`)
      const operation = raw as Yaml
      const operationId = operation.operationId as string
      const statuses = Object.keys(operation.responses as Yaml).map(Number)
      operations[operationId] = {
        operationId,
        method: method.toUpperCase(),
        path: basePath + path,
        deprecated: operation.deprecated === true,
        sunset: (operation['x-sunset'] as string | undefined) ?? null,
        parameters: ((operation.parameters as Yaml[] | undefined) ?? []).map((parameter) => ({
          name: parameter.name as string,
          in: parameter.in as string,
          required: parameter.required === true,
          schema: resolve(openapi, parameter.schema as Yaml, `${operationId}.${parameter.name}`),
        })),
        body: readBody(openapi, operation),
        success: statuses.find((status) => status < 400) ?? 200,
        statuses,
      }
    }
  }
  return operations
}

function readBody(openapi: Yaml, operation: Yaml): CompiledOperation['body'] {
  const body = operation.requestBody as { required?: boolean; content: Record<string, { schema: Yaml }> } | undefined
  if (!body) return null
  const mediaTypes = Object.keys(body.content)
  const [schema, ...others] = Object.values(body.content).map((media) => media.schema)
  if (!schema || others.length > 0)
    throw new Error(`${operation.operationId}: expected a body of one media type, got ${mediaTypes.join(', ')}`)
  return {
    required: body.required === true,
    mediaTypes,
    schema: resolve(openapi, schema, `${operation.operationId}.requestBody`),
    schemaName: String(schema.$ref).split('/').pop() as string,
  }
}

/** The schema with `$ref` and `allOf` worked in, prose left out, and every other keyword known to the engine. */
function resolve(openapi: Yaml, schema: Yaml, at: string): CompiledSchema {
  if (typeof schema.$ref === 'string') return resolve(openapi, dereference(openapi, schema.$ref), schema.$ref)
  if (Array.isArray(schema.allOf)) {
    return schema.allOf.map((part) => resolve(openapi, part as Yaml, at)).reduce(merge)
  }
  const compiled: CompiledSchema = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (PROSE.has(keyword) || keyword.startsWith('x-')) continue
    if (!HONOURED.has(keyword)) throw new Error(`${at}: the keyword ${keyword} is not honoured by the mock`)
    compiled[keyword] = value
  }
  if (schema.properties) {
    compiled.properties = Object.fromEntries(
      Object.entries(schema.properties as Record<string, Yaml>).map(([name, part]) => [name, resolve(openapi, part, `${at}.${name}`)]),
    )
  }
  if (schema.items) compiled.items = resolve(openapi, schema.items as Yaml, `${at}[]`)
  return compiled
}

function dereference(openapi: Yaml, ref: string): Yaml {
  const target = ref
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((node, key) => (node as Yaml | undefined)?.[key], openapi)
  if (target === undefined) throw new Error(`${ref}: no such part of the document`)
  return target as Yaml
}

function merge(left: CompiledSchema, right: CompiledSchema): CompiledSchema {
  return {
    ...left,
    ...right,
    required: [...(left.required ?? []), ...(right.required ?? [])],
    properties: { ...left.properties, ...right.properties },
  }
}

/** `choicesOf` names an enumeration of the contract: each of its values is one more choice. */
function readAssumption(raw: Yaml, schemas: Record<string, CompiledSchema>): CompiledAssumption {
  const choices = Object.entries(raw.choices as Record<string, string>).map(([id, meaning]) => ({ id, meaning }))
  for (const value of (schemas[raw.choicesOf as string]?.enum as string[] | undefined) ?? []) choices.push({ id: value, meaning: value })
  const [first] = choices
  if (!first) throw new Error(`${raw.id}: expected at least one choice`)
  return {
    id: raw.id as string,
    question: raw.question as string,
    silence: raw.silence as string,
    default: first.id,
    choices,
    why: raw.why as string,
  }
}
