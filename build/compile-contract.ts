// Turns spec/openapi.yaml and spec/assumptions.yaml into the contract module: plain data and the types that go with it.

import { checkContract } from './check-contract.ts'
import { toTypes } from './compile-types.ts'
import { dereference, type Yaml } from './dereference.ts'

/** A schema with its references and `allOf` resolved, as the engine reads it. */
export interface CompiledSchema {
  type?: string
  properties?: Record<string, CompiledSchema>
  items?: CompiledSchema
  required?: string[]
  [keyword: string]: unknown
}

/** One operation, as the engine reads it. */
export interface CompiledOperation {
  operationId: string
  method: string
  path: string
  deprecated: boolean
  sunset: string | null
  parameters: { name: string; in: string; required: boolean; schema: CompiledSchema }[]
  body: { required: boolean; mediaTypes: string[]; schema: CompiledSchema; schemaName: string } | null
  success: number
  statuses: number[]
}

/** One open question, as the engine reads it. */
export interface CompiledAssumption {
  id: string
  question: string
  silence: string
  default: string
  choices: { id: string; meaning: string }[]
  why: string
  /** Responses that depend on it without a note in the journal. */
  uncounted?: string
}

/** What the mock serves, as the engine reads it. */
export interface CompiledContract {
  title: string
  version: string
  basePath: string
  operations: Record<string, CompiledOperation>
  schemas: Record<string, CompiledSchema>
}

const PROSE = new Set(['description', 'title', 'example', 'examples', 'deprecated'])
const ASSUMPTION_FIELDS = ['id', 'question', 'silence', 'choices', 'choicesOf', 'why', 'uncounted']

/** The texts of the modules for these two documents: the contract, and the questions that it leaves open. */
export function compileContract(openapi: Yaml, assumptions: Yaml[]): { contract: string; questions: string } {
  checkContract(openapi)
  const contract = readContract(openapi)
  const components = openapi.components as { schemas: Record<string, Yaml> }
  const ledger = readAssumptions(assumptions, contract.schemas)
  const choices = ledger.map(({ id, default: preset, choices }) => ({ id, default: preset, choices: choices.map((choice) => choice.id) }))
  return {
    contract: [
      '// Made by `npm run build` from spec/openapi.yaml and spec/assumptions.yaml: change those, not this.',
      `export const contract = ${JSON.stringify(contract, null, 2)} as const`,
      `/** @internal */\nexport const assumptions = ${JSON.stringify(choices, null, 2)} as const`,
      toTypes(components.schemas, contract.operations, ledger),
      '',
    ].join('\n\n'),
    // Apart, since a page that only mocks the service shows none of it.
    questions: `// Made by \`npm run build\` from spec/assumptions.yaml: change that, not this.\n\nexport const questions = ${JSON.stringify(ledger, null, 2)} as const\n`,
  }
}

/** What the engine needs of a document that has been checked. */
export function readContract(openapi: Yaml): CompiledContract {
  const basePath = readBasePath(openapi)
  const components = openapi.components as { schemas: Record<string, Yaml> }
  const schemas: Record<string, CompiledSchema> = {}
  for (const [name, schema] of Object.entries(components.schemas)) schemas[name] = resolve(openapi, schema)
  const { title, version } = openapi.info as { title: string; version: string }
  return { title, version, basePath, operations: readOperations(openapi, basePath), schemas }
}

/** The path that every server address ends in; the mock serves it on its own address. */
function readBasePath(openapi: Yaml): string {
  const paths = (openapi.servers as { url: string }[]).map(({ url }) => new URL(url).pathname.replace(/\/$/, ''))
  const [first] = paths
  if (first === undefined || paths.some((path) => path !== first)) {
    throw new Error(`spec/openapi.yaml servers: expected addresses with one base path, got ${paths.join(', ')}`)
  }
  return first
}

function readOperations(openapi: Yaml, basePath: string): Record<string, CompiledOperation> {
  const operations: Record<string, CompiledOperation> = {}
  for (const [path, item] of Object.entries(openapi.paths as Record<string, Record<string, Yaml>>)) {
    for (const [method, operation] of Object.entries(item)) {
      const operationId = operation.operationId as string
      const statuses = Object.keys(operation.responses as Yaml).map(Number)
      operations[operationId] = {
        operationId,
        method: method.toUpperCase(),
        path: basePath + path,
        deprecated: operation.deprecated === true,
        sunset: (operation['x-sunset'] as string | undefined) ?? null,
        parameters: ((operation.parameters as Yaml[] | undefined) ?? []).map((one) => readParameter(openapi, one)),
        body: readBody(openapi, operation),
        success: statuses.find((status) => status < 400) as number,
        statuses,
      }
    }
  }
  return operations
}

function readParameter(openapi: Yaml, raw: Yaml): CompiledOperation['parameters'][number] {
  const parameter = dereference(openapi, raw)
  return {
    name: parameter.name as string,
    in: parameter.in as string,
    required: parameter.required === true,
    schema: resolve(openapi, parameter.schema as Yaml),
  }
}

function readBody(openapi: Yaml, operation: Yaml): CompiledOperation['body'] {
  if (operation.requestBody === undefined) return null
  const { content } = dereference(openapi, operation.requestBody as Yaml) as { content: Record<string, { schema: Yaml }> }
  const [[mediaType, { schema }]] = Object.entries(content) as [[string, { schema: Yaml }]]
  return {
    required: true,
    mediaTypes: [mediaType],
    schema: resolve(openapi, schema),
    schemaName: String(schema.$ref).split('/').pop() as string,
  }
}

/** The schema with every `$ref` and `allOf` resolved and prose left out. */
function resolve(openapi: Yaml, schema: Yaml, within: readonly Yaml[] = []): CompiledSchema {
  const target = dereference(openapi, schema)
  if (within.includes(target)) throw new Error(`spec/openapi.yaml: the schema ${JSON.stringify(schema)} contains itself`)
  const inner = (part: unknown) => resolve(openapi, part as Yaml, [...within, target])
  if (Array.isArray(target.allOf)) return target.allOf.map(inner).reduce(merge)
  const compiled: CompiledSchema = {}
  for (const [keyword, value] of Object.entries(target)) if (!PROSE.has(keyword)) compiled[keyword] = value
  if (target.properties) {
    compiled.properties = Object.fromEntries(Object.entries(target.properties).map(([name, part]) => [name, inner(part)]))
  }
  if (target.items) compiled.items = inner(target.items)
  return compiled
}

function merge(left: CompiledSchema, right: CompiledSchema): CompiledSchema {
  return {
    type: 'object',
    required: [...(left.required ?? []), ...(right.required ?? [])],
    properties: { ...left.properties, ...right.properties },
  }
}

function readAssumptions(all: readonly Yaml[], schemas: Record<string, CompiledSchema>): CompiledAssumption[] {
  const ids = all.map(({ id }) => id as string)
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index)
  if (repeated !== undefined) throw new Error(`spec/assumptions.yaml ${repeated}: expected each id once`)
  return all.map((raw) => readAssumption(raw, schemas))
}

/** `choicesOf` names an enumeration of the contract: each of its values is one more choice. */
function readAssumption(raw: Yaml, schemas: Record<string, CompiledSchema>): CompiledAssumption {
  const {
    id,
    question,
    silence,
    choices: own = {},
    choicesOf,
    why,
    uncounted,
  } = raw as Readonly<Record<string, string>> & { choices?: Record<string, string> }
  const refuse = (problem: string) => new Error(`spec/assumptions.yaml ${id}: ${problem}`)
  const unknown = Object.keys(raw).find((name) => !ASSUMPTION_FIELDS.includes(name))
  if (unknown !== undefined) throw refuse(`expected only ${ASSUMPTION_FIELDS.join(', ')}, got ${unknown}`)
  if (!id || !question || !silence || !why) throw refuse('expected id, question, silence and why')
  const values = choicesOf === undefined ? [] : (schemas[choicesOf]?.enum as string[] | undefined)
  if (!values) throw refuse(`choicesOf: ${choicesOf} is not an enumeration of the spec`)
  const choices = [...Object.entries(own), ...values.map((value) => [value, value] as const)].map(([name, meaning]) => ({
    id: name,
    meaning,
  }))
  const [first] = choices
  if (!first) throw refuse('expected at least one choice')
  return { id, question, silence, default: first.id, choices, why, ...(uncounted === undefined ? {} : { uncounted }) }
}
