// Stops the build at keywords of spec/openapi.yaml that the mock would ignore, so that the YAML never promises more than the mock
// does. `npm run lint:spec` finds mistakes in OpenAPI itself.

import { dereference, type Yaml } from './dereference.ts'

/** What may follow a keyword: anything, one of some values, text of a pattern, or a part; `part[]` is a list of them, `part{}` a map. */
type Rule = true | readonly unknown[] | RegExp | string

const PROSE = ['summary', 'title', 'description', 'example', 'examples']

const SCHEMA: Readonly<Record<string, Rule>> = {
  type: ['object', 'array', 'integer', 'string'],
  format: ['int64', 'date-time'],
  properties: 'schema{}',
  items: 'schema',
  additionalProperties: [true, false],
  deprecated: true,
  enum: true,
  required: true,
  minimum: true,
  maximum: true,
  minLength: true,
  maxLength: true,
  pattern: true,
}

/** The keywords that the mock honours in each part of the document. */
const PARTS: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  document: {
    openapi: /^3\.1\./,
    info: true,
    servers: 'server[]',
    tags: true,
    security: 'security[]',
    paths: 'path{}',
    components: 'components',
  },
  server: { url: /^https?:\/\/[^{}]+$/ },
  security: { bearerAuth: true },
  // HEAD comes with every GET, and the mock answers OPTIONS on every path.
  path: { get: 'operation', post: 'operation', put: 'operation', patch: 'operation', delete: 'operation' },
  operation: {
    operationId: true,
    tags: true,
    deprecated: true,
    'x-sunset': /^\d{4}-\d\d-\d\d$/,
    parameters: 'parameter[]',
    requestBody: 'body',
    responses: 'response{}',
  },
  parameter: { name: true, in: ['path', 'query'], required: true, deprecated: true, schema: 'value' },
  value: { ...SCHEMA, type: ['integer', 'string'], default: true },
  body: { required: [true], content: 'content' },
  response: { content: 'content' },
  content: { 'application/json': 'media' },
  media: { schema: 'schema' },
  schema: SCHEMA,
  // The parts of an allOf are merged, which loses everything but fields.
  merged: { type: ['object'], required: true, properties: true },
  components: {
    securitySchemes: 'scheme{}',
    schemas: 'schema{}',
    parameters: 'parameter{}',
    responses: 'response{}',
    requestBodies: 'body{}',
  },
  scheme: { type: ['http'], scheme: ['bearer'] },
}

/** Throws an error that names every such place. */
export function checkContract(openapi: Yaml): void {
  const problems: string[] = []

  function checkPart(part: string, node: Yaml, at: string): void {
    const combiner = ['$ref', 'allOf'].find((keyword) => keyword in node)
    const rules = combiner === undefined ? PARTS[part] : { [combiner]: true as const }
    for (const [keyword, value] of Object.entries(node)) {
      const place = at === '' ? keyword : `${at}.${keyword}`
      const rule = PROSE.includes(keyword) || rules?.[keyword]
      if (!rule) problems.push(`${place}: not honoured by the mock${combiner === undefined ? '' : ` together with ${combiner}`}`)
      else if (typeof rule === 'string') checkParts(rule, value, place)
      else if (rule !== true && !allows(rule, value)) problems.push(`${place}: expected ${describe(rule)}, got ${JSON.stringify(value)}`)
    }
    if (node.in === 'query' && node.required) problems.push(`${at}.required: expected an optional parameter`)
    if (part === 'operation' && !hasOneSuccess(node)) problems.push(`${at}.responses: expected status codes, and exactly one below 400`)
    for (const [index, member] of ((node.allOf as Yaml[] | undefined) ?? []).entries())
      checkPart('merged', dereference(openapi, member), `${at}.allOf[${index}]`)
  }

  function checkParts(rule: string, value: unknown, at: string): void {
    const [, part = '', many] = /^(\w+)(.*)$/.exec(rule) as RegExpExecArray
    const places = many === '' ? { '': value } : (value as Yaml)
    for (const [key, one] of Object.entries(places)) {
      checkPart(part, one as Yaml, many === '' ? at : many === '[]' ? `${at}[${key}]` : `${at}.${key}`)
    }
  }

  checkPart('document', openapi, '')
  if ((openapi.security as unknown[]).length !== 1) problems.push('security: expected bearerAuth for every operation')
  if (problems.length > 0) throw new Error(`spec/openapi.yaml says what the mock does not do\n  ${problems.join('\n  ')}`)
}

function hasOneSuccess({ responses }: Yaml): boolean {
  const statuses = Object.keys(responses as Yaml)
  return statuses.every((status) => /^[2-5]\d\d$/.test(status)) && statuses.filter((status) => Number(status) < 400).length === 1
}

function allows(rule: readonly unknown[] | RegExp, value: unknown): boolean {
  return rule instanceof RegExp ? rule.test(String(value)) : rule.includes(value)
}

function describe(rule: readonly unknown[] | RegExp): string {
  return rule instanceof RegExp ? `text like ${rule}` : rule.join(' or ')
}
