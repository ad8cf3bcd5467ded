// The MCP server of a mock: tools and resources over its control, on standard input and output, and
// as a route of the control API. The SDK speaks the protocol. Loaded when it is first used: the SDK
// takes longer to load than the mock.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { ApiError, UsageError } from '../../contract/errors.ts'
import { escapeInJson } from '../../contract/escape.ts'
import { contract } from '../../contract/generated/contract.ts'
import { questions } from '../../contract/generated/questions.ts'
import { version } from '../../contract/generated/version.ts'
import { toJson } from '../../contract/int64-json.ts'
import {
  MAX_DOCUMENT_BYTES,
  MAX_MESSAGE_CHARACTERS,
  MAX_VALUES_PER_REQUEST,
} from '../../contract/limits.ts'
import { isPlainObject } from '../../contract/values.ts'
import { readJsonDocument } from '../../scenario/document.ts'
import { scenarioSchema } from '../../scenario/generated/scenario-schema.ts'
import type { Call } from '../../service/call.ts'
import { decodeBody } from '../../service/parse-input.ts'
import { USUAL_KEY } from '../../world/scenario.ts'
import { type RouteReply, readSpec } from '../api/routes.ts'
import type { Input } from '../method-row.ts'
import { MOCK_NAME } from '../protocol.ts'
import type { Reach } from './answers.ts'
import { tools, unwrap } from './tools.ts'

const instruct = (address: string, sandbox = USUAL_KEY) =>
  unwrap(`${MOCK_NAME} is a running mock of the Animal Store API, at ${address}. Send Authorization: Bearer ${sandbox},
    or one of apiKeys if get_state {"call":"state"} has them.\nPoint the app at this address and let it run.
    list_requests shows what the app did, and explain_request why a request got its response.\nbreak_operation makes
    an operation fail, send_request sends a request without the app, and go_back takes back what you changed.`)

export function serveMcp(
  reach: Reach,
  onError: (error: Error) => void,
  onEnd: () => unknown,
): void {
  const { stdin, stdout } = process
  let rest = ''
  let isOpen = true
  const transport: Transport = {
    async start() {
      for (const stream of [stdin, stdout]) stream.on('error', () => transport.close())
      stdin.once('end', () => transport.close())
      // Text of one character for each byte, so that a message that is not UTF-8 can be refused.
      stdin.setEncoding('latin1').on('data', (chunk: string) => {
        const lines = chunk.split('\n')
        // Of a line that is too long, the rest is not kept.
        lines[0] = rest.length > MAX_DOCUMENT_BYTES ? rest : rest + lines[0]
        rest = lines.pop() as string
        for (const line of lines.filter((text) => text.trim() !== '')) {
          const { message, refusal } = readMessage(Buffer.from(line, 'latin1'))
          if (message) transport.onmessage?.(message)
          else transport.send(refusal as JSONRPCMessage)
        }
      })
    },
    send: async (message) => void (isOpen && stdout.write(`${toJson(message)}\n`)),
    async close() {
      if (!isOpen) return
      isOpen = false
      stdin.destroy()
      transport.onclose?.()
      await onEnd()
    },
  }
  serveStdio(() => createMcpServer(reach), { transport, onerror: onError })
}

export async function answerMcp(
  reach: Reach,
  { method, headers, body }: Call,
): Promise<RouteReply> {
  const { message, refusal } = readMessage(body ?? new Uint8Array())
  if (refusal) return { status: 400, body: toJson(refusal) }
  // A subscription would be a response without end; over HTTP the log is read again instead.
  const { fetch } = createMcpHandler(() => createMcpServer(reach), {
    responseMode: 'auto',
    maxSubscriptions: 0,
  })
  const request = new Request('http://localhost', { method, headers, body: '{}' })
  const response = await fetch(request, { parsedBody: message })
  const type = response.headers.get('content-type') ?? 'text/plain'
  return { status: response.status, body: await response.text(), headers: { 'Content-Type': type } }
}

// A message, measured before the SDK sees it, which checks every value and takes seconds for a
// large one. The arguments of a tool, which may have a scenario, go past the SDK inside a function,
// with int64 exact.
export function readMessage(
  bytes: Uint8Array,
): Partial<Record<'message' | 'refusal', JSONRPCMessage>> {
  if (bytes.length > MAX_DOCUMENT_BYTES) return reject(`More than ${MAX_DOCUMENT_BYTES} bytes`)
  try {
    const whole = readJsonDocument(decodeBody(bytes), {}, { values: MAX_VALUES_PER_REQUEST })
    // MCP has no batches any more, and one would keep the app waiting for all of its calls.
    if (!isPlainObject(whole)) return reject('Send one message at a time, as an object')
    const { jsonrpc, id = 0, params = {} } = whole
    const isKnown =
      jsonrpc === '2.0' && ['string', 'number'].includes(typeof id) && isPlainObject(params)
    if (!isKnown)
      return reject('Expected a message of JSON-RPC 2.0: jsonrpc, id, method and params, an object')
    const input = isPlainObject(params.arguments) ? params.arguments : undefined
    const pass = (hidden: object) =>
      input ? { ...whole, params: { ...params, arguments: hidden } } : whole
    const isLong = toJson(pass({})).length > MAX_MESSAGE_CHARACTERS
    if (isLong)
      return reject(
        `More than ${MAX_MESSAGE_CHARACTERS} characters besides the arguments of a tool`,
      )
    return { message: pass({ exact: () => input }) as never }
  } catch (error) {
    if (error instanceof ApiError || error instanceof UsageError)
      return reject(error.message, -32_700)
    throw error
  }
}

function reject(message: string, code = -32_600) {
  return { refusal: { jsonrpc: '2.0', id: null, error: { code, message } } as never }
}

function createMcpServer(reach: Reach): McpServer {
  const { mockUrl } = reach
  const instructions = instruct(mockUrl + contract.basePath, reach.sandbox)
  const server = new McpServer({ name: MOCK_NAME, version }, { instructions })
  for (const { name, description, isReadOnly, isDestructive, inputSchema, run } of tools) {
    const settings = {
      description,
      inputSchema: fromJsonSchema(inputSchema as never, { getValidator: () => findValid }),
      annotations: {
        readOnlyHint: isReadOnly,
        destructiveHint: isDestructive,
        openWorldHint: false,
      },
    }
    server.registerTool(name, settings, async (given) => {
      const { exact } = given as { readonly exact?: () => Input }
      return run(exact?.() ?? {}, reach).then(toContent, explain)
    })
  }
  const register = (name: string, description: string, read: () => unknown) =>
    server.registerResource(name, `animal-store://${name}`, { description }, async ({ href }) => {
      return { contents: [{ uri: href, text: toJson(await read(), 2) }] }
    })
  register('spec', 'The OpenAPI description of the Animal Store API', () => readSpec(mockUrl))
  register(
    'assumptions',
    'What the API leaves open: every question, its choices and the default',
    () => questions,
  )
  register('scenario-schema', 'The JSON schema of a scenario', () => scenarioSchema)
  return server

  /** The problems, as the control API names them. Anything else is a bug, which the SDK reports. */
  function explain(error: unknown) {
    if (!(error instanceof UsageError)) throw error
    const hint = error.status === 0 && reach.hint ? `. ${reach.hint}` : ''
    return { ...toContent(escapeInJson(error.message + hint)), isError: true }
  }
}

const toContent = (text: string) => ({ content: [{ type: 'text' as const, text }] })

// Any input: the control API checks it.
const findValid = (data: unknown) =>
  ({ valid: true, data: data as never, errorMessage: undefined }) as const
