// The MCP server, asked by the official client over both transports.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it, onTestFinished } from 'vitest'
import { methods } from '../../src/control/methods.ts'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock } from '../../src/mock/mock.ts'
import { ask, BIN, runCli } from '../support/cli-process.ts'

const TRANSPORTS = {
  stdio: (url: string) => new StdioClientTransport({ command: process.execPath, args: [BIN, 'mcp', '--url', url], stderr: 'pipe' }),
  HTTP: (url: string) => new StreamableHTTPClientTransport(new URL('/__mock/mcp', url)),
}

/** What every call of a method passes; the rest need nothing. */
const ARGUMENTS: Readonly<Record<string, object>> = {
  load: { scenario: 'single' },
  'pets.get': { id: 1 },
  'pets.add': { name: 'Rex', categoryId: 1 },
  'pets.update': { id: 1, status: 'sold' },
  'pets.remove': { id: 1 },
  'faults.add': { operation: 'createPet', status: 503, times: 2 },
  'faults.remove': { id: '1' },
  'clock.set': { now: '2030-12-06' },
  'clock.advance': { advance: 'P1D' },
  'clock.freeze': { frozen: true },
  'latency.set': { latency: 1 },
  assume: { 'invalid-query': 'clamp' },
  rewind: { id: 3 },
}

/** A client of a fresh mock. */
async function connect(transport: keyof typeof TRANSPORTS) {
  const { url, close } = await serve(createMock({ sandbox: false }))
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(TRANSPORTS[transport](url))
  onTestFinished(async () => {
    await client.close()
    await close()
  })
  async function call(name: string, input: object): Promise<string> {
    const { content, isError } = await client.callTool({ name, arguments: { ...input } })
    const part = content[0] as { readonly text: string }
    return `${isError ? 'refused: ' : ''}${part.text}`
  }
  return { client, url, call }
}

describe('the MCP server', () => {
  it('offers every control method in a tool, and marks tools that only read', async () => {
    const { client, call } = await connect('HTTP')
    const { tools } = await client.listTools()
    for (const [method, row] of Object.entries(methods)) {
      const tool = tools.find(({ name }) => name === row.tool)
      expect(tool?.inputSchema.properties?.call).toMatchObject({ enum: expect.arrayContaining([method]) })
      expect(tool?.annotations?.readOnlyHint).toBe(row.method === 'GET')
      if (method !== 'removeSandbox') expect(await call(row.tool, { call: method, ...ARGUMENTS[method] }), method).not.toMatch(/^refused/)
    }
  })

  it.each(['stdio', 'HTTP'] as const)(
    'breaks an operation over %s, shows what the client did, and explains a response',
    async (transport) => {
      const { url, call } = await connect(transport)
      await call('break_operation', { call: 'faults.add', operation: 'createPet', status: 503, times: 1 })
      expect((await ask(`${url}/pets`, { pet: { name: 'Rex', categoryId: 1 } })).status).toBe(503)
      expect((await ask(`${url}/pets?limit=0`)).status).toBe(400)
      expect(await call('list_requests', { call: 'requests' })).toMatch(/^2 found\n#2 .*POST .*503.*\n#3 .*GET .*400/)
      const explanation = await call('explain_request', { id: 3 })
      for (const part of ['/v1/pets?limit=0', 'invalid-query', 'curl']) expect(explanation).toContain(part)
    },
  )

  it('refuses a wrong argument with the problems that the control API names', async () => {
    const { url, call } = await connect('HTTP')
    const wrong = { operation: 'createPett', status: 5030 }
    const { json } = await ask(new URL('/__mock/faults', url).href, { pet: wrong })
    expect(await call('break_operation', { call: 'faults.add', ...wrong })).toBe(`refused: ${(json as { message: string }).message}`)
    expect(await call('break_operation', { call: 'reset' })).toMatch(/^refused: call: /)
  })

  it('has resources that can be read', async () => {
    const { client } = await connect('HTTP')
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain('animal-store://scenarios/sold-out')
    for (const { uri } of resources) expect(await client.readResource({ uri })).toMatchObject({ contents: [{ uri }] })
  })
})

it('the MCP route refuses a page of another origin', async () => {
  const { url, close } = await serve(createMock())
  onTestFinished(close)
  const response = await fetch(new URL('/__mock/mcp', url), {
    method: 'POST',
    headers: { origin: 'https://elsewhere.example', 'content-type': 'application/json' },
    body: '{}',
  })
  expect(response.status).toBe(403)
})

it('the MCP route refuses a list of messages', async () => {
  const { url, close } = await serve(createMock())
  onTestFinished(close)
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const response = await fetch(new URL('/__mock/mcp', url), {
    method: 'POST',
    headers,
    body: ' [{"jsonrpc":"2.0","id":1,"method":"ping"}]',
  })
  expect(response.status).toBe(400)
})

it('mcp --start starts its own mock, and refuses the address of another', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [BIN, 'mcp', '--start'], stderr: 'pipe' }))
  onTestFinished(() => client.close())
  const { content } = await client.callTool({ name: 'get_state', arguments: { call: 'summary' } })
  expect(content).toMatchObject([{ text: expect.stringContaining('default') }])
  expect(await runCli(['mcp', '--start', '--port', '1'])).toMatchObject({ code: 2, stdout: '' })
})

it('mcp --start ends when its client is gone, also in the middle of an answer', async () => {
  const child = spawn(process.execPath, [BIN, 'mcp', '--start'], { stdio: ['pipe', 'pipe', 'ignore'] })
  child.stdout.destroy()
  for (let id = 1; id <= 3; id++) child.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`)
  child.stdin.on('error', () => {}).end()
  await once(child, 'exit')
})

it('mcp without a running mock says how to start one', async () => {
  const { code, stdout, stderr } = await runCli(['mcp', '--port', '1'])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('start one with animal-store-mock')
})
