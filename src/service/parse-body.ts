// The body of a request, from its bytes to the value that the contract describes.
import { ApiError } from '../contract/errors.ts'
import type { OperationContract } from '../contract/generated/contract.ts'
import { JSON_TYPE, type Json, JsonError, parseJson } from '../contract/int64-json.ts'
import { findViolations, type Schema } from '../contract/schema.ts'
import { isObject } from '../contract/values.ts'
import { dependOn } from '../world/assumption-set.ts'
import { addNote } from '../world/notes.ts'
import type { Call } from './call.ts'
import { checkEncoding } from './content-coding.ts'
import type { Context } from './context.ts'

/** An operation with a body. */
type BodyOperation = Extract<OperationContract, { readonly body: object }>

/**
 * Without `ignoreBOM` the decoder would swallow a byte order mark that JSON forbids (RFC 8259
 * §8.1).
 */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function parseBody({ body }: BodyOperation, context: Context): Json {
  const { call } = context
  checkEncoding(call)
  if (call.body === undefined || call.body.length === 0)
    throw new ApiError(400, 'A request body is required')
  checkMediaType(body.mediaTypes, context)
  context.bodyText = decodeBody(call.body)
  const value = parseText(context)
  context.sentBody = value
  checkFields(body.schema, value, context)
  return value
}

function checkMediaType(mediaTypes: readonly string[], { call, state }: Context): void {
  const mediaType = mediaTypeOf(call)
  if (mediaTypes.includes(mediaType)) return
  const status = state.choices['media-type'] === 'unsupported' ? 415 : 400
  const message = `Content-Type must be ${mediaTypes.join(' or ')}, got ${mediaType || 'none'}`
  throw new ApiError(status, message, { assumption: 'media-type' })
}

export function mediaTypeOf({ headers }: Call): string {
  const type = headers['content-type'] ?? ''
  // As nearly all clients write it, it need not be taken apart.
  if (type === JSON_TYPE) return type
  const [mediaType = ''] = type.split(';', 1)
  return mediaType.trim().toLowerCase()
}

export function decodeBody(body: Uint8Array): string {
  try {
    return utf8.decode(body)
  } catch {
    throw new ApiError(400, 'The body is not valid UTF-8')
  }
}

function parseText(context: Context): Json {
  const onDuplicate = (key: string) =>
    addNote(context, `${JSON.stringify(key)} was sent more than once; the last value was used`)
  try {
    return parseJson(context.bodyText, onDuplicate)
  } catch (error) {
    if (error instanceof JsonError) throw new ApiError(400, { ...error.problem, of: 'body' })
    throw error
  }
}

function checkFields(schema: Schema, value: Json, context: Context): void {
  const isClosed = context.state.choices['unknown-fields'] === 'reject'
  const checked = isClosed ? { ...schema, additionalProperties: false } : schema
  const problems = findViolations(checked, value)
  const unknown = listUnknownFields(schema, value)
  if (unknown.length > 0) {
    if (isClosed) throw new ApiError(400, problems, { assumption: 'unknown-fields' })
    dependOn(context, 'unknown-fields')
    const names = unknown.map((name) => JSON.stringify(name))
    addNote(context, `Dropped, not part of the API: ${names.join(', ')}`)
  }
  if (problems.length > 0) throw new ApiError(400, problems)
}

function listUnknownFields({ properties = {} }: Schema, value: Json): string[] {
  if (!isObject(value)) return []
  return Object.keys(value).filter((name) => !Object.hasOwn(properties, name))
}
