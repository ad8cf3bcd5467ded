// The MCP server of a mock: tools, resources and prompts over its control, on standard input and output, and as a route of the control API
// (Streamable HTTP, one response for each request). The SDK speaks the protocol. Loaded when it is first used: the SDK takes longer to load
// than the mock takes to start.
import { createMcpHandler, fromJsonSchema, type JsonSchemaType, McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { type ClientOptions, ControlError, type ControlFetch, createClient, findOrigin } from '../client/client.ts'
import { toJson } from '../contract/int64-json.ts'
import { extras, MOCK_NAME, TOTAL_HEADER } from '../control/methods.ts'
import type { RouteOutcome } from '../control/routes.ts'
import { contract } from '../generated/contract.ts'
import { questions } from '../generated/questions.ts'
import { scenarioSchema } from '../generated/scenario-schema.ts'
import { version } from '../generated/version.ts'
import { MAX_DOCUMENT_BYTES, MAX_ROWS } from '../limits.ts'
import { escapeInJson } from '../render/escape.ts'
import type { Call } from '../service/call.ts'
import type { Surroundings, ToolInput } from './explain-request.ts'
import { readMessage } from './read-message.ts'
import { renderRows } from './render.ts'
import { tools } from './tools.ts'

export interface Reach extends ClientOptions {
  readonly fetch: ControlFetch
  readonly service: typeof fetch
  /** What to do if it does not respond. */
  readonly hint?: string
}

const ROOT = 'animal-store://'
/** A scenario, and what is around it. */
const MAX_MESSAGE_BYTES = 2 * MAX_DOCUMENT_BYTES
const PROMPTS = {
  test_last_request:
    'Call explain_request. Then write a test for my test runner that sends the same request through my own code, with the mock in the state that the request saw, and checks how my code handles the response.',
  check_error_handling:
    'For each operation of the API: break it with break_operation (a 503 twice, a dropped connection, a 429 with retryAfter, a truncated body), ask me to use the app, read list_requests, and tell me where the app retries what it must not, gives up too early or shows nothing. Remove the faults at the end.',
}

const instruct = (address: string) =>
  [
    `${MOCK_NAME} is a running mock of the Animal Store API, at ${address}. Any API key works unless the scenario lists its own: Authorization: Bearer any-key.`,
    'Point the app at this address and let it run. list_requests shows what the app did, and explain_request why a request got its response.',
    'break_operation makes an operation fail, send_request sends a request without the app, and go_back takes back what you changed.',
  ].join('\n')

/** For the mock at that address, until standard input or output ends, or a message is too long. */
export function serveMcp(url: string, reach: Reach, onError: (error: Error) => void, onEnd: () => unknown): void {
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES })
  const close = transport.close.bind(transport)
  // The SDK comes here whatever the end is. It pauses standard input then, which would not say that it has ended.
  transport.close = () => close().finally(onEnd)
  serveStdio(() => createMcpServer(findOrigin(url), reach), { transport, onerror: onError })
}

/** `reach` leads to the mock that has the route. */
export function createMcpRoute(reach: Reach): (call: Call) => Promise<RouteOutcome> {
  return async ({ method, target, fields = [], body, header }) => {
    const read = readMessage(new TextDecoder().decode(body))
    if ('problem' in read) {
      const error = { code: read.code, message: read.problem }
      return { status: 400, text: toJson({ jsonrpc: '2.0', id: null, error }) }
    }
    const origin = `http://${header('host')}`
    const { fetch } = createMcpHandler(() => createMcpServer(origin, reach, read.input), {
      responseMode: 'auto',
      // A subscription would be a response without end; over HTTP the log is read again instead.
      maxSubscriptions: 0,
    })
    const headers = new Headers()
    for (let index = 0; index + 1 < fields.length; index += 2) headers.append(fields[index] as string, fields[index + 1] as string)
    const response = await fetch(new Request(origin + target, { method, headers, body: '{}' }), { parsedBody: read.message })
    return {
      status: response.status,
      text: await response.text(),
      headers: { 'Content-Type': response.headers.get('content-type') ?? 'text/plain' },
    }
  }
}

/** `origin` is where the mock is, for the agent; `exact` are the arguments of a tool, if they do not come through the SDK. */
function createMcpServer(origin: string, reach: Reach, exact?: ToolInput): McpServer {
  const mock = createClient(origin, reach)
  const server = new McpServer({ name: MOCK_NAME, version }, { instructions: instruct(origin + contract.basePath) })
  for (const { name, description, isReadOnly, isDestructive, inputSchema, run } of tools) {
    const settings = {
      description,
      inputSchema: fromJsonSchema(inputSchema as JsonSchemaType, accept),
      annotations: { readOnlyHint: isReadOnly, destructiveHint: isDestructive, openWorldHint: false },
    }
    server.registerTool(name, settings, async (given) => {
      const input = exact ?? (given as ToolInput)
      return run(input, surround(input)).then(say, refuse)
    })
  }
  const register = (name: string, description: string, read: () => Promise<unknown>) =>
    server.registerResource(name, ROOT + name, { description }, async ({ href }) => show(href, await read()))
  register('spec', 'The OpenAPI description of the Animal Store API', () => mock.ask(extras.openapi))
  register('assumptions', 'What the API leaves open: every question, its choices, and why the default was chosen', async () => questions)
  register('scenario-schema', 'The JSON schema of a scenario', async () => scenarioSchema)
  register('requests', 'The requests and changes of the shared state, one line each', async () =>
    renderRows(await mock.timeline({ limit: MAX_ROWS })),
  )
  const list = async () => ({ resources: (await mock.scenarios()).map((one) => ({ ...one, uri: `${ROOT}scenarios/${one.name}` })) })
  server.registerResource(
    'scenarios',
    new ResourceTemplate(`${ROOT}scenarios/{name}`, { list }),
    { description: 'A shipped scenario' },
    async ({ href }, { name }) => show(href, await mock.ask(extras.scenario, name)),
  )
  for (const [name, text] of Object.entries(PROMPTS)) {
    server.registerPrompt(name, { description: text }, () => ({ messages: [{ role: 'user', content: { type: 'text', text } }] }))
  }
  return server

  /** A new client for each call, which knows how many rows its response was about. */
  function surround({ sandbox }: ToolInput): Surroundings {
    let total: number | undefined
    const fetch: ControlFetch = async (url, init) => {
      const response = await reach.fetch(url, init)
      const count = response.headers.get(TOTAL_HEADER)
      total = count === null ? undefined : Number(count)
      return response
    }
    const own = { ...reach, fetch, ...(typeof sandbox === 'string' && { sandbox }) }
    return { mock: createClient(origin, own), origin, total: () => total, send: reach.service }
  }

  /** The problems, as the control API names them. Anything else is a bug, which the SDK reports. */
  function refuse(error: unknown) {
    if (!(error instanceof ControlError)) throw error
    const hint = error.status === 0 && reach.hint ? `. ${reach.hint}` : ''
    return { ...say(escapeInJson(error.message + hint)), isError: true }
  }
}

const say = (text: string) => ({ content: [{ type: 'text' as const, text }] })
const show = (uri: string, value: unknown) => ({ contents: [{ uri, text: typeof value === 'string' ? value : toJson(value, 2) }] })

/** Any input: the control API checks it. */
const accept = { getValidator: () => (data: unknown) => ({ valid: true, data: data as never, errorMessage: undefined }) as const }
