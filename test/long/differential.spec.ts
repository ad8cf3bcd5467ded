// One service, four places: the same requests go to the same mock on every host at once, and whatever one of them answers,
// all must answer, to the byte, and remember alike.
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { serve } from '../../src/hosts/node/serve.ts'
import { type Call, createMock, type Mock } from '../../src/index.ts'
import { type Answer, type Api, type Ask, Dropped, startOn } from '../support/hosts.ts'
import { checkProperty } from '../support/property.ts'
import { Cut, createRawClient, type RawRequest } from '../support/raw-client.ts'
import { ask, body, scenario, target } from './requests.ts'

const PLACES = ['direct', 'fetch', 'node', 'msw'] as const
/** Only hosts with a connection have fields about it. */
const OF_THE_CONNECTION = ['connection', 'keep-alive']
/** What a client adds on the way to a server. */
const OF_THE_WAY = [...OF_THE_CONNECTION, 'host', 'content-length', 'transfer-encoding']

const SOME_DAY = { now: '2026-11-15', frozen: true }

/** What the dice may not bring within a short run. */
const everyKind: Ask[] = [
  {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode('{"name":"🐈","categoryId":9007199254740993}'),
  },
  { target: '/v1/pets/9007199254740992' },
  { method: 'HEAD' },
  { headers: { prefer: 'drop' } },
  { headers: { prefer: 'code=503' } },
  { method: 'OPTIONS', key: null },
]

type Seen = { status: number; headers: Record<string, string>; text: string } | 'dropped'

it('every host answers random requests alike, and logs them alike', async () => {
  const apis: Api[] = []
  for (const place of PLACES) apis.push(await startOn(place, createMock()))
  const seen = { requests: 0, statuses: new Set<number | 'dropped'>() }
  await checkProperty(
    'four hosts',
    60,
    fc.asyncProperty(scenario, fc.array(ask, { minLength: 6, maxLength: 12, size: 'max' }), async (start, asks) => {
      for (const { mock } of apis) mock.control.load(start)
      for (const one of asks) {
        const [direct, ...others] = await Promise.all(apis.map((api) => see(api, one)))
        for (const [index, other] of others.entries()) expect(other, PLACES[index + 1]).toEqual(direct)
        seen.requests++
        seen.statuses.add(direct === 'dropped' ? direct : (direct as Exclude<Seen, string>).status)
      }
      const [direct, ...others] = apis.map(({ mock }) => remember(mock))
      for (const [index, other] of others.entries()) expect(other, PLACES[index + 1]).toEqual(direct)
    }),
    [[{ ...SOME_DAY, nextId: 2n ** 53n }, everyKind]],
  )
  // A run that only ever saw refusals would prove nothing.
  for (const status of [200, 201, 204, 400, 401, 404, 405, 503, 'dropped'] as const) expect(seen.statuses).toContain(status)
})

async function see(api: Api, one: Ask): Promise<Seen> {
  try {
    return comparable(await api.ask(one))
  } catch (error) {
    if (error instanceof Dropped) return 'dropped'
    throw error
  }
}

function comparable({ status, headers, text }: Pick<Answer, 'status' | 'headers' | 'text'>) {
  return { status, headers: without(OF_THE_CONNECTION, headers), text }
}

function without(names: readonly string[], headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))
}

/** The world and its request log, but for when things really happened and how long they took. */
function remember({ control }: Mock) {
  const requestLog = control.requests().map(({ realAt, durationMs, request, ...entry }) => ({
    ...entry,
    request: { ...request, headers: without(OF_THE_WAY, request.headers) },
  }))
  return { state: control.state(), requestLog }
}

/** Targets that no URL survives: whatever can stand between two spaces of a request line. */
const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
const rawTarget = fc
  .oneof(
    fc.constant('/v1/pets'),
    target,
    fc.string({ unit: visible, minLength: 1, maxLength: 30 }).map((any) => `/v1/pets${any}`),
    fc.string({ unit: visible, minLength: 1, maxLength: 30 }),
    fc
      .string({ unit: fc.integer({ min: 0x80, max: 0xff }).map((code) => String.fromCharCode(code)), minLength: 1, maxLength: 5 })
      .map((any) => `/v1/pets/${any}`),
    fc.constantFrom(
      '*',
      '/',
      '//',
      '//v1/pets',
      '/v1/../v1/pets',
      '/v1/./pets',
      '/v1\\pets',
      '/v1/pets#x',
      '/v1/pets?#',
      '?',
      '/v1/pets??limit=1',
    ),
    fc.constantFrom(
      'http://x/v1/pets',
      'HTTPS://evil.example:1/v1/pets/1',
      'http://x',
      'http:///v1/pets',
      'http://x?limit=1',
      'ftp://x/v1/pets',
      'x:/v1/pets',
      'v1/pets',
    ),
    fc.constantFrom(`/v1/pets?${'x'.repeat(8 * 1024)}`, `/v1/pets/${'9'.repeat(8_000)}`),
  )
  .filter((any) => !any.includes('__mock'))
const rawMethod = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS') },
  { weight: 1, arbitrary: fc.constantFrom('TRACE', 'DELETE', 'PURGE', 'QUERY') },
)
const noise = fc.array(
  fc.constantFrom<[string, string]>(
    ['AUTHORIZATION', 'Bearer k'],
    ['content-type', 'text/plain'],
    ['Prefer', 'code=503'],
    ['Origin', 'http://localhost:1'],
    ['X-Any', 'caf\u00e9'],
  ),
  { maxLength: 2 },
)
const rawFields = fc.oneof(
  { weight: 1, arbitrary: noise },
  {
    weight: 3,
    arbitrary: noise.map((more) => [
      ['authorization', 'Bearer k'] as [string, string],
      ['Content-Type', 'application/json'] as [string, string],
      ...more,
    ]),
  },
)

it('the server answers raw targets, methods and repeated fields as the engine does', async () => {
  const [inside, outside] = [createMock(SOME_DAY), createMock(SOME_DAY)]
  const { port, close } = await serve(outside)
  const client = createRawClient(port)
  onTestFinished(async () => {
    client.close()
    await close()
  })
  const statuses = new Set<number>()
  await checkProperty(
    'raw requests',
    1_000,
    fc.asyncProperty(rawMethod, rawTarget, rawFields, fc.option(body, { nil: undefined }), async (method, to, fields, sent) => {
      // The server itself answers at its own address, where the engine has nothing.
      fc.pre(to !== '/')
      const request: RawRequest = { method, target: to, fields, body: sent }
      const answer = await client.ask(request).catch((error) => (error instanceof Cut ? undefined : Promise.reject(error)))
      expect(answer, 'an answer at all').toBeDefined()
      const { status, headers, text } = comparable(answer as Answer)
      // The server refuses a host that an absolute target names; the engine, which does not know hosts, might create an animal.
      if (status === 403 && /^https?:/i.test(to)) return
      const reply = inside.answer(toCall(request))
      statuses.add(status)
      // What the parser stops at never gets as far as the engine, which then refuses it in other words.
      const isParsers =
        answer?.headers.connection === 'close' && status === 400 && (method === 'HEAD' || text.includes('not well-formed HTTP'))
      if (isParsers) expect(reply.status).toBe(400)
      else expect({ status, headers, text }).toEqual(comparable({ ...reply, headers: lowerCase(reply.headers), text: reply.body }))
    }),
  )
  for (const status of [200, 201, 204, 400, 401, 404, 405, 414, 503]) expect(statuses).toContain(status)
  expect(remember(outside).state).toEqual(remember(inside).state)
})

function toCall({ method = 'GET', target: to = '', fields = [], body: sent }: RawRequest): Call {
  return {
    method,
    target: to,
    header(name) {
      const values = fields.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value)
      return values.length === 0 ? undefined : values.join(', ')
    },
    body: sent as Uint8Array | undefined,
  }
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
