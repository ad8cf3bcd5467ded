// The MCP server, asked by the official client over both transports.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Schema } from '../../src/contract/schema.ts'
import { methods } from '../../src/control/methods.ts'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock } from '../../src/mock/mock.ts'
import { ask, BIN, createFolder } from '../support/cli-process.ts'
import { createMockService, createRecorder } from '../support/traffic.ts'

const TRANSPORTS = {
  stdio: (url: string) =>
    new StdioClientTransport({
      command: process.execPath,
      args: [BIN, 'mcp', '--url', url],
      stderr: 'pipe',
    }),
  HTTP: (url: string) => new StreamableHTTPClientTransport(new URL('/__mock/mcp', url)),
}

/** Sends a message as it is to a fresh mock, and returns the first line of the answer. */
const RAW = {
  async stdio(message: string): Promise<string> {
    const child = spawn(process.execPath, [BIN, 'mcp', '--start'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    onTestFinished(() => void child.kill())
    child.stdin.write(`${message}\n`)
    return String((await once(child.stdout, 'data'))[0])
  },
  async HTTP(body: string): Promise<string> {
    const { url, close } = await serve(createMock())
    onTestFinished(close)
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    return (await fetch(new URL('/__mock/mcp', url), { method: 'POST', headers, body })).text()
  },
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
  'keys.set': { keys: null },
  'latency.set': { latency: 1 },
  assume: { assume: { 'invalid-query': 'clamp' } },
  rewind: { id: 3 },
  makeReal: { id: 3 },
}

/** Arguments whose names say it all, so that they need no description. */
const SELF_EXPLANATORY = ['sandbox', 'name', 'categoryId']

/** What these tools need to be told. */
const WRITES: Readonly<Record<string, object>> = {
  go_back: { call: 'undo' },
  clean_up: { call: 'clearRequests' },
}

/** A client of a fresh mock. */
async function connect(transport: keyof typeof TRANSPORTS, sandbox = false) {
  const { url, close } = await serve(createMock({ sandbox }))
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
  it('offers every control method that has a tool in it, and marks tools that only read or that nothing takes back', async () => {
    const { client, call } = await connect('HTTP')
    const { tools } = await client.listTools()
    for (const [method, row] of Object.entries(methods)) {
      if (row.tool === undefined) continue
      const tool = tools.find(({ name }) => name === row.tool)
      const calls = { enum: expect.arrayContaining([method]) }
      if (method !== 'whatIf') expect(tool?.inputSchema.properties?.call).toMatchObject(calls)
      const effect = { destructiveHint: row.tool === 'clean_up' }
      expect(tool?.annotations).toEqual(row.isWrite ? effect : { readOnlyHint: true })
      if (method !== 'removeSandbox' && method !== 'whatIf')
        expect(await call(row.tool, { call: method, ...ARGUMENTS[method] }), method).not.toMatch(
          /^refused/,
        )
    }
  })

  it('describes every argument of every tool with a type, and no patterns', async () => {
    const { client } = await connect('HTTP')
    const { tools } = await client.listTools()
    const fields = tools.flatMap(({ name, inputSchema }) =>
      Object.entries(inputSchema.properties ?? {}).map((one) => [name, ...one] as const),
    )
    for (const [tool, name, schema] of fields) {
      if (!SELF_EXPLANATORY.includes(name))
        expect(schema, `${tool} ${name}`).toMatchObject({ description: expect.stringMatching(/./) })
      if (!['scenario', 'body'].includes(name))
        expect(schema, `${tool} ${name}`).toHaveProperty('type')
    }
    const names = fields.map(([, name]) => name)
    expect([names.includes('seen'), names.includes('applied')]).toEqual([false, false])
    for (const nullable of [
      'change_settings now',
      'change_settings latency',
      'change_animals status',
    ]) {
      const [, , schema] = fields.find(([tool, name]) => nullable === `${tool} ${name}`) ?? []
      expect(schema, nullable).toMatchObject({ type: expect.arrayContaining(['string', 'null']) })
    }
    const text = JSON.stringify(tools)
    expect(text.length).toBeLessThanOrEqual(12_000)
    const required = tools.map(({ name, inputSchema }) => [name, inputSchema.required])
    expect(Object.fromEntries(required)).toMatchObject({
      what_if: ['id'],
      change_animals: ['call'],
      go_back: ['call'],
    })
    for (const exact of ['list_animals id', 'change_animals id', 'break_operation petId']) {
      const [, , schema] = fields.find(([tool, name]) => exact === `${tool} ${name}`) ?? []
      expect(schema, exact).toMatchObject({ type: ['integer', 'string'] })
    }
    const descriptions = fields
      .filter(([, name]) => name === 'status')
      .map(([tool, , schema]) => [tool, (schema as Schema).description])
    expect(Object.fromEntries(descriptions)).toMatchObject({
      change_animals: expect.stringContaining('animal'),
      break_operation: expect.not.stringContaining('animal'),
    })
    expect([text.includes('pattern'), text.includes('UsageError')]).toEqual([false, false])
    expect(tools.find(({ name }) => name === 'load_scenario')?.description).toContain('sold-out')
  })

  it.each(['stdio', 'HTTP'] as const)(
    'breaks an operation over %s, shows what the client did, and explains a response',
    async (transport) => {
      const { client, url, call } = await connect(transport)
      expect(client.getInstructions()).toContain(`${url}.`)
      expect(await call('get_state', {})).toContain(`address: ${url}\n`)
      await call('break_operation', { operation: 'createPet', status: 503, times: 1 })
      expect((await ask(`${url}/pets`, { pet: { name: 'Rex', categoryId: 1 } })).status).toBe(503)
      expect((await ask(`${url}/pets?limit=0`)).status).toBe(400)
      expect(await call('list_requests', { call: 'requests' })).toMatch(
        /^2 found\n\S+ #2 POST .*503.*\n\S+ #3 GET .*400/,
      )
      const explanation = await call('explain_request', { id: 3 })
      for (const part of ['/v1/pets?limit=0', 'invalid-query', 'curl', 'go_back'])
        expect(explanation).toContain(part)
      // One address, and no second mock.
      const addresses = explanation.match(/https?:[^\s'"]*/g) ?? []
      expect(addresses).toEqual([`${url}/pets?limit=0`])
      expect(explanation).not.toContain('--scenario')
    },
  )

  it('learns a world from a file of traffic over stdio alone', async () => {
    const pets = [{ id: 7, name: 'Rex', categoryId: 7 }]
    const recorder = createRecorder(createMockService({ pets }))
    recorder.send({ method: 'GET', path: '/pets' })
    const file = join(createFolder(), 'traffic.har')
    writeFileSync(file, JSON.stringify(recorder.har()))
    const { call } = await connect('stdio')
    const before = await call('list_animals', {})
    const report = await call('calibrate_from_traffic', { file })
    expect(report).toMatch(/1 of 1 responses explained; /)
    expect(await call('list_animals', {})).toBe(before)
    await call('calibrate_from_traffic', { file, load: true })
    expect(await call('list_animals', {})).toMatch(/^1 of 1 .*\n.*"id":7,/)
    expect(await call('calibrate_from_traffic', {})).toMatch(/^refused: file is required/)
    expect(await call('calibrate_from_traffic', { file: `${file}x` })).toMatch(/^refused: .*harx/)
    const { client } = await connect('HTTP')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).not.toContain('calibrate_from_traffic')
  })

  it('does what is obvious if an agent does not say what to call', async () => {
    const { call } = await connect('HTTP')
    expect(await call('load_scenario', { scenario: 'single' })).toContain('scenario: single')
    expect(await call('change_settings', { latency: 1 })).toBe('done')
    const clamp = { 'invalid-query': 'clamp' }
    expect(await call('change_settings', { assume: clamp })).toBe('done')
    expect(await call('list_requests', {})).toMatch(
      /^3 found\n.*loaded single\n.*latency.*\n.*invalid-query/,
    )
    expect(await call('go_back', { call: 'undo' })).toMatch(/^\S+ #4 ◆ undid: .*invalid-query.*$/)
    expect(await call('change_settings', { latency: 'off' })).toBe('done')
    for (const detail of [false, true])
      expect(await call('get_state', { call: 'latency.get', detail })).toBe('null')
    expect(await call('change_settings', { call: 'clock.freeze' })).toContain('frozen: true')
    expect(await call('list_animals', { id: 1 })).toContain('id: 1')
    expect(await call('change_settings', {})).toMatch(/^refused: call: /)
    for (const tool of ['go_back', 'clean_up', 'load_scenario'])
      expect(await call(tool, {}), tool).toMatch(/^refused: call: /)
    for (const input of [{ name: 'Rex' }, { id: 1 }, { id: 1, status: 'sold' }])
      expect(await call('change_animals', input)).toMatch(/^refused: call: /)
    expect(await call('change_animals', { call: 'pets.delete', id: 1 })).toMatch(
      /^refused: call: .*pets\.remove/,
    )
    expect(await call('get_state', { foo: 1 })).toBe(
      'refused: foo: unknown field; expected no arguments',
    )
  })

  it.each(['stdio', 'HTTP'] as const)(
    'sends a request over %s, and sends one again',
    async (transport) => {
      const { call } = await connect(transport)
      const created = await call('send_request', {
        path: '/v1/pets',
        body: { name: 'Rex', categoryId: 1 },
      })
      expect(created).toMatch(
        /^Status 201\n#1 POST \/v1\/pets → 201.*\n[\s\S]*response: \{"id":19,"name":"Rex","categoryId":1\}$/,
      )
      expect(await call('send_request', { again: 1 })).toMatch(/^Status 201\n#2 [\s\S]*"id":20/)
      expect(
        await call('send_request', {
          path: '/v1/pets',
          body: '{}',
          headers: { 'Content-Type': null },
        }),
      ).toMatch(/Content-Type/i)
      const again = {
        again: 3,
        headers: { 'content-type': 'application/json' },
        body: { name: 'Mia', categoryId: 1 },
      }
      expect(await call('send_request', again)).toMatch(/^Status 201\n[\s\S]*"name":"Mia"/)
      expect(await call('send_request', { path: '/v1/pets', apiKey: '' })).toMatch(/^Status 401\n/)
      await call('break_operation', { operation: 'listPets', drop: true, times: 1 })
      expect(await call('send_request', { path: '/v1/pets' })).toMatch(
        /^No response: .*\n#\d+ GET \/v1\/pets → dropped/,
      )
      expect(await call('explain_request', {})).toMatch(/^#\d+ GET \/v1\/pets → dropped/)
      for (const path of [
        'pets',
        '@elsewhere.example/',
        '/__mock/state',
        '/v1/../__mock/state',
        undefined,
      ])
        expect(await call('send_request', { path })).toMatch(/^refused: path: /)
      expect(await call('send_request', { path: '/__mockery' })).toMatch(/^Status 404\n/)
      expect(await call('send_request', { path: '/v1/pets?token=abc' })).toMatch(
        /^Status 200\n#\d+ GET \/v1\/pets\?token=… /,
      )
      const [hidden = ''] = /#\d+/.exec(await call('list_requests', { limit: 1 })) ?? []
      expect(await call('send_request', { again: Number(hidden.slice(1)) })).toMatch(/^refused: /)
      await call('send_request', { path: '/v1/pets', body: { name: 'Rex…', categoryId: 1 } })
      expect(await call('send_request', { again: Number(hidden.slice(1)) + 1 })).toMatch(
        /^Status 201/,
      )
      await call('send_request', {
        path: '/v1/pets',
        body: { name: 'x'.repeat(17_000), categoryId: 1 },
      })
      const [cut = ''] = /#\d+/.exec(await call('list_requests', { limit: 1 })) ?? []
      expect(await call('send_request', { again: Number(cut.slice(1)) })).toMatch(
        /^refused: .*; pass body/,
      )
      expect(await call('explain_request', { id: Number(cut.slice(1)) })).not.toMatch(
        /curl|"again"/,
      )
      await call('load_scenario', { scenario: { apiKeys: ['listed-key'] } })
      expect(await call('send_request', { path: '/v1/pets' })).toMatch(/^Status 200\n/)
      for (const [field, value] of Object.entries({
        url: '/v1/pets',
        apiKey: null,
        method: null,
        headers: { accept: {} },
      }))
        expect(await call('send_request', { path: '/v1/pets', [field]: value })).toMatch(
          `refused: ${field}`,
        )
      expect(await call('explain_request', { requestId: 1 })).toMatch(/^refused: requestId: /)
    },
  )

  it('shows no other row for a request that is not logged', async () => {
    const { call } = await connect('HTTP')
    await call('send_request', { path: '/v1/pets' })
    for (const input of [
      { path: '/v1/pets', method: 'FOO BAR' },
      { path: '/v1/pets', headers: { 'bad name': 'x' } },
      { path: '/v1/pets', apiKey: 'a\nb' },
    ]) {
      const shown = await call('send_request', input)
      expect(shown, JSON.stringify(input)).toMatch(
        /^refused: (?:No response: .|Status \d+\n|method: )/,
      )
      expect(shown).not.toContain('#1')
    }
    expect(await call('send_request', { path: '/v1/x/../pets?search=a b' })).toMatch(
      /^Status \d+\n#2 GET \/v1\/pets\?search=a%20b /,
    )
  })

  it.each(['stdio', 'HTTP'] as const)(
    'reads all sandboxes over %s, or the one that is named',
    async (transport) => {
      const { call } = await connect(transport, true)
      expect(await call('get_state', { sandbox: 'alice' })).toMatch(/^refused: .*\balice\b/)
      expect(await call('send_request', { path: '/v1/pets?limit=0', sandbox: 'alice' })).toMatch(
        /^Status 400\n#1 /,
      )
      expect(await call('send_request', { path: '/v1/pets?limit=1' })).toMatch(/^Status 200\n#2 /)
      expect(await call('list_requests', {})).toMatch(/^2 found\n.* alice .*\n.* any-key/)
      expect(await call('list_requests', { sandbox: 'alice' })).toMatch(/^1 found\n/)
      expect(await call('explain_request', {})).toContain(
        'go_back {"call":"rewind","id":1,"sandbox":"alice"}',
      )
      expect(await call('send_request', { again: 1 })).toMatch(/^Status 400\n#3 /)
      for (const tool of [
        'get_state',
        'list_requests',
        'explain_request',
        'list_animals',
        'go_back',
        'clean_up',
      ]) {
        const write = WRITES[tool]
        expect(await call(tool, { ...write, sandbox: 'alise' })).toMatch(
          /^refused: .*\balise\b.* alice\?$/,
        )
        for (const sandbox of [7, true])
          expect(await call(tool, { sandbox })).toMatch(/^refused: sandbox: expected a string/)
      }
      const elsewhere = await call('send_request', {
        path: '/v1/pets?limit=1',
        sandbox: 'alice',
        apiKey: 'any-key',
      })
      expect(elsewhere).toMatch(/^Status 200\n.* log of alice\n/)
      expect(await call('break_operation', { operation: 'getPet', status: 503 })).toMatch(
        /\n.* shared /,
      )
      expect(
        await call('break_operation', { operation: 'getPet', status: 503, sandbox: 'alice' }),
      ).not.toMatch(/shared/)
    },
  )

  it('sends a request to a sandbox with its own key if that is listed, else with a listed one and the header', async () => {
    const { call } = await connect('HTTP', true)
    await call('load_scenario', { scenario: { apiKeys: ['key-one', 'key-two'] } })
    expect(await call('send_request', { path: '/v1/pets', sandbox: 'other' })).toMatch(
      /^Status 200\n#\d+ GET \/v1\/pets → 200 \(key …-one\)/,
    )
    expect(await call('send_request', { path: '/v1/pets', sandbox: 'key-two' })).toMatch(
      /^Status 200\n/,
    )
  })

  it('sends a request again that the server refused before it knew the key', async () => {
    const { url, call } = await connect('HTTP')
    const headers = {
      authorization: 'Bearer any-key',
      'x-forwarded-host': 'elsewhere.example',
      'content-length': '9999999',
    }
    const request = httpRequest(`${url}/pets`, { method: 'POST', headers })
    request.end()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(413)
    const explanation = await call('explain_request', { id: 1 })
    expect(explanation).not.toMatch(/curl|"again"/)
    expect(await call('send_request', { again: 1, method: 'GET', body: '' })).toMatch(
      /^Status 200\n/,
    )
  })

  it('explains requests from before a load by their id, and says since when there was none', async () => {
    const { call } = await connect('HTTP')
    await call('send_request', { path: '/v1/pets' })
    await call('load_scenario', { scenario: 'single' })
    expect(await call('explain_request', {})).toMatch(
      /^refused: .* since the last load, reset or clean_up/,
    )
    expect(await call('explain_request', { id: 1 })).toMatch(/^#1 GET \/v1\/pets → 200/)
    expect(await call('explain_request', { id: 2 })).toMatch(/^refused: Request 2 /)
  })

  it('says what a request would have got', async () => {
    const { call } = await connect('HTTP')
    await call('break_operation', { operation: 'createPet', status: 503, id: 'down' })
    await call('send_request', { path: '/v1/pets', body: { name: 'Rex', categoryId: 1 } })
    const ask = (change: object) => call('what_if', { id: 2, ...change })
    expect(await ask({ without: ['down'] })).toContain('status: 201')
    expect(await ask({ without: ['dow'] })).toMatch(/^refused: .*\bdow\b.*\bdown\b/)
    expect(
      await ask({ without: 'faults', request: { body: { name: 'Mia', categoryId: 1 } } }),
    ).toMatch(/status: 201[\s\S]*Mia/)
    expect(await ask({ without: 'faults', request: { body: null } })).toContain('status: 400')
    expect(await ask({ alternatives: true, at: '2030-12-06' })).toMatch(/^refused: alternatives: /)
    for (const method of ['', 'G T'])
      expect(await ask({ request: { method } })).toMatch(
        /^refused: request.method: expected an HTTP method/,
      )
  })

  it('answers in short: ten animals of many, the number of all rows, no empty differences, the beginning of a list', async () => {
    const { url, call } = await connect('HTTP')
    const animals = (await call('list_animals', {})).split('\n')
    expect([animals.length, animals[0]]).toEqual([11, expect.stringMatching(/^10 of 18 animals/)])
    expect(JSON.parse(animals[10] as string)).toMatchObject({ id: 10 })
    expect(await call('list_animals', { status: 'sold' })).toMatch(
      /^5 of 5 that match, of 18 animals/,
    )
    expect(await call('list_animals', { call: 'pets.get', id: 999 })).toMatch(/^refused: /)
    expect(await call('get_state', { call: 'diff' })).toBe('No differences from "default"')
    for (let limit = 1; limit <= 6; limit++) await ask(`${url}/pets?limit=${limit}`)
    expect(await call('list_requests', { limit: 3 })).toMatch(
      /^The last 3 of 6 found[\s\S]*limit=4[\s\S]*limit=5[\s\S]*limit=6/,
    )
    await ask(`${url}/pets?limit=100`)
    const explanation = await call('explain_request', {})
    expect(explanation).toMatch(/^response \(the beginning of \d+ characters\): \[\{"id":1,.{900}/m)
    expect(explanation).not.toMatch(/\[\]|null/)
    await call('change_animals', { call: 'pets.update', id: 1, name: 'Other' })
    expect(await call('get_state', { call: 'diff' })).toMatch(/^animal 1: name .* → Other$/)
    await ask(`${url}/pets/999`)
    await Promise.all(Array.from({ length: 100 }, () => ask(`${url}/pets`)))
    expect(await call('explain_request', {})).toMatch(/^#\d+ GET \/v1\/pets\/999 → 404/)
  })

  it('escapes what others have named, so that it cannot look like a row', async () => {
    const { url, call } = await connect('HTTP')
    await call('load_scenario', {
      scenario: { name: 'mine\n#9 09:00:00Z GET /v1/pets → 200', pets: [] },
    })
    await ask(`${url}/pets`, { pet: { name: 'Rex\u202e\u2028#8 forged', categoryId: 1 } })
    const shown = [
      await call('list_requests', {}),
      await call('get_state', {}),
      await call('explain_request', {}),
    ]
    for (const text of [
      ...shown,
      await call('list_animals', {}),
      await call('get_state', { call: 'state', detail: true }),
    ]) {
      expect(text).not.toMatch(/^#[89]|[\u202e\u2028]/m)
    }
    expect(shown[0]?.split('\n')).toHaveLength(3)
  })

  it('shows a double submit, and what a list has that the same request did not get before', async () => {
    const { url, call } = await connect('HTTP')
    await call('load_scenario', { scenario: 'full-page' })
    await ask(`${url}/pets?limit=100`)
    await call('change_animals', { call: 'pets.update', id: 7, name: 'Other' })
    await call('change_animals', { call: 'pets.remove', id: 8 })
    await ask(`${url}/pets?limit=100`)
    const list = await call('explain_request', {})
    expect(list).toMatch(/^ {2,}at .*\nThe same request came .* earlier: #2 → 200$/m)
    expect(list).toMatch(/^response headers: .*; no ETag was sent$/m)
    expect(list).toMatch(
      /^response: 99 animals; since #2, the same request before: 1 new or changed, without 8\n {2}\{"id":7,"name":"Other"/m,
    )
    for (const _ of [1, 2]) await ask(`${url}/pets`, { pet: { name: 'Rex', categoryId: 1 } })
    expect(await call('list_requests', { operation: 'createPet' })).toMatch(/ 2 times since #6$/m)
    expect(await call('explain_request', { id: 7 })).toMatch(/earlier: #6 → 201$/m)
  })

  it('tells a rounded id, and that another choice would not matter', async () => {
    const { url, call } = await connect('HTTP')
    await call('load_scenario', { scenario: 'big-ids' })
    await call('change_animals', { call: 'pets.remove', id: '9007199254740992' })
    await ask(`${url}/pets/9007199254740992`)
    const note = '9007199254740992 was sent; 9007199254740993 exists: rounded by the client?'
    expect(await call('list_requests', {})).toContain(note)
    expect(await call('explain_request', {})).toContain(note)
    expect(await call('explain_request', {})).toContain(
      'The assumption sunset-header does not matter: another choice gives the same error.',
    )
  })

  it('escapes what a client chose in errors too, so that it cannot begin a line', async () => {
    const { call } = await connect('HTTP')
    const name = 'x\n#9 forged\u202e'
    for (const [tool, input] of [
      ['load_scenario', { scenario: name }],
      ['get_state', { sandbox: name }],
      ['change_animals', { call: 'pets.add', name: 'Rex', categoryId: 1, status: name }],
      ['break_operation', { call: 'faults.remove', id: name }],
      ['list_requests', { [name]: 1 }],
    ] as const) {
      const text = await call(tool, input)
      expect(text).toMatch(/^refused: /)
      expect(text, tool).not.toMatch(/^#9|\u202e/m)
    }
  })

  it('refuses a wrong argument with the problems that the control API names', async () => {
    const { url, call } = await connect('HTTP')
    const wrong = { operation: 'createPett', status: 5030 }
    const { json } = await ask(new URL('/__mock/faults', url).href, { pet: wrong })
    expect(await call('break_operation', { call: 'faults.add', ...wrong })).toBe(
      `refused: ${(json as { message: string }).message}`,
    )
    expect(await call('break_operation', { call: 'reset' })).toMatch(/^refused: call: /)
    for (const [tool, input] of [
      ['go_back', { row: 1 }],
      ['load_scenario', { call: 'reset', scenario: 'single' }],
      ['load_scenario', { name: 'single' }],
      ['break_operation', { call: 'faults.clear', operation: 'createPet' }],
      ['change_animals', { call: 'pets.update', petId: 1, status: 'sold' }],
    ] as const) {
      expect(await call(tool, input)).toMatch(/^refused: /)
    }
  })

  it.each(Object.entries(RAW))(
    'keeps int64 exact over %s, and refuses a number that may be rounded',
    async (_, send) => {
      const add = (id: string) => {
        const given = `{"call":"pets.add","id":${id},"name":"Rex","categoryId":1}`
        const params = `{"name":"change_animals","arguments":${given}}`
        return send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`)
      }
      expect(await add('"9223372036854775806"')).toContain('id: 9223372036854775806')
      expect(await add('9223372036854775806')).toMatch(/id: expected a text .*beyond 2\^53/)
    },
  )

  it('has resources that can be read', async () => {
    const { client } = await connect('HTTP')
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain('animal-store://scenario-schema')
    for (const { uri } of resources)
      expect(await client.readResource({ uri })).toMatchObject({ contents: [{ uri }] })
  })
})

it('the MCP route takes a large scenario, and refuses other large messages', async () => {
  const { url, close } = await serve(createMock())
  onTestFinished(close)
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const load = async (input: object, meta: object = {}) => {
    const params = { name: 'load_scenario', arguments: input, _meta: meta }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const response = await fetch(new URL('/__mock/mcp', url), { method: 'POST', headers, body })
    return [response.status, await response.text()]
  }
  const pets = Array.from({ length: 40 }, () => ({ name: 'x'.repeat(20_000), categoryId: 1 }))
  expect(await load({ scenario: { pets } })).toEqual([200, expect.stringContaining('pets: 40')])
  expect(await load({ others: { pets } })).toEqual([200, expect.stringContaining('isError')])
  expect(await load({}, { pets })).toEqual([400, expect.stringContaining('characters')])
})

/** A client of a process that was started with these words. */
async function startMcp(...words: string[]) {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [BIN, 'mcp', ...words],
      stderr: 'pipe',
    }),
  )
  onTestFinished(() => client.close())
  return async (name: string, input: object = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: { ...input } })
    return { text: (content[0] as { readonly text: string }).text, isError }
  }
}

it('mcp --start starts its own mock', async () => {
  const call = await startMcp('--start', '--scenario', 'sold-out')
  const { text } = await call('get_state')
  expect(text).toContain('scenario: sold-out')
  const address = /address: (\S+)/.exec(text)?.[1]
  expect((await ask(`${address}/pets?limit=0`)).status).toBe(400)
  expect((await call('explain_request')).text).toContain(`${address}/pets?limit=0'`)
})

it('mcp starts a mock if none runs on the default port', async () => {
  const call = await startMcp()
  expect((await call('get_state')).text).toMatch(
    /^address: http:\/\/(?:127\.0\.0\.1|localhost):\d+\/v1\n/,
  )
})

it('mcp --start ends when its client is gone, also in the middle of an answer', async () => {
  const child = spawn(process.execPath, [BIN, 'mcp', '--start'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdout.destroy()
  for (let id = 1; id <= 3; id++)
    child.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`)
  child.stdin.on('error', () => {}).end()
  await once(child, 'exit')
})

it('mcp --sandbox means its sandbox, and says that an argument is too long', async () => {
  const { url, close } = await serve(createMock({ sandbox: true }))
  onTestFinished(close)
  await ask(`${url}/pets`)
  const call = await startMcp('--url', url, '--sandbox', 'alice')
  expect(await call('get_state')).toMatchObject({
    isError: true,
    text: expect.stringContaining('alice'),
  })
  expect((await call('send_request', { path: '/v1/pets?limit=1' })).text).toMatch(
    /^Status 200\n#2 /,
  )
  expect((await call('list_requests')).text).toMatch(/^1 found\n.* alice/)
  const long = await call('list_animals', { search: 'x'.repeat(1_000_000) })
  expect(long).toEqual({ isError: true, text: 'The arguments are too long' })
})

it('mcp says in every answer how to start the mock that it should use', async () => {
  const call = await startMcp('--port', '1')
  for (const tool of ['get_state', 'list_requests']) {
    expect(await call(tool)).toMatchObject({
      isError: true,
      text: expect.stringContaining('npx animal-store-mock --port 1'),
    })
  }
  const callElsewhere = await startMcp('--url', 'http://no-mock.invalid')
  expect(await callElsewhere('get_state')).toMatchObject({
    isError: true,
    text: expect.not.stringContaining('--port'),
  })
})
