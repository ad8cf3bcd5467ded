// The parts of OpenAPI that the mock honours, as a schema. What is not in here would be ignored, so it stops the build.
import type { Schema } from '../src/contract/schema.ts'

const text: Schema = { type: 'string' }
const flag: Schema = { type: 'boolean' }
const number: Schema = { type: 'number' }
const texts: Schema = { type: 'array', items: text }
const anything: Schema = {}

/** Prose and examples are for readers and generators; the mock has nothing to do for them. */
const prose = { summary: text, title: text, description: text, example: anything, examples: anything }

/** An object with these fields and no others. */
function fieldsOf(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema {
  return { type: 'object', additionalProperties: false, required, properties }
}

function mapOf(items: Schema): Schema {
  return { type: 'object', properties: {}, additionalProperties: items }
}

function listOf(items: Schema): Schema {
  return { type: 'array', items }
}

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
  default: anything,
}
const schema = fieldsOf(schemaFields)
schemaFields.properties = mapOf(schema)
schemaFields.items = schema
schemaFields.allOf = listOf(schema)

const content = fieldsOf({ 'application/json': fieldsOf({ schema, example: anything, examples: anything }, ['schema']) }, [
  'application/json',
])
const body = fieldsOf({ ...prose, $ref: text, required: { const: true }, content })
const response = fieldsOf({ ...prose, $ref: text, content })
const parameter = fieldsOf({ ...prose, $ref: text, deprecated: flag, name: text, in: { enum: ['path', 'query'] }, required: flag, schema })
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

export const contractShape: Schema = fieldsOf(
  {
    openapi: { title: 'a 3.1 version', type: 'string', pattern: '^3\\.1\\.' },
    info: fieldsOf({ ...prose, version: text }, ['title', 'version']),
    servers: listOf(
      fieldsOf({ url: { title: 'an absolute address', type: 'string', pattern: '^https?://[^{}]+$' }, description: text }, ['url']),
    ),
    tags: listOf(fieldsOf({ ...prose, name: text })),
    security: anything,
    // HEAD comes with every GET, and OPTIONS is answered on every path: neither is an operation of its own.
    paths: mapOf(fieldsOf({ get: operation, post: operation, put: operation, patch: operation, delete: operation })),
    components: fieldsOf(
      {
        securitySchemes: mapOf(fieldsOf({ ...prose, type: { const: 'http' }, scheme: { const: 'bearer' } }, ['type', 'scheme'])),
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
