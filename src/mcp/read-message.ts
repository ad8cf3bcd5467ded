// A message to the MCP server, read and measured before the SDK sees it, which checks every value and takes seconds for a large one. The
// arguments of a tool, which may have a scenario, go past the SDK, with int64 exact.
import { isPlainObject } from '../contract/describe-value.ts'
import { JsonError, parseJson, toJson } from '../contract/int64-json.ts'
import { MAX_DOCUMENT_KEYS, MAX_MESSAGE_CHARACTERS, MAX_VALUES_PER_REQUEST } from '../limits.ts'

interface Message {
  /** The message without the arguments of a tool. */
  readonly message: unknown
  readonly input: Readonly<Record<string, unknown>>
}

/** What is wrong, as JSON-RPC says it. */
interface Refusal {
  readonly code: -32_700 | -32_600
  readonly problem: string
}

export function readMessage(text: string): Message | Refusal {
  try {
    const whole: unknown = parseJson(text, undefined, { keys: MAX_DOCUMENT_KEYS, values: MAX_VALUES_PER_REQUEST })
    // MCP has no batches any more, and one would keep the app waiting for all of its calls.
    if (!isPlainObject(whole)) return { code: -32_600, problem: 'Send one message at a time, as an object' }
    const { params } = whole
    const input = isPlainObject(params) && isPlainObject(params.arguments) ? params.arguments : undefined
    const message = input ? { ...whole, params: { ...(params as object), arguments: {} } } : whole
    if (toJson(message).length <= MAX_MESSAGE_CHARACTERS) return { message, input: input ?? {} }
    return { code: -32_600, problem: `More than ${MAX_MESSAGE_CHARACTERS} characters besides the arguments of a tool` }
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    return { code: -32_700, problem: error.message }
  }
}
