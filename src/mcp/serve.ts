// The MCP server of a mock: tools, resources and prompts over its control, on standard input and output, and as a route
// of the control API (Streamable HTTP, one response for each request). The SDK speaks the protocol. Loaded when it is
// first used: the SDK takes longer to load than the mock takes to start.
import { createMcpHandler, fromJsonSchema, type JsonSchemaType, McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { isPlainObject } from '../contract/describe-value.ts'
import { JsonError, parseJson, toJson } from '../contract/int64-json.ts'
import { MOCK_NAME } from '../control/methods.ts'
import type { RouteOutcome } from '../control/routes.ts'
import { contract } from '../generated/contract.ts'
import { questions } from '../generated/questions.ts'
import { scenarioList } from '../generated/scenario-list.ts'
import { scenarioSchema } from '../generated/scenario-schema.ts'
import { version } from '../generated/version.ts'
import { MAX_DOCUMENT_BYTES, MAX_DOCUMENT_KEYS, MAX_MESSAGE_CHARACTERS, MAX_ROWS, MAX_VALUES_PER_REQUEST } from '../limits.ts'
import { escapeInJson } from '../render/escape.ts'
import type { Call } from '../service/call.ts'
import { joinFields } from '../service/show-row.ts'
import { isRefusal, type Reach, type ToolInput } from './explain-request.ts'
import { renderRows } from './render.ts'
import { tools } from './tools.ts'

const ROOT = 'animal-store://'
/** A scenario, and what is around it. */
const MAX_MESSAGE_BYTES = 2 * MAX_DOCUMENT_BYTES
const ASSUMPTIONS = 'What the API leaves open: every question, its choices, and why the default was chosen'
const PROMPTS = {
  test_last_request:
    'Call explain_request. Then write a test for my test runner that sends the same request through my own code, with the mock in the state that the request saw, and checks how my code handles the response.',
  check_error_handling:
    'For each operation of the API: break it with break_operation (a 503 twice, a dropped connection, a 429 with retryAfter, a truncated body), ask me to use the app, read list_requests, and tell me where the app retries what it must not, gives up too early or shows nothing. Remove the faults at the end.',
}

const instruct = (address: string, sandbox?: string) =>
  [
    `${MOCK_NAME} is a running mock of the Animal Store API, at ${address}. ${sandbox ? 'Use the API key of your sandbox' : 'Any API key works unless the scenario lists its own'}: Authorization: Bearer ${sandbox ?? 'any-key'}.`,
    'Point the app at this address and let it run. list_requests shows what the app did, and explain_request why a request got its response.',
    'break_operation makes an operation fail, send_request sends a request without the app, and go_back takes back what you changed.',
  ].join('\n')

/** For the mock at `origin`, until standard input or output ends, or a message is too long. */
export function serveMcp(origin: string, reach: Reach, onError: (error: Error) => void, onEnd: () => unknown): void {
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES })
  const close = transport.close.bind(transport)
  // The SDK comes here whatever the end is. It pauses standard input then, which would not say that it has ended.
  transport.close = () => close().finally(onEnd)
  serveStdio(() => createMcpServer(origin, reach), { transport, onerror: onError })
}

export async function answerMcp(reach: Reach, { method, target, fields = [], body, header }: Call): Promise<RouteOutcome> {
  const read = readMessage(new TextDecoder().decode(body))
  const { code, problem: message } = read
  if (message !== undefined) return { status: 400, text: toJson({ jsonrpc: '2.0', id: null, error: { code, message } }) }
  const origin = `http://${header('host')}`
  const { fetch } = createMcpHandler(() => createMcpServer(origin, reach, read.input), {
    responseMode: 'auto',
    // A subscription would be a response without end; over HTTP the log is read again instead.
    maxSubscriptions: 0,
  })
  const request = new Request(origin + target, { method, headers: [...joinFields(fields)], body: '{}' })
  const response = await fetch(request, { parsedBody: read.message })
  const type = response.headers.get('content-type') ?? 'text/plain'
  return { status: response.status, text: await response.text(), headers: { 'Content-Type': type } }
}

/**
 * A message, measured before the SDK sees it, which checks every value and takes seconds for a large one. The arguments
 * of a tool, which may have a scenario, go past the SDK, with int64 exact. A problem has its JSON-RPC code.
 */
export function readMessage(text: string) {
  try {
    const whole = parseJson(text, undefined, { keys: MAX_DOCUMENT_KEYS, values: MAX_VALUES_PER_REQUEST })
    // MCP has no batches any more, and one would keep the app waiting for all of its calls.
    if (!isPlainObject(whole)) return { code: -32_600, problem: 'Send one message at a time, as an object' }
    const { params } = whole
    const input = isPlainObject(params) && isPlainObject(params.arguments) ? params.arguments : undefined
    const message: unknown = input ? { ...whole, params: { ...(params as object), arguments: {} } } : whole
    if (toJson(message).length <= MAX_MESSAGE_CHARACTERS) return { message, input: input ?? {} }
    return { code: -32_600, problem: `More than ${MAX_MESSAGE_CHARACTERS} characters besides the arguments of a tool` }
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    return { code: -32_700, problem: error.message }
  }
}

/** `origin` is where the mock is; `exact` are the arguments of a tool, if they do not come through the SDK. */
function createMcpServer(origin: string, reach: Reach, exact?: ToolInput): McpServer {
  const server = new McpServer({ name: MOCK_NAME, version }, { instructions: instruct(origin + contract.basePath, reach.sandbox) })
  for (const { name, description, isReadOnly, isDestructive, inputSchema, run } of tools) {
    const settings = {
      description,
      inputSchema: fromJsonSchema(inputSchema as JsonSchemaType, accept),
      annotations: { readOnlyHint: isReadOnly, destructiveHint: isDestructive, openWorldHint: false },
    }
    server.registerTool(name, settings, async (given) => run(exact ?? (given as ToolInput), origin, reach).then(say, refuse))
  }
  const register = (name: string, description: string, read: () => Promise<unknown>) =>
    server.registerResource(name, ROOT + name, { description }, async ({ href }) => show(href, await read()))
  register('spec', 'The OpenAPI description of the Animal Store API', () => reach.spec(origin))
  register('assumptions', ASSUMPTIONS, async () => questions)
  register('scenario-schema', 'The JSON schema of a scenario', async () => scenarioSchema)
  register('requests', 'The requests and changes of the shared state, one line each', async () =>
    renderRows((await reach.call(reach.sandbox, 'timeline', { limit: MAX_ROWS })).result as never),
  )
  const resources = scenarioList.map((one) => ({ ...one, uri: `${ROOT}scenarios/${one.name}` }))
  const template = new ResourceTemplate(`${ROOT}scenarios/{name}`, { list: async () => ({ resources }) })
  server.registerResource('scenarios', template, { description: 'A shipped scenario' }, async ({ href }, { name }) =>
    show(href, await reach.scenario(String(name))),
  )
  for (const [name, text] of Object.entries(PROMPTS)) {
    const message = { role: 'user', content: { type: 'text', text } } as const
    server.registerPrompt(name, { description: text }, () => ({ messages: [message] }))
  }
  return server

  /** The problems, as the control API names them. Anything else is a bug, which the SDK reports. */
  function refuse(error: unknown) {
    if (!isRefusal(error)) throw error
    const hint = error.status === 0 && reach.hint ? `. ${reach.hint}` : ''
    return { ...say(escapeInJson(error.message + hint)), isError: true }
  }
}

const say = (text: string) => ({ content: [{ type: 'text' as const, text }] })
const show = (uri: string, value: unknown) => ({ contents: [{ uri, text: typeof value === 'string' ? value : toJson(value, 2) }] })

/** Any input: the control API checks it. */
const accept = { getValidator: () => (data: unknown) => ({ valid: true, data: data as never, errorMessage: undefined }) as const }
