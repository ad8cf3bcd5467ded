import { describe, expect, it, onTestFinished } from 'vitest'
import type { MockEvent } from '../control/control.ts'
import { type ServeOptions, serve } from '../hosts/node/serve.ts'
import { createMock, type MockOptions } from '../mock/mock.ts'
import { ControlError, type ControlScope } from './control-call.ts'
import { type ControlClient, createControlClient } from './control-client.ts'
import { type ControlTransport, createFetchTransport, type TransportRequest } from './transport.ts'

const PET = { id: 9223372036854775806n, name: 'Rex', categoryId: -9223372036854775808n }

async function start(options: MockOptions = {}, serving: ServeOptions = {}, scope?: () => ControlScope) {
  const mock = createMock(options)
  const { url, close } = await serve(mock, serving)
  onTestFinished(close)
  return { mock, close, client: createControlClient(createFetchTransport(new URL(url).origin), scope) }
}

/** A client of something that always responds the same. */
function createStranger(status: number, body: string, contentType = 'application/json'): ControlClient {
  return createControlClient(async () => ({
    status,
    contentType,
    text: async () => body,
    async *chunks() {
      yield body
    },
    cancel: () => {},
  }))
}

describe('the control client', () => {
  it('reads and writes the whole world, exact at int64', async () => {
    const { client } = await start()
    expect(await client.load({ name: 'far out', pets: [PET] })).toMatchObject({ scenario: 'far out', pets: 1 })
    expect(await client.state()).toMatchObject({ name: 'far out', pets: [PET], nextId: 9223372036854775807n })
    expect(await client.loadByName('empty')).toMatchObject({ scenario: 'empty', pets: 0 })
    expect(await client.loadText('two.yaml', 'generate: { count: 2, seed: 7 }')).toMatchObject({ pets: 2 })
    expect(await client.reset()).toMatchObject({ pets: 2 })
    expect(await client.health()).toMatchObject({ pets: 2 })
    expect((await client.scenarios()).map(({ name }) => name)).toContain('sold-out')
    expect(await client.scenario('empty')).toMatchObject({ name: 'empty', pets: [] })
    expect(await client.readText('three.yaml', 'generate: { count: 3, seed: 7 }')).toMatchObject({ name: 'three' })
    expect(await client.health()).toMatchObject({ pets: 2 })
  })

  it('reads every response of a mock whose ids are beyond 2^53', async () => {
    const { mock, client } = await start()
    const events = (await client.events())[Symbol.asyncIterator]()
    expect(await client.load({ name: 'far out', pets: [PET], faults: [{ operation: 'getPet', status: 503 }] })).toMatchObject({ pets: 1 })
    const headers: Record<string, string> = { authorization: 'Bearer k', 'content-type': 'application/json' }
    const body = new TextEncoder().encode('{"name":"Pip","categoryId":9223372036854775807}')
    mock.answer({ method: 'POST', target: '/v1/pets', header: (name) => headers[name], body })
    expect(await client.changes()).toEqual({ added: [9223372036854775807n], changed: [], removed: [] })
    expect((await client.state()).pets).toEqual([PET, { id: 9223372036854775807n, name: 'Pip', categoryId: 9223372036854775807n }])
    expect(await client.requests()).toMatchObject([{ id: 1, status: 201 }])
    expect((await events.next()).value).toMatchObject({ type: 'change', what: 'load' })
    expect((await events.next()).value).toMatchObject({ type: 'exchange', entry: { status: 201 } })
    await events.return?.()
    for (const [name, call] of Object.entries(CALLS)) await expect(call(client), name).resolves.toBeDefined()
  })

  it('reads and clears the journal', async () => {
    const { mock, client } = await start()
    const ask = (target: string) => mock.answer({ method: 'GET', target, header: () => undefined, body: undefined })
    ask('/v1/pets')
    ask('/v1/pets/1')
    expect(await client.requests()).toHaveLength(2)
    expect(await client.requests({ operation: 'getPet', status: 401, limit: 5 })).toMatchObject([{ target: '/v1/pets/1' }])
    expect(await client.clearRequests()).toBeUndefined()
    expect(await client.requests()).toEqual([])
  })

  it('changes faults, clock and assumptions', async () => {
    const { mock, client } = await start({ now: '2030-12-05', scenario: { frozen: true } })
    const fault = await client.faults.add({ operation: 'createPet', status: 503 })
    expect(await client.faults.list()).toEqual([fault])
    await client.faults.remove(fault.id)
    await client.faults.add({ operation: '*', drop: true })
    await client.faults.clear()
    expect(await client.faults.list()).toEqual([])
    expect(await client.clock.get()).toEqual({ now: '2030-12-05T00:00:00.000Z', frozen: true })
    expect(await client.clock.change({ advance: 'P1D' })).toEqual({ now: '2030-12-06T00:00:00.000Z', frozen: true })
    await client.assume({ 'invalid-query': 'clamp' })
    expect((await client.assumptions()).find(({ id }) => id === 'invalid-query')?.choice).toBe('clamp')
    expect(mock.control.assumptions().find(({ id }) => id === 'invalid-query')?.choice).toBe('clamp')
  })

  it('addresses the sandbox and sends the token that the scope names at that moment', async () => {
    let scope: ControlScope = {}
    const { mock, client } = await start({ sandbox: true }, { controlToken: 'a-token-of-some-length' }, () => scope)
    await expect(client.reset()).rejects.toMatchObject({ failure: 'refused', status: 401 })
    scope = { token: 'a-token-of-some-length', sandbox: 'a+b/c==' }
    await client.loadByName('empty')
    expect(await client.sandboxes()).toEqual(['a+b/c=='])
    expect([mock.control.sandbox('a+b/c==').summary().pets, mock.control.summary().pets]).toEqual([0, 50])
    expect(await client.requests({ limit: 1 })).toEqual([])
    await client.removeSandbox('a+b/c==')
    expect(mock.control.sandboxes()).toEqual([])
    expect(await client.openapi()).toMatchObject({ info: { title: expect.any(String) } })
  })

  it('gives the events until the mock stops, and tells of every sign of life', async () => {
    const { mock, client, close } = await start()
    let signs = 0
    const events = await client.events({ onActivity: () => signs++ })
    mock.control.reset()
    mock.control.clock.freeze()
    await close()
    const seen: MockEvent[] = []
    for await (const event of events) seen.push(event)
    expect(seen).toEqual([
      { type: 'change', sandbox: null, what: 'reset' },
      { type: 'change', sandbox: null, what: 'clock' },
    ])
    expect(signs).toBeGreaterThan(0)
  })

  it('frees the connection when nobody listens any longer', async () => {
    const { mock, client, close } = await start()
    for await (const event of await client.events({ onActivity: () => mock.control.reset() })) {
      expect(event).toMatchObject({ what: 'reset' })
      break
    }
    await close()
  })

  it('says what the mock refused, line by line', async () => {
    const { client } = await start()
    const error = await client.load({ pets: [{ id: 1 }] }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ControlError)
    expect(error).toMatchObject({ failure: 'refused', status: 400, problems: [expect.any(String), expect.any(String)] })
  })

  it('says that nobody responds', async () => {
    const { client, close } = await start()
    await close()
    await expect(client.health()).rejects.toMatchObject({ failure: 'unreachable', status: 0 })
    await expect(client.events()).rejects.toMatchObject({ failure: 'unreachable', status: 0 })
  })

  it('says that the response was cut off', async () => {
    const cut: ControlTransport = async () => ({
      status: 200,
      contentType: 'application/json',
      text: () => Promise.reject(new TypeError('terminated')),
      async *chunks() {
        yield ': listening\n\n'
      },
      cancel: () => {},
    })
    await expect(createControlClient(cut).state()).rejects.toMatchObject({ failure: 'unreachable', status: 0 })
  })
})

const CALLS: Readonly<Record<string, (client: ControlClient) => Promise<unknown>>> = {
  health: (client) => client.health(),
  state: (client) => client.state(),
  load: (client) => client.load({ pets: [] }),
  reset: (client) => client.reset(),
  changes: (client) => client.changes(),
  scenarios: (client) => client.scenarios(),
  scenario: (client) => client.scenario('empty'),
  readText: (client) => client.readText('a.json', '{"pets":[]}'),
  requests: (client) => client.requests(),
  'faults.list': (client) => client.faults.list(),
  'faults.add': (client) => client.faults.add({ operation: '*', drop: true }),
  'clock.get': (client) => client.clock.get(),
  assumptions: (client) => client.assumptions(),
  sandboxes: (client) => client.sandboxes(),
  openapi: (client) => client.openapi(),
}

describe.each(Object.entries(CALLS))('%s', (_name, call) => {
  it.each([
    [200, '{}'],
    [200, 'null'],
    [200, '[1]'],
    [200, '"ok"'],
    [200, '{"pets":'],
    [200, ''],
    [200, '\uFEFF{}'],
    [301, ''],
    [302, '{"code":"Found","message":"elsewhere","status":301}'],
    [404, '{"error":"not found"}'],
    [500, '<html>'],
    [200, `${'['.repeat(100_000)}`],
  ])('takes %i %.20s for a stranger', async (status, body) => {
    const error = await call(createStranger(status, body)).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ControlError)
    expect(error).toMatchObject({ failure: 'stranger', status, message: `The response is not from this mock (status ${status})` })
  })

  it('takes a page for a stranger, whatever is on it', async () => {
    await expect(call(createStranger(200, '{}', 'text/html'))).rejects.toMatchObject({ failure: 'stranger' })
  })
})

describe('events', () => {
  it.each([
    ['data: {}\n\n', 'text/event-stream'],
    ['data: nonsense\n\n', 'text/event-stream'],
    ['data: {"type":"exchange","entry":{}}\n\n', 'text/event-stream'],
  ])('takes %j for a stranger', async (body, contentType) => {
    const events = await createStranger(200, body, contentType).events()
    await expect(events[Symbol.asyncIterator]().next()).rejects.toMatchObject({ failure: 'stranger' })
  })

  it('are not looked for in a page', async () => {
    await expect(createStranger(200, 'data: 1\n\n', 'text/html').events()).rejects.toMatchObject({ failure: 'stranger' })
  })
})

describe('every method', () => {
  it.each<[title: string, use: (client: ControlClient) => Promise<unknown>, sent: string]>([
    ['health', (client) => client.health(), 'GET /__mock/health'],
    ['state', (client) => client.state(), 'GET /__mock/state'],
    ['situation', (client) => client.situation(), 'GET /__mock/state?pets=false'],
    ['load', (client) => client.load({ name: 'a', nextId: 2n ** 60n }), 'PUT /__mock/state {"name":"a","nextId":1152921504606846976}'],
    ['loadByName', (client) => client.loadByName('a'), 'PUT /__mock/scenario {"name":"a"}'],
    ['loadText', (client) => client.loadText('a', 'b'), 'PUT /__mock/scenario {"file":"a","text":"b"}'],
    ['changes', (client) => client.changes(), 'GET /__mock/changes'],
    ['diff', (client) => client.diff(), 'GET /__mock/diff'],
    ['reset', (client) => client.reset(), 'POST /__mock/reset'],
    ['undo', (client) => client.undo(), 'POST /__mock/undo'],
    ['scenarios', (client) => client.scenarios(), 'GET /__mock/scenarios'],
    ['scenario', (client) => client.scenario('a/b'), 'GET /__mock/scenarios/a%2Fb'],
    ['readText', (client) => client.readText('a', 'b'), 'POST /__mock/scenarios {"file":"a","text":"b"}'],
    ['pets.list', (client) => client.pets.list(), 'GET /__mock/pets'],
    [
      'pets.list of some',
      ({ pets }) => pets.list({ search: 'a b', changed: true, limit: 2 }),
      'GET /__mock/pets?search=a%20b&changed=true&limit=2',
    ],
    ['pets.get', (client) => client.pets.get(2n ** 60n), 'GET /__mock/pets/1152921504606846976'],
    ['pets.add', (client) => client.pets.add({ name: 'A', categoryId: 1 }), 'POST /__mock/pets {"name":"A","categoryId":1}'],
    ['pets.update', (client) => client.pets.update(1, { status: null }), 'PATCH /__mock/pets/1 {"status":null}'],
    ['pets.remove', (client) => client.pets.remove(1), 'DELETE /__mock/pets/1'],
    ['requests', (client) => client.requests(), 'GET /__mock/requests'],
    ['requests of some', (client) => client.requests({ status: 404, limit: 1 }), 'GET /__mock/requests?status=404&limit=1'],
    ['clearRequests', (client) => client.clearRequests(), 'DELETE /__mock/requests'],
    ['traffic', (client) => client.traffic({ method: 'GET' }), 'GET /__mock/traffic?method=GET'],
    ['clearTraffic', (client) => client.clearTraffic(), 'DELETE /__mock/traffic'],
    ['faults.list', (client) => client.faults.list(), 'GET /__mock/faults'],
    ['faults.add', (client) => client.faults.add({ operation: '*', drop: true }), 'POST /__mock/faults {"operation":"*","drop":true}'],
    ['faults.remove', (client) => client.faults.remove('a/b'), 'DELETE /__mock/faults/a%2Fb'],
    ['faults.clear', (client) => client.faults.clear(), 'DELETE /__mock/faults'],
    ['latency.get', (client) => client.latency.get(), 'GET /__mock/latency'],
    ['latency.set', (client) => client.latency.set([1, 2]), 'PUT /__mock/latency {"latency":[1,2]}'],
    ['clock.get', (client) => client.clock.get(), 'GET /__mock/clock'],
    ['clock.change', (client) => client.clock.change({ advance: 'P1D' }), 'PUT /__mock/clock {"advance":"P1D"}'],
    ['assumptions', (client) => client.assumptions(), 'GET /__mock/assumptions'],
    ['assume', (client) => client.assume({ paging: 'none' }), 'PUT /__mock/assumptions {"paging":"none"}'],
    ['sandboxes', (client) => client.sandboxes(), 'GET /__mock/sandboxes'],
    ['removeSandbox', (client) => client.removeSandbox('a/b'), 'DELETE /__mock/sandboxes/a%2Fb'],
    ['coverage', (client) => client.coverage(), 'GET /__mock/coverage'],
    ['openapi', (client) => client.openapi(), 'GET /__mock/openapi.json'],
  ])('%s is one request', async (_, use, sent) => {
    const requests: TransportRequest[] = []
    const transport: ControlTransport = async (request) => {
      requests.push(request)
      throw new Error('nobody there')
    }
    const failed = { failure: 'unreachable', status: 0 }
    await expect(use(createControlClient(transport))).rejects.toMatchObject(failed)
    await expect(use(createControlClient(transport, () => ({ token: 't', sandbox: 'a/b' })))).rejects.toMatchObject(failed)
    const [plain, scoped] = requests as [TransportRequest, TransportRequest]
    expect(`${plain.method} ${plain.target}${plain.body === undefined ? '' : ` ${plain.body}`}`).toBe(sent)
    const fields =
      plain.body !== undefined ? { 'content-type': 'application/json' } : plain.method === 'GET' ? {} : { 'x-mock-control': '1' }
    expect(plain.headers).toEqual(fields)
    expect(scoped.headers).toEqual({ ...fields, authorization: 'Bearer t' })
    expect(scoped.target).toBe(`${plain.target}${plain.target.includes('?') ? '&' : '?'}sandbox=a%2Fb`)
  })

  it('asks for events by their type', async () => {
    const requests: TransportRequest[] = []
    const client = createControlClient(async (request) => {
      requests.push(request)
      throw new Error('nobody there')
    })
    const { signal } = new AbortController()
    await expect(client.events()).rejects.toMatchObject({ failure: 'unreachable' })
    await expect(client.events({ signal })).rejects.toMatchObject({ failure: 'unreachable' })
    const expected = { method: 'GET', target: '/__mock/events', headers: { accept: 'text/event-stream' } }
    expect(requests).toEqual([expected, { ...expected, signal }])
  })

  it.each([199, 300, 302])('takes nothing from a response with %i', async (status) => {
    const failed = { name: 'ControlError', failure: 'stranger', status, message: `The response is not from this mock (status ${status})` }
    await expect(createStranger(status, '{"latency":1}').latency.get()).rejects.toMatchObject(failed)
  })

  it.each([200, 299])('takes what it asked for from a response with %i', async (status) => {
    expect(await createStranger(status, '{"latency":1}').latency.get()).toBe(1)
    expect(await createStranger(status, '{"latency":[1,2]}', 'Application/JSON; charset=utf-8').latency.set(5)).toEqual([1, 2])
  })
})
