// Reads a message to the MCP server, before the SDK sees it: the SDK checks every value, and takes
// seconds for a large message. The arguments of a tool, which may have a scenario, go past the SDK
// inside a function, with int64 exact.
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { ApiError, UsageError } from '../../contract/errors.ts'
import { toJson } from '../../contract/int64-json.ts'
import {
  MAX_DOCUMENT_BYTES,
  MAX_MESSAGE_CHARACTERS,
  MAX_VALUES_PER_REQUEST,
} from '../../contract/limits.ts'
import { isPlainObject } from '../../contract/values.ts'
import { readJsonDocument } from '../../scenario/read-json-document.ts'
import { decodeBody } from '../../service/parse-body.ts'

/** The codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600

type Message = { message: JSONRPCMessage; refusal?: never }
type Refusal = { refusal: JSONRPCMessage; message?: never }

export function readMessage(bytes: Uint8Array): Message | Refusal {
  if (bytes.length > MAX_DOCUMENT_BYTES)
    return createRefusal(`More than ${MAX_DOCUMENT_BYTES} bytes`)
  try {
    return checkMessage(readJsonDocument(decodeBody(bytes), {}, { values: MAX_VALUES_PER_REQUEST }))
  } catch (error) {
    if (error instanceof ApiError || error instanceof UsageError)
      return createRefusal(error.message, PARSE_ERROR)
    throw error
  }
}

function checkMessage(whole: unknown): Message | Refusal {
  // MCP has no batches any more, and one would keep the app waiting for all of its calls.
  if (!isPlainObject(whole)) return createRefusal('Send one message at a time, as an object')
  const { jsonrpc, id = 0, params = {} } = whole
  const isId = typeof id === 'string' || typeof id === 'number'
  if (jsonrpc !== '2.0' || !isId || !isPlainObject(params))
    return createRefusal(
      'Expected a message of JSON-RPC 2.0: jsonrpc, id, method and params, an object',
    )
  const input = params.arguments
  const hasInput = isPlainObject(input)
  const rest = hasInput ? { ...whole, params: { ...params, arguments: {} } } : whole
  if (toJson(rest).length > MAX_MESSAGE_CHARACTERS)
    return createRefusal(
      `More than ${MAX_MESSAGE_CHARACTERS} characters besides the arguments of a tool`,
    )
  if (!hasInput) return { message: whole as never }
  const hidden = { ...params, arguments: { exact: () => input } }
  return { message: { ...whole, params: hidden } as never }
}

function createRefusal(message: string, code = INVALID_REQUEST): Refusal {
  return { refusal: { jsonrpc: '2.0', id: null, error: { code, message } } as never }
}
