// Another's judgement on the wire: what the specs ask goes to the mock through a real `prism proxy`, which holds every answer
// against the contract. Left out is what Prism does not carry (other forms of a target, OPTIONS, framing; a HEAD breaks it) and
// numbers beyond 2^53, which it reads as others.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Serving, serve } from '../../src/hosts/node/serve.ts'
import { createMock, type Scenario } from '../../src/index.ts'
import { animals, herd } from '../support/animals.ts'
import { UNDOCUMENTED } from '../support/judge.ts'
import { type Prism, type PrismViolation, startPrism } from '../support/prism.ts'
import { createRawClient, type RawAnswer, type RawClient } from '../support/raw-client.ts'

type Fields = Readonly<Record<string, string>>
interface Ask {
  readonly method?: string
  readonly key?: string | null
  readonly fields?: Fields
  readonly body?: string | Uint8Array
}

const mock = createMock({ pets: animals })
let server: Serving
let prism: Prism
let client: RawClient

beforeAll(async () => {
  server = await serve(mock)
  prism = await startPrism(server.url)
  client = createRawClient(prism.port)
}, 60_000)

afterAll(async () => {
  client?.close()
  await prism?.stop()
  await server?.close()
})

beforeEach(() => mock.control.load({ pets: animals }))

/** Asks by way of Prism, and fails if the answer is not the mock's own or Prism has something to say of it. */
async function ask(target: string, { method = 'GET', key = 'prism-key', fields = {}, body }: Ask = {}): Promise<RawAnswer> {
  const sent = { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...fields }
  const isFaulty = 'prefer' in sent || mock.control.faults.list().length > 0
  const answer = await client.ask({ method, target, fields: Object.entries(sent), body })
  const own = mock.control.requests().at(-1)
  expect(own, 'the mock was asked').toMatchObject({ method, target: `/v1${target}`, status: answer.status })
  expect(answer.text).toBe(own?.response.body)
  const violations: PrismViolation[] = JSON.parse(answer.headers['sl-violations'] ?? '[]')
  const objections = violations.filter(({ location, message }) => {
    const isAboutStatus = message.startsWith('Unable to match the returned status code')
    return location[0] === 'response' && !(isAboutStatus && (isFaulty || answer.status in UNDOCUMENTED))
  })
  expect(objections).toEqual([])
  return answer
}

const JSON_TYPE = { 'content-type': 'application/json' }
const create = (body: string | Uint8Array, more: Ask = {}) =>
  ask('/pets', { ...more, method: 'POST', body, fields: { ...JSON_TYPE, ...more.fields } })

describe('listPets', () => {
  it.each([
    '/pets',
    '/pets?limit=1',
    '/pets?limit=100',
    '/pets?status=available',
    '/pets?status=pending',
    '/pets?status=sold&limit=1',
    '/pets?page=2&sort=name',
  ])('%s', async (target) => {
    expect((await ask(target)).status).toBe(200)
  })

  it.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=abc',
    'limit=1.0',
    'limit=1e1',
    'limit=005',
    'limit=',
    'limit=1&limit=2',
    'status=gone',
    'status=Sold',
    'status=',
    'status=sold&status=sold',
    'limit=0&status=gone',
  ])('?%s is refused, clamped and ignored as the assumption says', async (query) => {
    expect((await ask(`/pets?${query}`)).status).toBe(400)
    for (const choice of ['clamp', 'ignore'] as const) {
      mock.control.assume({ 'invalid-query': choice })
      expect((await ask(`/pets?${query}`)).status).toBe(200)
    }
  })

  it.each(['empty', 'one', 'full'] as const)('a world that is %s', async (size) => {
    const scenarios: Record<string, Scenario> = {
      empty: { pets: [] },
      one: { pets: herd(1) },
      full: { pets: herd(150), assume: { 'list-order': 'newest-first' } },
    }
    mock.control.load(scenarios[size] as Scenario)
    expect((await ask('/pets?limit=100')).status).toBe(200)
  })
})

describe('createPet', () => {
  it.each([
    '{"name":"Rex","categoryId":1}',
    '{"name":"Rex","categoryId":1,"status":"sold"}',
    '{"name":"","categoryId":0}',
    '{"name":"🐈 \\u0000 \\u202e <b>","categoryId":-1}',
    '{"name":"Rex","categoryId":9007199254740991}',
    '{"name":"Rex","categoryId":1.0}',
    '{"name":"Rex","categoryId":1e2}',
    '{"name":"Rex","categoryId":-0}',
    '{"id":99,"name":"Rex","categoryId":1,"breed":"Beagle"}',
    '{"name":"One","name":"Two","categoryId":1}',
  ])('takes %s', async (body) => {
    const answer = await create(body)
    expect(answer.status).toBe(201)
    expect((await ask('/pets/5')).text).toBe(answer.text)
  })

  it('takes a long name', async () => {
    expect((await create(JSON.stringify({ name: 'x'.repeat(10_000), categoryId: 1 }))).status).toBe(201)
  })

  it.each([
    'null',
    '[]',
    '"Rex"',
    '{}',
    '{"name":"Rex"}',
    '{"categoryId":1}',
    '{"name":1,"categoryId":1}',
    '{"name":"Rex","categoryId":"1"}',
    '{"name":"Rex","categoryId":1.5}',
    '{"name":"Rex","categoryId":true}',
    '{"name":"Rex","categoryId":1,"status":"gone"}',
    '{"name":"Rex","categoryId":1,"status":null}',
  ])('refuses %s', async (body) => {
    const answer = await create(body)
    expect(answer.status).toBe(400)
    // Prism is awake: it finds fault with the request too.
    expect(answer.headers['sl-violations']).toContain('"request"')
    expect(mock.control.summary().pets).toBe(animals.length)
  })

  it('refuses unknown fields, with unknown-fields=reject', async () => {
    mock.control.assume({ 'unknown-fields': 'reject' })
    expect((await create('{"name":"Rex","categoryId":1,"breed":"Beagle"}')).status).toBe(400)
  })

  it('gives the status that default-status says', async () => {
    mock.control.assume({ 'default-status': 'pending' })
    expect((await create('{"name":"Rex","categoryId":1}')).text).toContain('"status":"pending"')
  })
})

describe('getPet', () => {
  it.each<[string, number]>([
    ['/pets/1', 200],
    ['/pets/3', 200],
    ['/pets/%31', 200],
    ['/pets/99', 404],
    ['/pets/0', 404],
    ['/pets/-5', 404],
    ['/pets/abc', 404],
    ['/pets/1.0', 404],
    ['/pets/01', 404],
  ])('%s gets %i', async (target, status) => {
    expect((await ask(target)).status).toBe(status)
  })

  it('answers 400 to what is no id, with invalid-pet-id=bad-request', async () => {
    mock.control.assume({ 'invalid-pet-id': 'bad-request' })
    expect((await ask('/pets/abc')).status).toBe(400)
  })

  it.each([
    ['not-found', 404],
    ['gone', 410],
  ] as const)('is %s once it is removed', async (choice, status) => {
    mock.control.assume({ 'removed-answer': choice })
    mock.control.clock.set('2030-12-06')
    expect((await ask('/pets/1')).status).toBe(status)
  })
})

describe('around the operations', () => {
  it.each<[title: string, key: string | null, fields: Fields, status: number]>([
    ['no key', null, {}, 401],
    ['the key that is never valid', 'invalid', {}, 401],
    ['a key with a character that none has', 'a b', {}, 401],
    ['another scheme', null, { authorization: 'Basic azpr' }, 401],
    ['a scheme alone', null, { authorization: 'Bearer' }, 401],
    ['a scheme in small letters', null, { authorization: 'bearer k' }, 200],
    ['a page of another origin', 'k', { origin: 'https://evil.example' }, 200],
    ['a page of this machine', 'k', { origin: 'http://localhost:5173' }, 200],
    ['an Accept that cannot be met', 'k', { accept: 'text/html' }, 200],
  ])('%s', async (_, key, fields, status) => {
    expect((await ask('/pets', { key, fields })).status).toBe(status)
    expect((await ask('/pets/1', { key, fields })).status).toBe(status)
    expect((await create('{"name":"Rex","categoryId":1}', { key, fields })).status).toBe(status === 200 ? 201 : status)
  })

  it.each(['names', 'snake', 'upper'] as const)('spells error codes in %s', async (choice) => {
    mock.control.assume({ 'error-codes': choice })
    expect((await ask('/pets', { key: null })).status).toBe(401)
    expect((await ask('/pets/99')).status).toBe(404)
    expect((await create('{}')).status).toBe(400)
  })

  it.each([
    ['PUT', '/pets'],
    ['DELETE', '/pets/1'],
    ['PATCH', '/pets/1'],
  ])('%s %s is not allowed', async (method, target) => {
    const answer = await ask(target, { method })
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toBeDefined()
  })

  it.each(['/store/orders', '/Pets', '/pets/1/toys'])('there is nothing at %s', async (target) => {
    expect((await ask(target)).status).toBe(404)
  })

  it.each([400, 404, 429, 500, 503])('a fault of %i is an Error too', async (status) => {
    expect((await ask('/pets', { fields: { prefer: `code=${status}` } })).status).toBe(status)
    mock.control.faults.add({ operation: '*', status, retryAfter: 1 })
    expect((await ask('/pets/1')).status).toBe(status)
    expect((await create('{"name":"Rex","categoryId":1}')).status).toBe(status)
  })
})
