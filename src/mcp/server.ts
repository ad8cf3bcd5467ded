// The MCP server of one mock: tools, resources and prompts over its control. The SDK speaks the protocol.
import { McpServer } from '@modelcontextprotocol/server'
import { type ControlClient, ControlError } from '../client/client.ts'
import { toJson } from '../contract/int64-json.ts'
import type { Schema } from '../contract/schema.ts'
import { MOCK_NAME } from '../control/methods.ts'
import { version } from '../generated/version.ts'
import { explainRequest } from './explain.ts'
import { registerResources } from './resources.ts'
import { shorten } from './shorten.ts'
import { COMMON_FIELDS, type ToolInput, tools } from './tools.ts'

const EXPLAIN = {
  description:
    'Why a request got its response: the reason, every problem, what the request saw, the assumptions behind it, and how to reproduce it.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'integer', title: 'the id of the request; without it, the last refused one' }, ...COMMON_FIELDS },
  },
} as const

const INSTRUCTIONS = `${MOCK_NAME} is a running mock of the Animal Store API. Point the app at it, then: break_operation to make an operation fail, list_requests to see what the app did, explain_request to learn why a request got its response.`

/** `url` is where the mock is, for commands to paste. */
export function createMcpServer(mock: ControlClient, url: string): McpServer {
  const server = new McpServer({ name: MOCK_NAME, version }, { instructions: INSTRUCTIONS })
  const register = (name: string, description: string, schema: Schema, isReadOnly: boolean, run: (input: ToolInput) => Promise<string>) =>
    server.registerTool(
      name,
      { description, inputSchema: accept(schema), annotations: { readOnlyHint: isReadOnly, openWorldHint: false } },
      (input) => run(input as ToolInput).then(say, refuse),
    )
  for (const { name, description, isReadOnly, inputSchema, run } of tools) {
    register(name, description, inputSchema, isReadOnly, async (input) => {
      const { method, value } = await run(mock, input)
      return input.detail === true ? toJson(value, 2) : shorten(method, value)
    })
  }
  register('explain_request', EXPLAIN.description, EXPLAIN.inputSchema, true, (input) => explainRequest(mock, input, url))
  registerResources(server, mock)
  return server
}

const say = (text: string) => ({ content: [{ type: 'text' as const, text }] })

/** The problems, as the control API names them. Anything else is a bug, which the SDK reports. */
function refuse(error: unknown) {
  if (!(error instanceof ControlError)) throw error
  return { ...say(error.message), isError: true }
}

/** Any input: the control API checks it. */
function accept(schema: Schema) {
  const json = { ...schema } as Record<string, unknown>
  return {
    '~standard': {
      version: 1 as const,
      vendor: MOCK_NAME,
      validate: (value: unknown) => ({ value: value as ToolInput }),
      jsonSchema: { input: () => json, output: () => json },
    },
  }
}
