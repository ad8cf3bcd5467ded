import { describe, expect, it } from 'vitest'
import { MAX_EVENT_STREAMS } from '../../contract/limits.ts'
import { createEngine, createMock } from '../../mock/mock.ts'
import { openOptions } from '../../mock/mock-options.ts'
import { createMemory } from '../../world/memory.ts'
import { isControlTarget } from '../protocol.ts'
import { type ControlApiSettings, createControlApi } from './api.ts'

/** The control API of a new mock with sandboxes. */
const readConsoleFile = async () => ({ type: 'text/html', body: '<title>Console</title>' })

function start(settings: Partial<ControlApiSettings> = {}) {
  const { control, answer } = createMock({ sandbox: true, pets: [], latency: 50 })
  const api = createControlApi(control, {
    isOn: true,
    token: undefined,
    readConsoleFile,
    ...settings,
  })
  const headers = { 'content-type': 'application/json' }
  const toCall = (method: string, path: string) => ({ method, target: `/__mock${path}`, headers })
  const ask = (method: string, path: string) => api.answer(toCall(method, path))
  const send = (method: string, path: string, value: unknown) =>
    api.answer({ ...toCall(method, path), body: new TextEncoder().encode(JSON.stringify(value)) })
  return { control, answer, api, toCall, ask, send }
}

it('the control API has its path and the targets below', () => {
  const own = [
    '/__mock',
    '/__mock/state',
    '/__mock?a',
    'http://mock.test/__mock',
    'HTTPS://mock.test/__mock/state',
  ]
  const others = ['/', '/__mocks', '/__mockhttp://mock.test', 'https://mock.test?/__mock/']
  expect([...own, ...others].filter(isControlTarget)).toEqual(own)
})

it.each([
  ['GET', '/pets/1', 404],
  ['GET', '/requests?sandbox=a-key', 200],
  ['GET', '/health?sandbox=*', 400],
  ['GET', '/pets?search=true', 200],
  ['GET', '/events?x=1', 400],
  ['GET', '/openapi.json?x=1', 400],
])('%s /__mock%s is answered with %i', async (method, path, status) =>
  expect((await start().ask(method, path)).status).toBe(status),
)

it('a link on any site leads to the player, and to nothing else', async () => {
  const readPlayerFile = async () => ({ type: 'text/html', body: '<title>Player</title>' })
  const { api } = start({ readPlayerFile })
  const headers = { 'sec-fetch-site': 'cross-site', 'x-forwarded-for': '10.0.0.1' }
  const visit = async (path: string) =>
    (await api.answer({ method: 'GET', target: `/__mock${path}`, headers })).status
  const statuses = await Promise.all(['/play/', '/', '/state'].map(visit))
  expect(statuses).toEqual([200, 403, 403])
})

it('the path of the control API leads to the console by a relative address, and HEAD has the same fields without a body', async () => {
  const { ask, control } = start()
  // Both have the same Date.
  control.clock.freeze()
  const { headers, body } = await ask('GET', '')
  expect([headers.Location, JSON.parse(body)]).toEqual(['__mock/', { console: '__mock/' }])
  expect(await ask('HEAD', '')).toEqual({ status: 307, headers, body: '' })
})

it('a call that makes a row says its id, and one that changes nothing does not', async () => {
  const { ask, control } = start()
  control.sandbox('a-key').latency.set(9)
  const rows = [
    await ask('POST', '/reset'),
    await ask('DELETE', '/faults'),
    await ask('GET', '/health'),
  ].map(({ headers }) => headers['X-Mock-Row'])
  expect(rows).toEqual([String(control.timeline().at(-1)?.id), undefined, undefined])
})

it('every method refuses a parameter that it does not know, and a value of the wrong type inside another', async () => {
  const { send, control } = start()
  const put = (path: string, value: unknown) =>
    send(path === '/what-if' ? 'POST' : 'PUT', path, value)
  expect(JSON.parse((await put('/state?x=1', { pets: [] })).body).problems).toMatchObject([
    { kind: 'unknown-field', path: 'x' },
  ])
  const asked = await put('/what-if', { id: 1, request: { headers: { accept: 5 } } })
  expect(JSON.parse(asked.body).problems).toMatchObject([
    { kind: 'mismatch', path: 'request.headers.accept' },
  ])
  const loaded = await put('/state', { surprise: { seed: 1, calls: { listPets: 'often' } } })
  expect(JSON.parse(loaded.body).problems).toMatchObject([
    { kind: 'mismatch', path: 'surprise.calls.listPets' },
  ])
  const broken = await send('POST', '/faults', { operation: 'listPets', petId: 7, status: 503 })
  expect(JSON.parse(broken.body).problems).toEqual([
    { kind: 'text', path: 'petId', text: 'listPets has no petId' },
  ])
  expect(control.timeline()).toEqual([])
})

it('a scenario that does not fit into memory gets 507, as a value and as the text of a file', async () => {
  const { mock } = createEngine(openOptions('createMock', { pets: [] }), {}, createMemory(1_000))
  const api = createControlApi(mock.control, { isOn: true, token: undefined })
  const { toCall } = start()
  const put = (path: string, value: unknown) =>
    api.answer({ ...toCall('PUT', path), body: new TextEncoder().encode(JSON.stringify(value)) })
  const scenario = {
    pets: [{ id: 1, name: 'x'.repeat(255), categoryId: 1 }],
    generate: { count: 10 },
  }
  const replies = [
    await put('/state', scenario),
    await put('/state', { file: 'shop.json', text: JSON.stringify(scenario) }),
  ]
  expect(replies.map(({ status }) => status)).toEqual([507, 507])
  expect(replies[1]?.body).toBe(replies[0]?.body)
})

it('a list of animals loads as the text of a file', async () => {
  const { api, toCall, control } = start()
  const animal = { id: 7, name: 'Rex', categoryId: 1 }
  for (const [file, text] of [
    ['pets.json', JSON.stringify([animal])],
    ['shop.yaml', '- { id: 7, name: Rex, categoryId: 1 }'],
  ]) {
    control.reset()
    const body = new TextEncoder().encode(JSON.stringify({ file, text }))
    expect(await api.answer({ ...toCall('PUT', '/state'), body })).toMatchObject({ status: 200 })
    expect(control.state()).toMatchObject({ name: file?.split('.')[0], pets: [animal] })
  }
  const { body } = await api.answer({
    ...toCall('PUT', '/state'),
    body: new TextEncoder().encode('{"file":"a.yaml"}'),
  })
  expect(JSON.parse(body)).toMatchObject({ problems: [{ kind: 'missing', path: 'text' }] })
})

it('a method for the whole mock, called by name for a sandbox, concerns the whole mock', async () => {
  const { control } = start()
  const own = control.sandbox('own-key')
  own.latency.set(9)
  expect(await own.call('removeSandbox', { id: 'own-key' })).toMatchObject({ result: true })
  expect(control.sandboxes()).toEqual([])
  await control.sandbox('other-key').call('openRecording', { recording: recordSandbox() })
  expect(control.sandboxes()).toEqual(['sandbox-1'])
})

function recordSandbox(): string {
  const { control } = createMock({ sandbox: true })
  control.sandbox('some-key').pets.remove(1)
  return control.recording({ sandbox: '*' })
}

it('a call by name gives the value that the method returns, and the number of all rows', () => {
  const { control, answer } = start()
  for (const key of ['a', 'b'])
    answer({ method: 'GET', target: '/v1/pets', headers: { authorization: `Bearer ${key}` } })
  expect(control.call('state')).toMatchObject({ result: control.state() })
  expect(control.call('requests', { sandbox: '*', limit: 1 })).toMatchObject({
    result: [{ key: '…' }],
    total: 2,
  })
  expect(control.call('recording')).toMatchObject({
    result: expect.stringMatching(/^\{"format":1,/),
  })
})

it('what each choice would change is counted while others are served, as in your own process', async () => {
  const { ask, answer, control } = start()
  const headers = { authorization: 'Bearer a-key' }
  for (let nth = 0; nth < 1_000; nth++)
    answer({ method: 'GET', target: '/v1/pets?limit=500&status=sold', headers })
  const ended: string[] = []
  const timer = new Promise((resolve) => setTimeout(resolve, 1)).then(() => ended.push('timer'))
  const asking = ask('GET', '/coverage?outcomes=true')
  const [reply] = await Promise.all([asking.finally(() => ended.push('coverage')), timer])
  expect(ended).toEqual(['timer', 'coverage'])
  const here = control.coverage({ outcomes: true })
  expect(JSON.parse(reply.body)).toEqual(here)
  expect(here.outcomes).toContainEqual({
    assumption: 'invalid-query',
    choice: 'clamp',
    requests: 1_000,
  })
})

it('a host that has one sandbox refuses to address all of them', async () => {
  const { ask } = start({ keepsAll: false })
  const statuses = ['', '?sandbox=a-key', '?sandbox=*'].map(
    async (query) => (await ask('GET', `/requests${query}`)).status,
  )
  expect(await Promise.all(statuses)).toEqual([200, 200, 400])
})

it('a refusal that does not depend on the body comes without it', () => {
  const { api, toCall } = start()
  const begin = (method: string, path: string) => api.begin(toCall(method, path))
  expect(begin('PUT', '/nowhere')).toMatchObject({ status: 404 })
  expect(
    [begin('PUT', '/state'), begin('OPTIONS', '/state'), begin('GET', '/')].map(
      (begun) => typeof begun,
    ),
  ).toEqual(Array(3).fill('function'))
})

it('the response of the MCP server has its own type', async () => {
  const { ask } = start({
    mcp: async () => ({ status: 202, body: 'as it is', headers: { 'Content-Type': 'text/plain' } }),
  })
  expect(await ask('POST', '/mcp')).toMatchObject({
    status: 202,
    headers: { 'Content-Type': 'text/plain' },
    body: 'as it is',
  })
})

describe('the event stream', () => {
  function startStreams() {
    const { control, answer, ask } = start()
    const listen = async (query = '') => {
      const texts: string[] = []
      const { stream } = await ask('GET', `/events${query}`)
      stream?.start((text) => texts.push(text))
      const name = (text: string) =>
        text.replace(/^event: (\w+)\ndata: \{"type":"\1","sandbox":([^,}]+).*\n\n$/, '$1 $2')
      const events = () => texts.splice(0).map(name)
      return { events, stop: () => stream?.stop() }
    }
    const list = (key: string) =>
      answer({
        method: 'GET',
        target: '/v1/pets',
        headers: { authorization: `Bearer ${key}` },
        reportsOutcome: true,
      })
    return { control, ask, listen, list }
  }

  it('has the events of one sandbox, of the shared state or of all, until it is stopped', async () => {
    const { control, listen, list } = startStreams()
    const [mine, shared, all] = [
      await listen('?sandbox=mine'),
      await listen(),
      await listen('?sandbox=*'),
    ]
    list('mine').settle?.('sent')
    control.clock.advance('P1D')
    control.removeSandbox('mine')
    await Promise.resolve()
    const first = [': listening\n\n', 'sandbox "mine"', 'begin "mine"', 'request "mine"']
    expect(mine.events()).toEqual([...first, 'sandbox "mine"'])
    const everything = [...first, 'change null', 'sandbox "mine"', 'change null']
    expect([shared.events(), all.events()]).toEqual([
      everything.filter((event) => !/^(begin|request)/.test(event)),
      everything,
    ])
    all.stop()
    control.reset()
    await Promise.resolve()
    expect([mine.events(), shared.events(), all.events()]).toEqual([[], ['change null'], []])
  })

  it('has no event for a delayed request that an opened recording has replaced', async () => {
    const { control, list } = startStreams()
    const old = [list('one'), list('one')]
    const heard: unknown[] = []
    await control.openRecording(recordSandbox())
    control.subscribe(({ type, sandbox }) => heard.push([type, sandbox]))
    for (const { settle } of [...old, list('two')]) settle?.('sent')
    await Promise.resolve()
    expect(heard).toEqual([
      ['sandbox', 'two'],
      ['request', 'two'],
    ])
  })

  it('is refused beyond the limit, until one is stopped; HEAD opens none', async () => {
    const { ask, listen } = startStreams()
    const headers = expect.objectContaining({
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store, no-transform',
    })
    expect(await ask('HEAD', '/events')).toEqual({ status: 200, headers, body: '' })
    const { stop } = await listen()
    for (let open = 1; open < MAX_EVENT_STREAMS; open++) await listen()
    expect((await ask('GET', '/events')).status).toBe(503)
    stop()
    expect(await ask('GET', '/events')).toEqual({
      status: 200,
      headers,
      body: '',
      stream: expect.anything(),
    })
  })
})
