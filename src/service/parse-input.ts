// From the pieces of a request to the valid input of an operation, as the contract describes it.
// Every violation is named at once; what the interface does not say is decided by its assumption.
import { readQuery } from '../contract/address.ts'
import { ApiError } from '../contract/errors.ts'
import type { OperationContract } from '../contract/generated/contract.ts'
import { JSON_TYPE, type Json, JsonError, parseJson } from '../contract/int64-json.ts'
import type { Problem } from '../contract/problem.ts'
import { describeSchema, findViolations, readTyped, type Schema } from '../contract/schema.ts'
import { isObject } from '../contract/values.ts'
import { addNote, dependOn, NONE } from '../world/notes.ts'
import type { Admitted } from './admit.ts'
import type { Call } from './call.ts'
import type { Context, SentInput } from './reply.ts'
import { decode } from './route.ts'

const PAGERS = [
  'page',
  'offset',
  'cursor',
  'skip',
  'after',
  'before',
  'start',
  'per_page',
  'pageSize',
  'page_size',
]
const NO_PARAMETERS: ReadonlyMap<string, string[]> = new Map()

export function parseInput(
  { operation, route, query }: Admitted,
  context: Context,
): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  const problems: Problem[] = []
  const sent: SentInput = { path: route.params, query: parseParameters(query), body: undefined }
  context.sent = sent
  const isKnown = (name: string) =>
    operation.parameters.some((parameter) => parameter.name === name)
  const unknown =
    sent.query === NO_PARAMETERS ? NONE : [...sent.query.keys()].filter((name) => !isKnown(name))
  // Before anything is refused: the row of a refused request names them too.
  for (const name of unknown)
    addNote(context, `${JSON.stringify(name)} is not part of the API and was ignored`)
  for (const parameter of operation.parameters) {
    const { name, schema } = parameter as { name: string; schema: Schema }
    if (parameter.in === 'path') input[name] = readPathValue(name, schema, sent, context)
    else input[name] = readQueryValue(name, schema, sent, problems, context)
  }
  if (problems.length > 0) throw new ApiError(400, problems, { assumption: 'invalid-query' })
  if (unknown.some((name) => PAGERS.includes(name))) dependOn(context, 'paging')
  if (operation.body) input.body = parseBody(operation.body, sent, context)
  return input
}

export function parseParameters(query: string): ReadonlyMap<string, string[]> {
  if (query === '') return NO_PARAMETERS
  decode(query)
  return readQuery(query)
}

function readQueryValue(
  name: string,
  schema: Schema,
  { query }: SentInput,
  problems: Problem[],
  context: Context,
) {
  const [text, ...more] = query.get(name) ?? []
  if (text === undefined) return schema.default
  const value = readTyped(schema, text)
  const found: Problem[] =
    more.length === 0
      ? findViolations(schema, value, name)
      : [
          {
            kind: 'mismatch',
            path: name,
            expected: describeSchema(schema),
            got: `${more.length + 1} values`,
          },
        ]
  if (found.length === 0) return value
  const choice = context.state.choices['invalid-query']
  if (choice === 'reject') return void problems.push(...found)
  dependOn(context, 'invalid-query')
  return choice === 'clamp' ? clamp(schema, text) : schema.default
}

/** The nearest bound for a number; any other text as it is, so that it matches nothing. */
function clamp(schema: Schema, text: string): unknown {
  const { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
  if (type !== 'integer') return text
  if (!/^[+-]?\d+(\.\d+)?$/.test(text)) return schema.default
  return Math.min(Math.max(Math.trunc(Number(text)), minimum), maximum)
}

function readPathValue(
  name: string,
  schema: Schema,
  { path }: SentInput,
  { state }: Context,
): unknown {
  const value = readTyped(schema, path[name] as string)
  const problems = findViolations(schema, value, name)
  if (problems.length === 0) return value
  const status = state.choices['invalid-pet-id'] === 'not-found' ? 404 : 400
  throw new ApiError(status, problems, { assumption: 'invalid-pet-id' })
}

function parseBody(
  body: NonNullable<OperationContract['body']>,
  sent: SentInput,
  context: Context,
): Json {
  const { schema, mediaTypes } = body
  const { call, state } = context
  const { choices } = state
  checkEncoding(call)
  if (call.body === undefined || call.body.length === 0)
    throw new ApiError(400, 'A request body is required')
  const mediaType = mediaTypeOf(call)
  if (!(mediaTypes as readonly string[]).includes(mediaType)) {
    const message = `Content-Type must be ${mediaTypes.join(' or ')}, got ${mediaType || 'none'}`
    throw new ApiError(choices['media-type'] === 'unsupported' ? 415 : 400, message, {
      assumption: 'media-type',
    })
  }
  context.bodyText = decodeBody(call.body)
  const value = readJsonText(context)
  sent.body = value
  const isClosed = choices['unknown-fields'] === 'reject'
  const problems = findViolations(
    isClosed ? { ...schema, additionalProperties: false } : schema,
    value,
  )
  const unknown = isObject(value)
    ? Object.keys(value).filter((name) => !Object.hasOwn(schema.properties, name))
    : []
  if (unknown.length > 0) {
    if (isClosed) throw new ApiError(400, problems, { assumption: 'unknown-fields' })
    dependOn(context, 'unknown-fields')
    addNote(
      context,
      `Dropped, not part of the API: ${unknown.map((name) => JSON.stringify(name)).join(', ')}`,
    )
  }
  if (problems.length > 0) throw new ApiError(400, problems)
  return value
}

export function mediaTypeOf({ headers }: Call): string {
  const type = headers['content-type'] ?? ''
  // As nearly all clients write it, it need not be taken apart.
  return type === JSON_TYPE ? type : (type.split(';', 1)[0] as string).trim().toLowerCase()
}

export function checkEncoding({ headers: sent }: Call): void {
  if ((sent['content-encoding'] ?? '') === '') return
  const headers = { 'Accept-Encoding': 'identity' }
  throw new ApiError(415, 'Content-Encoding is not supported; send the body unencoded', { headers })
}

export function decodeBody(body: Uint8Array): string {
  try {
    return utf8.decode(body)
  } catch {
    throw new ApiError(400, 'The body is not valid UTF-8')
  }
}

function readJsonText(context: Context): Json {
  const onDuplicate = (key: string) =>
    addNote(context, `${JSON.stringify(key)} was sent more than once; the last value was used`)
  try {
    return parseJson(context.bodyText, onDuplicate)
  } catch (error) {
    if (error instanceof JsonError) throw new ApiError(400, { ...error.problem, of: 'body' })
    throw error
  }
}

/**
 * Without `ignoreBOM` the decoder would swallow a byte order mark that JSON forbids (RFC 8259
 * §8.1).
 */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
