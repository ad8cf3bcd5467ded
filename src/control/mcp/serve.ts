// The MCP server of a mock: tools and resources over its control, on standard input and output, and
// as a route of the control API. The SDK speaks the protocol. Loaded when it is first used: the SDK
// takes longer to load than the mock.
import type { Transport } from '@modelcontextprotocol/server'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { UsageError } from '../../contract/errors.ts'
import { escapeUnsafe } from '../../contract/escape.ts'
import { contract } from '../../contract/generated/contract.ts'
import { questions } from '../../contract/generated/questions.ts'
import { version } from '../../contract/generated/version.ts'
import { toJson } from '../../contract/int64-json.ts'
import { MAX_DOCUMENT_BYTES } from '../../contract/limits.ts'
import { say } from '../../contract/problem.ts'
import { scenarioSchema } from '../../scenario/generated/scenario-schema.ts'
import type { Call } from '../../service/call.ts'
import { USUAL_KEY } from '../../world/scenario.ts'
import { readSpec } from '../api/routes.ts'
import type { RouteReply } from '../api/run-method.ts'
import type { Input } from '../method-row.ts'
import { MOCK_NAME } from '../protocol.ts'
import type { Reach } from './reach.ts'
import { readMessage } from './read-message.ts'
import { joinWrapped, type Tool, tools } from './tools.ts'

export function serveMcp(
  reach: Reach,
  onError: (error: Error) => void,
  onEnd: () => unknown,
  ownTools: readonly Tool[],
): void {
  const { stdin, stdout } = process
  /** The line that has not ended yet. */
  let begun = ''
  let isOpen = true

  function receive(chunk: string): void {
    const [end = '', ...starts] = chunk.split('\n')
    // A line that is too long already is refused: it needs no more text.
    const isTooLong = begun.length > MAX_DOCUMENT_BYTES
    if (!isTooLong) begun += end
    for (const start of starts) {
      const line = begun
      begun = start
      receiveLine(line)
    }
  }

  function receiveLine(line: string): void {
    if (line.trim() === '') return
    const { message, refusal } = readMessage(Buffer.from(line, 'latin1'))
    if (message) transport.onmessage?.(message)
    else transport.send(refusal)
  }

  const transport: Transport = {
    async start() {
      for (const stream of [stdin, stdout]) stream.on('error', () => transport.close())
      stdin.once('end', () => transport.close())
      // Text of one character for each byte, so that a message that is not UTF-8 can be refused.
      stdin.setEncoding('latin1').on('data', receive)
    },
    async send(message) {
      if (isOpen) stdout.write(`${toJson(message)}\n`)
    },
    async close() {
      if (!isOpen) return
      isOpen = false
      stdin.destroy()
      transport.onclose?.()
      await onEnd()
    },
  }
  serveStdio(() => createMcpServer(reach, ownTools), { transport, onerror: onError })
}

export async function answerMcp(reach: Reach, call: Call): Promise<RouteReply> {
  const { method, headers, body = new Uint8Array() } = call
  const { message, refusal } = readMessage(body)
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

function createMcpServer(reach: Reach, ownTools: readonly Tool[] = []): McpServer {
  const { mockUrl } = reach
  const instructions = instruct(mockUrl + contract.basePath, reach.sandbox)
  const server = new McpServer({ name: MOCK_NAME, version }, { instructions })
  for (const tool of [...tools, ...ownTools]) registerTool(server, tool, reach)
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
}

function instruct(address: string, sandbox = USUAL_KEY): string {
  return joinWrapped(`${MOCK_NAME} is a running mock of the Animal Store API, at ${address}.
    Send Authorization: Bearer ${sandbox}, or one of apiKeys if get_state {"call":"state"} has them.
Point the app at this address and let it run. list_requests shows what the app did,
    and explain_request why a request got its response.
break_operation makes an operation fail, send_request sends a request without the app,
    and go_back takes back what you changed.
Without sandbox, a tool means the shared state, and in lists of requests all sandboxes.`)
}

function registerTool(server: McpServer, tool: Tool, reach: Reach): void {
  const settings = {
    description: tool.description,
    inputSchema: fromJsonSchema(tool.inputSchema as never, { getValidator: () => acceptAny }),
    annotations: describeEffect(tool),
  }
  server.registerTool(tool.name, settings, async (given) => {
    const { exact } = given as { readonly exact?: () => Input }
    try {
      return toContent(await tool.run(exact?.() ?? {}, reach))
    } catch (error) {
      // Anything else is a bug, which the SDK reports.
      if (!(error instanceof UsageError)) throw error
      return explain(error, reach.hint)
    }
  })
}

function describeEffect({ isReadOnly, isDestructive }: Tool) {
  return isReadOnly ? { readOnlyHint: true } : { destructiveHint: isDestructive }
}

/** The problems, as the control API names them. */
function explain(error: UsageError, hint: string | undefined) {
  const lines = error.problems.map(say)
  if (error.status === 0 && hint) lines.push(hint)
  return { ...toContent(lines), isError: true }
}

/** The one exit to an agent: a line break or a sign that a client chose cannot begin a line. */
function toContent(lines: readonly string[]) {
  const text = lines.map(escapeUnsafe).join('\n')
  return { content: [{ type: 'text' as const, text }] }
}

/** The control API checks the input. */
function acceptAny(data: unknown) {
  return { valid: true, data: data as never, errorMessage: undefined } as const
}
