// Reads spec/openapi.yaml and spec/assumptions.yaml into what the engine and the types need. Each
// part lists the keywords that the mock honours, and the build stops at any other, so that the YAML
// never promises more than the mock does. `npm run lint:spec` finds mistakes in OpenAPI itself.

/** A piece of parsed YAML. */
export type Yaml = Record<string, unknown>

/** A schema with its references and `allOf` resolved and without prose. */
export interface CompiledSchema {
  type?: string
  properties?: Record<string, CompiledSchema>
  items?: CompiledSchema
  required?: string[]
  [keyword: string]: unknown
}

export interface CompiledOperation {
  operationId: string
  method: string
  path: string
  deprecated: boolean
  sunset: string | null
  parameters: { name: string; in: string; required: boolean; schema: CompiledSchema }[]
  body: {
    required: boolean
    mediaTypes: string[]
    schema: CompiledSchema
    schemaName: string
  } | null
  success: number
  statuses: number[]
}

/** What the mock serves. */
export interface CompiledContract {
  title: string
  version: string
  basePath: string
  operations: Record<string, CompiledOperation>
  schemas: Record<string, CompiledSchema>
}

/** A question that the contract leaves open, with what else the YAML says about it. */
export interface CompiledQuestion extends Yaml {
  id: string
  question: string
  default: string
  choices: { id: string; meaning: string }[]
}

/** A part of the document, behind its `$ref`, and where it is. */
export interface Part {
  readonly document: Yaml
  readonly at: string
  readonly value: Yaml
}

const PROSE = ['summary', 'title', 'description', 'example', 'examples', 'tags', 'deprecated']
// HEAD comes with every GET, and the mock answers OPTIONS on every path.
const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const MEDIA_TYPE = 'application/json'

/** The keywords and formats of a schema of each type. */
const SCHEMAS: Readonly<
  Record<string, { keywords: readonly string[]; formats: readonly string[] }>
> = {
  object: { keywords: ['required', 'properties'], formats: [] },
  array: { keywords: ['items'], formats: [] },
  integer: { keywords: ['format', 'minimum', 'maximum'], formats: ['int64'] },
  string: {
    keywords: ['format', 'enum', 'minLength', 'maxLength', 'pattern'],
    formats: ['date-time'],
  },
}

export function readContract(openapi: Yaml): CompiledContract {
  const document = open(openapi)
  honour(document, ['openapi', 'info', 'servers', 'security', 'paths', 'components'])
  expectOne('openapi', String(openapi.openapi).slice(0, 4), ['3.1.'])
  expectOne('security', JSON.stringify(openapi.security), ['[{"bearerAuth":[]}]'])
  const components = child(document, 'components')
  const { type, scheme } = child(child(components, 'securitySchemes'), 'bearerAuth').value
  expectOne('components.securitySchemes.bearerAuth', `${type} ${scheme}`, ['http bearer'])
  const { title, version } = openapi.info as { title: string; version: string }
  const basePath = readBasePath(openapi)
  const operations: Record<string, CompiledOperation> = {}
  for (const [path, item] of children(document, 'paths')) {
    honour(item, METHODS)
    for (const method of Object.keys(item.value)) {
      const operation = readOperation(child(item, method), method, basePath + path)
      operations[operation.operationId] = operation
    }
  }
  const schemas = Object.fromEntries(
    children(components, 'schemas').map(([name, schema]) => [name, readSchema(schema)]),
  )
  return { title, version, basePath, operations, schemas }
}

/** The path that every server address ends in; the mock serves it on its own address. */
function readBasePath({ servers }: Yaml): string {
  const [first = '', ...others] = (servers as { url: string }[]).map(({ url }) =>
    new URL(url).pathname.replace(/\/$/, ''),
  )
  for (const path of others) expectOne('servers', path, [first])
  return first
}

function readOperation(operation: Part, method: string, path: string): CompiledOperation {
  honour(operation, ['operationId', 'x-sunset', 'parameters', 'requestBody', 'responses'])
  const {
    operationId,
    deprecated = false,
    'x-sunset': sunset = null,
    requestBody,
  } = operation.value
  if (sunset !== null && !/^\d{4}-\d\d-\d\d$/.test(String(sunset)))
    stop(`${operation.at}.x-sunset`, 'expected a date such as 2030-12-05')
  const responses = children(operation, 'responses')
  const statuses = responses.map(([status]) => Number(status))
  const successes = statuses.filter((status) => status < 400)
  if (statuses.some(Number.isNaN) || successes.length !== 1)
    stop(`${operation.at}.responses`, 'expected status codes, and one below 400')
  for (const [status, response] of responses) checkResponse(status, response)
  return {
    operationId: operationId as string,
    method: method.toUpperCase(),
    path,
    deprecated: deprecated as boolean,
    sunset: sunset as string | null,
    parameters: children(operation, 'parameters').map(([, parameter]) => readParameter(parameter)),
    body: requestBody === undefined ? null : readBody(child(operation, 'requestBody')),
    success: successes[0] as number,
    statuses,
  }
}

/** Only a 204 has no body, and it has none. */
function checkResponse(status: string, response: Part): void {
  if (status === '204') honour(response, [])
  else readSchema(child(readContent(response), 'schema'))
}

function readParameter(parameter: Part): CompiledOperation['parameters'][number] {
  honour(parameter, ['name', 'in', 'required', 'schema'])
  const { name, in: place, required = false } = parameter.value
  expectOne(`${parameter.at}.in`, place, ['path', 'query'])
  expectOne(`${parameter.at}.required`, required, [place === 'path'])
  const schema = readSchema(child(parameter, 'schema'), ['default'])
  expectOne(`${parameter.at}.schema.type`, schema.type, ['integer', 'string'])
  return { name: name as string, in: place as string, required: required as boolean, schema }
}

function readBody(body: Part): CompiledOperation['body'] {
  expectOne(`${body.at}.required`, body.value.required, [true])
  const media = readContent(body, ['required'])
  const { $ref } = media.value.schema as Yaml
  const schema = readSchema(child(media, 'schema'))
  return {
    required: true,
    mediaTypes: [MEDIA_TYPE],
    schema,
    schemaName: String($ref).split('/').pop() as string,
  }
}

/** The part with the schema of a body or a response. */
export function readContent(part: Part, keywords: readonly string[] = []): Part {
  honour(part, ['content', ...keywords])
  const content = child(part, 'content')
  honour(content, [MEDIA_TYPE])
  const media = child(content, MEDIA_TYPE)
  honour(media, ['schema'])
  return media
}

function readSchema(schema: Part, keywords: readonly string[] = []): CompiledSchema {
  const { type, format, properties, items, allOf } = schema.value
  if (allOf) {
    honour(schema, ['allOf'])
    const members = children(schema, 'allOf').map(([, member]) => readSchema(member))
    return {
      type: 'object',
      required: members.flatMap(({ required = [] }) => required),
      properties: Object.assign({}, ...members.map((member) => member.properties)),
    }
  }
  expectOne(`${schema.at}.type`, type, Object.keys(SCHEMAS))
  const known = SCHEMAS[type as string]
  honour(schema, ['type', ...(known?.keywords ?? []), ...keywords])
  if (format !== undefined) expectOne(`${schema.at}.format`, format, known?.formats ?? [])
  const compiled: CompiledSchema = Object.fromEntries(
    Object.entries(schema.value).filter(([keyword]) => !PROSE.includes(keyword)),
  )
  const fields = children(schema, 'properties').map(([name, field]) => [name, readSchema(field)])
  if (properties) compiled.properties = Object.fromEntries(fields)
  if (items) compiled.items = readSchema(child(schema, 'items'))
  return compiled
}

export function open(document: Yaml): Part {
  return { document, at: '', value: document }
}

/** The part of that name, or the one that its `$ref` points to. */
export function child(part: Part, name: string): Part {
  const at = [...(part.at === '' ? [] : [part.at]), name].join('.')
  const value = part.value[name] as Yaml | undefined
  if (value === undefined) return stop(at, 'is missing')
  if (value.$ref === undefined) return { ...part, at, value }
  honour({ ...part, at, value }, ['$ref'])
  const names = String(value.$ref).split('/').slice(1)
  return names.reduce(child, open(part.document))
}

/** The parts under a keyword that holds a list or a map of them. */
export function children(part: Part, keyword: string): [name: string, part: Part][] {
  if (part.value[keyword] === undefined) return []
  const parent = child(part, keyword)
  return Object.keys(parent.value).map((name) => [name, child(parent, name)])
}

/** Stops at a keyword of the part that is not one of these. */
function honour({ at, value }: Part, keywords: readonly string[]): void {
  const ignored = Object.keys(value).find((keyword) => ![...PROSE, ...keywords].includes(keyword))
  if (ignored !== undefined)
    stop(at === '' ? ignored : `${at}.${ignored}`, 'the mock does not honour it')
}

function expectOne(at: string, value: unknown, expected: readonly unknown[]): void {
  if (!expected.includes(value))
    stop(at, `expected ${expected.join(' or ')}, got ${JSON.stringify(value)}`)
}

function stop(at: string, problem: string): never {
  throw new Error(`spec/openapi.yaml ${at}: ${problem}`)
}

/**
 * The questions; `choicesOf` names an enumeration of the contract, each of whose values is one more
 * choice.
 */
export function readQuestions(
  assumptions: readonly Yaml[],
  { schemas }: CompiledContract,
): CompiledQuestion[] {
  return assumptions.map(({ id, question, silence, choices, choicesOf, ...rest }) => {
    const values = choicesOf === undefined ? [] : (schemas[choicesOf as string]?.enum as string[])
    const meanings = Object.entries({
      ...(choices as Yaml),
      ...Object.fromEntries(values.map((value) => [value, value])),
    })
    const all = meanings.map(([choice, meaning]) => ({ id: choice, meaning }))
    return { id, question, silence, default: all[0]?.id, choices: all, ...rest } as CompiledQuestion
  })
}
