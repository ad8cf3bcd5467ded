// The MCP server of a mock: tools, resources and prompts over its control, on standard input and output, and as a route of the control API
// (Streamable HTTP, one response for each request). The SDK speaks the protocol. Loaded when it is first used: the SDK takes longer to load
// than the mock takes to start.
import { createMcpHandler, fromJsonSchema, type JsonSchemaType, McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { type ClientOptions, type ControlClient, ControlError, createClient } from '../client/client.ts'
import { toJson } from '../contract/int64-json.ts'
import { extras, MOCK_NAME } from '../control/methods.ts'
import type { RouteOutcome } from '../control/routes.ts'
import { questions } from '../generated/questions.ts'
import { scenarioSchema } from '../generated/scenario-schema.ts'
import { version } from '../generated/version.ts'
import { MAX_DOCUMENT_BYTES } from '../limits.ts'
import type { Call } from '../service/call.ts'
import { MAX_ROWS, shorten, type ToolInput, tools } from './tools.ts'

const INSTRUCTIONS = `${MOCK_NAME} is a running mock of the Animal Store API. Point the app at it, then: break_operation to make an operation fail, list_requests to see what the app did, explain_request to learn why a request got its response.`
const ROOT = 'animal-store://'
/** A scenario, and what is around it. */
const MAX_MESSAGE_BYTES = 2 * MAX_DOCUMENT_BYTES
const ONE_AT_A_TIME = toJson({ jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'Send one message at a time' } })
const PROMPTS = {
  test_last_request:
    'Call explain_request. Then write a test for my test runner that sends the same request through my own code, with the mock in the state that the request saw, and checks how my code handles the response.',
  check_error_handling:
    'For each operation of the API: break it with break_operation (a 503 twice, a dropped connection, a 429 with retryAfter, a truncated body), ask me to use the app, read list_requests, and tell me where the app retries what it must not, gives up too early or shows nothing. Remove the faults at the end.',
}

/** For the mock at that address, until standard input or output ends, or a message is too long. */
export function serveMcp(url: string, options: ClientOptions, onError: (error: Error) => void, onEnd: () => void): void {
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES })
  const close = transport.close.bind(transport)
  // The SDK comes here whatever the end is. It pauses standard input then, which would not say that it has ended.
  transport.close = () => close().finally(onEnd)
  serveStdio(() => createMcpServer(createClient(url, options), url), { transport, onerror: onError })
}

/** The options reach the control API of the mock that has the route. */
export function createMcpRoute(options: ClientOptions): (call: Call) => Promise<RouteOutcome> {
  const create = (origin: string) => createMcpServer(createClient(origin, options), origin)
  const handler = createMcpHandler(({ requestInfo }) => create(new URL((requestInfo as Request).url).origin), {
    responseMode: 'auto',
    // A subscription would be a response without end; over HTTP the log is read again instead.
    maxSubscriptions: 0,
  })
  return async ({ method, target, fields = [], body, header }) => {
    const text = body && new TextDecoder().decode(body)
    // MCP has no batches any more, and one would keep the app waiting for all of its calls.
    if (text?.trimStart().startsWith('[')) return { status: 400, text: ONE_AT_A_TIME, type: 'application/json' }
    const headers = new Headers()
    for (let index = 0; index + 1 < fields.length; index += 2) headers.append(fields[index] as string, fields[index + 1] as string)
    const response = await handler.fetch(new Request(`http://${header('host')}${target}`, { method, headers, ...(text && { body: text }) }))
    return { status: response.status, text: await response.text(), type: response.headers.get('content-type') ?? 'text/plain' }
  }
}

/** `origin` is where the mock is, for commands to paste. */
function createMcpServer(mock: ControlClient, origin: string): McpServer {
  const server = new McpServer({ name: MOCK_NAME, version }, { instructions: INSTRUCTIONS })
  for (const { name, description, isReadOnly, inputSchema, run } of tools) {
    const settings = {
      description,
      inputSchema: fromJsonSchema(inputSchema as JsonSchemaType, accept),
      annotations: { readOnlyHint: isReadOnly, openWorldHint: false },
    }
    server.registerTool(name, settings, (input) => run(mock, input as ToolInput, origin).then(say, toRefusal))
  }
  const register = (name: string, description: string, read: () => Promise<unknown>) =>
    server.registerResource(name, ROOT + name, { description }, async ({ href }) => show(href, await read()))
  register('spec', 'The OpenAPI description of the Animal Store API', () => mock.call(extras.openapi))
  register('assumptions', 'What the API leaves open: every question, its choices, and why the default was chosen', async () => questions)
  register('scenario-schema', 'The JSON schema of a scenario', async () => scenarioSchema)
  register('requests', 'The requests and changes of the shared state, one line each', async () =>
    shorten(await mock.timeline({ limit: MAX_ROWS })),
  )
  const list = async () => ({ resources: (await mock.scenarios()).map((one) => ({ ...one, uri: `${ROOT}scenarios/${one.name}` })) })
  server.registerResource(
    'scenarios',
    new ResourceTemplate(`${ROOT}scenarios/{name}`, { list }),
    { description: 'A shipped scenario' },
    async ({ href }, { name }) => show(href, await mock.call(extras.scenario, name)),
  )
  for (const [name, text] of Object.entries(PROMPTS)) {
    server.registerPrompt(name, { description: text }, () => ({ messages: [{ role: 'user', content: { type: 'text', text } }] }))
  }
  return server
}

const say = (text: string) => ({ content: [{ type: 'text' as const, text }] })
const show = (uri: string, value: unknown) => ({ contents: [{ uri, text: typeof value === 'string' ? value : toJson(value, 2) }] })

/** The problems, as the control API names them. Anything else is a bug, which the SDK reports. */
function toRefusal(error: unknown) {
  if (!(error instanceof ControlError)) throw error
  return { ...say(error.message), isError: true }
}

/** Any input: the control API checks it. */
const accept = { getValidator: () => (data: unknown) => ({ valid: true, data: data as never, errorMessage: undefined }) as const }
