// What an agent can read besides calling tools: the spec, the assumptions, scenarios, the request log; and prompts to start from.
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import type { ControlClient } from '../client/client.ts'
import { toJson } from '../contract/int64-json.ts'
import { extras } from '../control/methods.ts'
import { questions } from '../generated/questions.ts'
import { documentSchema } from '../scenario/document.ts'
import { shorten } from './shorten.ts'

const ROOT = 'animal-store://'

export function registerResources(server: McpServer, mock: ControlClient): void {
  const register = (name: string, description: string, read: () => Promise<string>) =>
    server.registerResource(name, ROOT + name, { description }, async ({ href }) => ({ contents: [{ uri: href, text: await read() }] }))
  register('spec', 'The OpenAPI description of the Animal Store API', async () => toJson(await mock.call(extras.openapi), 2))
  register('assumptions', 'What the API leaves open: every question, its choices, and why the default was chosen', async () =>
    toJson(questions, 2),
  )
  register('scenario-schema', 'The JSON schema of a scenario', async () => toJson(documentSchema, 2))
  register('requests', 'The request log of the shared state, a few lines for each request', async () =>
    shorten('requests', await mock.requests()),
  )
  server.registerResource(
    'scenarios',
    new ResourceTemplate(`${ROOT}scenarios/{name}`, {
      list: async () => ({
        resources: (await mock.scenarios()).map(({ name, description }) => ({ uri: `${ROOT}scenarios/${name}`, name, description })),
      }),
    }),
    { description: 'A shipped scenario' },
    async ({ href }, { name }) => ({ contents: [{ uri: href, text: toJson(await mock.call(extras.scenario, name), 2) }] }),
  )
  const prompt = (name: string, description: string, text: string) =>
    server.registerPrompt(name, { description }, () => ({ messages: [{ role: 'user', content: { type: 'text', text } }] }))
  prompt(
    'test_last_request',
    'Write a test for the last request that was refused',
    'Call explain_request. Then write a test for my test runner that sends the same request through my own code, with the mock in the state that the request saw, and checks how my code handles the response.',
  )
  prompt(
    'check_error_handling',
    'Find out how the app handles failures of the API',
    'For each operation of the API: break it with break_operation (a 503 twice, a dropped connection, a 429 with retryAfter, a truncated body), ask me to use the app, read list_requests, and tell me where the app retries what it must not, gives up too early or shows nothing. Remove the faults at the end.',
  )
}
