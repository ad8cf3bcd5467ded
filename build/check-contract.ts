// Stops the build at keywords of spec/openapi.yaml that the mock would ignore, so that the YAML never promises more than the mock
// does. Mistakes in OpenAPI itself are found by `npm run lint:spec`.
import { dereference } from '../src/contract/dereference.ts'
import { findViolations, type Schema, toSentences } from '../src/contract/schema.ts'
import type { Yaml } from './compile-contract.ts'

const text: Schema = { type: 'string' }
const flag: Schema = { type: 'boolean' }
const number: Schema = { type: 'number' }
const texts: Schema = { type: 'array', items: text }
const anything: Schema = {}

/** For readers and generators; the mock does not need it. */
const prose = { summary: text, title: text, description: text, example: anything, examples: anything }

/** An object with these fields and no others. */
const fieldsOf = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
})
const mapOf = (items: Schema): Schema => ({ type: 'object', properties: {}, additionalProperties: items })
const listOf = (items: Schema, bounds: Pick<Schema, 'minItems' | 'maxItems'> = {}): Schema => ({ type: 'array', items, ...bounds })

const schemaFields: Record<string, Schema> = {
  ...prose,
  $ref: text,
  deprecated: flag,
  type: { enum: ['object', 'array', 'integer', 'number', 'string', 'boolean'] },
  format: { enum: ['int64', 'date-time'] },
  enum: texts,
  required: texts,
  additionalProperties: flag,
  minItems: number,
  maxItems: number,
  minimum: number,
  maximum: number,
  minLength: number,
  maxLength: number,
  pattern: text,
}
const schema = fieldsOf(schemaFields)
schemaFields.properties = mapOf(schema)
schemaFields.items = schema
schemaFields.allOf = listOf(schema)

const contentOf = (schema: Schema) =>
  fieldsOf({ 'application/json': fieldsOf({ schema, example: anything, examples: anything }, ['schema']) }, ['application/json'])
// The input of an operation is typed by the name of its body.
const body = fieldsOf({ ...prose, $ref: text, required: { const: true }, content: contentOf(fieldsOf({ $ref: text }, ['$ref'])) })
const response = fieldsOf({ ...prose, $ref: text, content: contentOf(schema) })
const parameter = fieldsOf({
  ...prose,
  $ref: text,
  deprecated: flag,
  name: text,
  in: { enum: ['path', 'query'] },
  required: flag,
  schema: fieldsOf({ ...schemaFields, type: { enum: ['integer', 'string'] }, default: anything }),
})
const operation = fieldsOf(
  {
    ...prose,
    operationId: text,
    tags: texts,
    deprecated: flag,
    'x-sunset': { title: 'a date such as 2030-12-05', type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' },
    parameters: listOf(parameter),
    requestBody: body,
    responses: mapOf(response),
  },
  ['operationId', 'responses'],
)
const bearer = fieldsOf({ ...prose, type: { const: 'http' }, scheme: { const: 'bearer' } }, ['type', 'scheme'])

const documentShape = fieldsOf(
  {
    openapi: { title: 'a 3.1 version', type: 'string', pattern: '^3\\.1\\.' },
    info: fieldsOf({ ...prose, version: text }, ['title', 'version']),
    servers: listOf(
      fieldsOf({ url: { title: 'an absolute address', type: 'string', pattern: '^https?://[^{}]+$' }, description: text }, ['url']),
    ),
    tags: listOf(fieldsOf({ ...prose, name: text })),
    // Every operation takes a bearer token.
    security: listOf(fieldsOf({ bearerAuth: listOf(text) }, ['bearerAuth']), { minItems: 1, maxItems: 1 }),
    // HEAD comes with every GET, and OPTIONS is answered on every path.
    paths: mapOf(fieldsOf({ get: operation, post: operation, put: operation, patch: operation, delete: operation })),
    components: fieldsOf(
      {
        securitySchemes: fieldsOf({ bearerAuth: bearer }, ['bearerAuth']),
        schemas: mapOf(schema),
        parameters: mapOf(parameter),
        responses: mapOf(response),
        requestBodies: mapOf(body),
      },
      ['securitySchemes', 'schemas'],
    ),
  },
  ['openapi', 'info', 'servers', 'security', 'paths', 'components'],
)

/** Throws an error that names every such place. */
export function checkContract(openapi: Yaml): void {
  const problems = toSentences(findViolations(documentShape, openapi))
  // The rules rely on the shape.
  if (problems.length === 0) {
    for (const [at, node] of partsOf(openapi, '')) checkPart(openapi, node, (name, problem) => problems.push(`${at}.${name}: ${problem}`))
  }
  if (problems.length > 0) throw new Error(`spec/openapi.yaml says what the mock does not do\n  ${problems.join('\n  ')}`)
}

function checkPart(openapi: Yaml, node: Yaml, report: (name: string, problem: string) => void): void {
  const combiner = ['$ref', 'allOf'].find((name) => name in node)
  if (combiner !== undefined) {
    for (const name of othersIn(node, [combiner])) report(name, `not honoured by the mock beside ${combiner}`)
  }
  // The parts of an allOf are merged, which loses everything but fields.
  for (const [index, part] of ((node.allOf as Yaml[] | undefined) ?? []).entries()) {
    for (const name of othersIn(dereference(openapi, part), ['type', 'required', 'properties']))
      report(`allOf[${index}].${name}`, 'not honoured by the mock in a part of allOf')
  }
  if (node.in === 'query' && node.required === true) report('required', 'not honoured by the mock; query parameters are optional')
  if (node.responses !== undefined && 'operationId' in node) {
    const statuses = Object.keys(node.responses as Yaml)
    if (statuses.some((status) => !/^[2-5]\d\d$/.test(status)) || statuses.filter((status) => Number(status) < 400).length !== 1)
      report('responses', 'expected status codes, and exactly one below 400')
  }
}

function othersIn(node: Yaml, expected: readonly string[]): string[] {
  return Object.keys(node).filter((name) => !expected.includes(name) && !(name in prose))
}

/** Every object of the document with its place, but not examples, which are values, nor maps of fields, whose keys are names. */
function* partsOf(value: unknown, at: string): Generator<[string, Yaml]> {
  if (typeof value !== 'object' || value === null) return
  const isFields = at.endsWith('.properties')
  if (!Array.isArray(value) && !isFields) yield [at, value as Yaml]
  for (const [name, part] of Object.entries(value)) {
    if (!isFields && ['example', 'examples', 'default'].includes(name)) continue
    yield* partsOf(part, Array.isArray(value) ? `${at}[${name}]` : at === '' ? name : `${at}.${name}`)
  }
}
