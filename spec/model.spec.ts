// Long random lives of the mock, each step held against the reference model: through the real server, with the control API
// for the tester's part, and through MSW in Node, with the control's own methods.
import fc, { type Arbitrary } from 'fast-check'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHandlers } from '../src/hosts/msw.ts'
import { serve } from '../src/hosts/node.ts'
import { createMock, type Scenario } from '../src/index.ts'
import { checkProperty, isLong } from './property.ts'
import { createRawClient, Cut } from './raw-client.ts'
import * as reference from './reference-model.ts'
import { int64, status, text } from './requests.ts'

const RUNS = isLong ? 1_000 : 100
const COMMANDS = 40

// What a tester and a client can do, as data. `of` is the sandbox that a tester means.

type Command =
  | { do: 'nothing' }
  | { do: 'create'; key: string | null; pet: Omit<reference.ModelPet, 'id'> }
  | { do: 'bad create'; key: string; body: string }
  | { do: 'list'; key: string | null; limit?: number | undefined; status?: reference.Status | undefined }
  | { do: 'bad list'; key: string; query: string }
  | { do: 'get'; key: string | null; pick: number }
  | { do: 'bad get'; key: string; id: string }
  | { do: 'stray'; method: string; target: string; status: number }
  | { do: 'reset'; of?: string | undefined }
  | { do: 'load'; of?: string | undefined; situation: reference.ModelSituation }
  | { do: 'bad load'; of?: string | undefined; document: string }
  | { do: 'fault'; of?: string | undefined; fault: reference.ModelFault }
  | { do: 'clear faults'; of?: string | undefined }
  | { do: 'set clock'; of?: string | undefined; now: number }
  | { do: 'advance clock'; of?: string | undefined; days: number }
  | { do: 'look'; of?: string | undefined }
  | { do: 'remove sandbox'; key: string }

const KEYS = ['alpha', 'beta', 'gamma'] as const
const key = fc.constantFrom(...KEYS)
const anyKey = fc.oneof({ weight: 12, arbitrary: key as Arbitrary<string | null> }, { weight: 1, arbitrary: fc.constantFrom(null, 'invalid') })
const of = fc.option(key, { nil: undefined })
const newPet = fc.record({ name: text.map((any) => any.toWellFormed()), categoryId: int64, status: fc.option(status, { nil: undefined }) })

const fault: Arbitrary<reference.ModelFault> = fc
  .record({
    operation: fc.constantFrom('listPets', 'createPet', 'getPet', '*'),
    effect: fc.constantFrom({ status: 503, retryAfter: 2 }, { status: 500 }, { status: 429 }, { drop: true as const }),
    limits: fc.record({ times: fc.integer({ min: 0, max: 3 }), after: fc.nat(3) }, { requiredKeys: ['times'] }),
  })
  .map(({ operation, effect, limits }) => ({ operation, ...effect, ...limits }) as reference.ModelFault)

const now = fc.constantFrom('2026-11-15T10:00:00Z', '2030-12-05T23:59:59Z', '2030-12-06T00:00:00Z', '2027-02-28T12:00:00Z').map((instant) => Date.parse(instant))

const situation: Arbitrary<reference.ModelSituation> = fc
  .record({
    pets: fc.array(newPet, { maxLength: 30 }),
    firstId: fc.constantFrom(1n, 7n, 2n ** 53n - 3n, 2n ** 63n - 40n, -5n),
    gap: fc.constantFrom(undefined, 0n, 3n),
    apiKeys: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constant(['alpha', 'beta']) }),
    now,
    defaultStatus: fc.constantFrom(undefined, undefined, 'pending' as const),
    newestFirst: fc.constantFrom(undefined, undefined, true),
    faults: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(fault, { maxLength: 2 }) }),
  })
  .map(({ firstId, gap, pets, ...rest }) => {
    const nextId = gap === undefined ? undefined : firstId + BigInt(pets.length) + gap
    // Out of order, since a scenario may list its animals as it likes.
    return { ...rest, pets: pets.map((pet, index) => ({ id: firstId + BigInt(index), ...pet })).reverse(), nextId }
  })

const badBody = fc.constantFrom(
  '',
  '{',
  'null',
  '[]',
  '{"categoryId":1}',
  '{"name":"A"}',
  '{"name":1,"categoryId":1}',
  '{"name":"A","categoryId":"1"}',
  '{"name":"A","categoryId":1.5}',
  '{"name":"A","categoryId":9223372036854775808}',
  '{"name":"A","categoryId":1,"status":"gone"}',
  '{"name":"A","categoryId":1,"status":null}',
)
const badDocument = fc.constantFrom(
  '{"pets":[{"id":1}]}',
  '{"pets":[{"id":1,"name":"A","categoryId":1},{"id":1,"name":"B","categoryId":1}]}',
  '{"pets":[{"id":5,"name":"A","categoryId":1}],"nextId":5}',
  '{"now":"yesterday"}',
  '{"faults":[{"operation":"petList","status":503}]}',
  '{"assume":{"paging":"cursor"}}',
  '{"colour":"red"}',
  '[]',
)
const stray = fc.constantFrom(
  { method: 'GET', target: '/v1/store/orders', status: 404 },
  { method: 'GET', target: '/v1/pets/', status: 404 },
  { method: 'DELETE', target: '/v1/pets/1', status: 405 },
  { method: 'PUT', target: '/v1/pets', status: 405 },
  { method: 'GET', target: '/v1/pets/%zz', status: 400 },
)

function command<const Name extends Command['do']>(name: Name, fields: { [Field in string]: Arbitrary<unknown> }, weight = 1) {
  return { weight, arbitrary: fc.record({ do: fc.constant(name), ...fields }) as unknown as Arbitrary<Command> }
}

const limit = fc.option(fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constantFrom(1, 100)), { nil: undefined })
const anyCommand: Arbitrary<Command> = fc.oneof(
  // First, so that a failing life shrinks to the few steps that matter among nothings.
  { withCrossShrink: true },
  command('nothing', {}, 0),
  command('create', { key: anyKey, pet: newPet }, 10),
  command('bad create', { key, body: badBody }, 3),
  command('list', { key: anyKey, limit, status: fc.option(status, { nil: undefined }) }, 7),
  command('bad list', { key, query: fc.constantFrom('limit=0', 'limit=101', 'limit=x', 'status=gone', 'limit=1&limit=2', 'status=') }, 1),
  command('get', { key: anyKey, pick: fc.nat(60) }, 7),
  command('bad get', { key, id: fc.constantFrom('0', '-9', 'abc', '01', '1.0', '9223372036854775808') }, 1),
  { weight: 1, arbitrary: stray.map((line) => ({ do: 'stray', ...line }) as Command) },
  command('reset', { of }, 2),
  command('load', { of, situation }, 2),
  command('bad load', { of, document: badDocument }, 1),
  command('fault', { of, fault }, 3),
  command('clear faults', { of }, 1),
  command('set clock', { of, now }, 1),
  command('advance clock', { of, days: fc.integer({ min: 1, max: 900 }) }, 1),
  command('look', { of }, 3),
  command('remove sandbox', { key }, 1),
)

// The two ways to the mock.

interface Sent {
  readonly method: string
  readonly target: string
  readonly key: string | null
  readonly body?: string | undefined
}

type Got = { status: number; headers: Readonly<Record<string, string>>; text: string }

/** A tester and a client of one mock. */
interface Driver {
  /** A status of 0 is a dropped connection. */
  send(sent: Sent): Promise<Got>
  /** Whether it was granted. */
  reset(of?: string): Promise<boolean>
  load(document: string, of?: string): Promise<boolean>
  addFault(fault: reference.ModelFault, of?: string): Promise<boolean>
  clearFaults(of?: string): Promise<boolean>
  turnClock(turn: { now: string } | { advance: string }, of?: string): Promise<boolean>
  removeSandbox(key: string): Promise<boolean>
  look(of?: string): Promise<{ state: string; journal: { status: number }[]; sandboxes: string[] }>
  end(): Promise<void>
}

async function driveServer(options: Parameters<typeof createMock>[0]): Promise<Driver> {
  const { port, close } = await serve(createMock(options))
  const client = createRawClient(port)
  const tell = async (method: string, path: string, sandbox: string | undefined, body?: string) => {
    const target = `/__mock${path}${sandbox === undefined ? '' : `?sandbox=${sandbox}`}`
    const fields = [body === undefined ? (['X-Mock-Control', '1'] as const) : (['Content-Type', 'application/json'] as const)]
    const answer = await client.ask({ method, target, fields, body })
    expect(answer.status, answer.text).toBeLessThan(500)
    return answer
  }
  const granted = async (...asked: Parameters<typeof tell>) => (await tell(...asked)).status < 300
  return {
    async send({ method, target, key: sender, body }) {
      const fields: [string, string][] = sender === null ? [] : [['Authorization', `Bearer ${sender}`]]
      if (body !== undefined) fields.push(['Content-Type', 'application/json'])
      try {
        return await client.ask({ method, target, fields, body })
      } catch (error) {
        if (error instanceof Cut && error.text === '') return { status: 0, headers: {}, text: '' }
        throw error
      }
    },
    reset: (sandbox) => granted('POST', '/reset', sandbox),
    load: (document, sandbox) => granted('PUT', '/state', sandbox, document),
    addFault: (one, sandbox) => granted('POST', '/faults', sandbox, JSON.stringify(one)),
    clearFaults: (sandbox) => granted('DELETE', '/faults', sandbox),
    turnClock: (turn, sandbox) => granted('PUT', '/clock', sandbox, JSON.stringify(turn)),
    removeSandbox: (sandbox) => granted('DELETE', `/sandboxes/${sandbox}`, undefined),
    async look(sandbox) {
      const [state, journal, sandboxes] = [await tell('GET', '/state', sandbox), await tell('GET', '/requests', sandbox), await tell('GET', '/sandboxes', undefined)]
      return { state: state.text, journal: JSON.parse(journal.text), sandboxes: JSON.parse(sandboxes.text) }
    },
    async end() {
      client.close()
      await close()
    },
  }
}

const msw = setupServer()

async function driveMsw(options: Parameters<typeof createMock>[0]): Promise<Driver> {
  const mock = createMock(options)
  msw.resetHandlers(...createHandlers(mock, { baseUrl: 'http://mock.test/v1' }))
  const on = (sandbox: string | undefined) => (sandbox === undefined ? mock.control : mock.control.sandbox(sandbox))
  const granted = async (run: () => unknown) => {
    try {
      return run() !== false
    } catch (error) {
      if ((error as Error).name === 'UsageError') return false
      throw error
    }
  }
  return {
    async send({ method, target, key: sender, body }) {
      const headers = { ...(sender === null ? {} : { authorization: `Bearer ${sender}` }), ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
      let response: Response
      try {
        response = await fetch(`http://mock.test${target}`, { method, headers, ...(body === undefined ? {} : { body }) })
      } catch {
        return { status: 0, headers: {}, text: '' }
      }
      return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
    },
    reset: (sandbox) => granted(() => on(sandbox).reset()),
    load: (document, sandbox) => granted(() => on(sandbox).load(toScenario(document))),
    addFault: (one, sandbox) => granted(() => on(sandbox).faults.add(one)),
    clearFaults: (sandbox) => granted(() => on(sandbox).faults.clear()),
    turnClock: (turn, sandbox) => granted(() => ('now' in turn ? on(sandbox).clock.set(turn.now) : on(sandbox).clock.advance(turn.advance))),
    removeSandbox: (sandbox) => granted(() => mock.control.removeSandbox(sandbox)),
    async look(sandbox) {
      return { state: print(on(sandbox).state()), journal: on(sandbox).requests(), sandboxes: mock.control.sandboxes() }
    },
    end: async () => {},
  }
}

/** JSON with bigints as digits. */
function print(value: unknown): string {
  return JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `#${one}#` : one)).replace(/"#(-?\d+)#"/g, '$1')
}

/** A document as the value that a test would write: ids as bigints. */
function toScenario(document: string): Scenario {
  const marked = document.replace(/("(?:id|categoryId|nextId)":)(-?\d+)/g, '$1"#$2"')
  return JSON.parse(marked, (_, one) => {
    if (typeof one !== 'string' || !/^#-?\d+$/.test(one)) return one
    const exact = BigInt(one.slice(1))
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
  })
}

function toDocument({ pets, nextId, apiKeys, now: instant, defaultStatus, newestFirst, faults }: reference.ModelSituation): string {
  return print({
    pets: pets.map(({ id, name, categoryId, status: at }) => ({ id, name, categoryId, ...(at ? { status: at } : {}) })),
    ...(nextId === undefined ? {} : { nextId }),
    ...(apiKeys ? { apiKeys } : {}),
    now: new Date(instant).toISOString(),
    frozen: true,
    assume: { ...(defaultStatus ? { 'default-status': defaultStatus } : {}), ...(newestFirst ? { 'list-order': 'newest-first' } : {}) },
    faults,
  })
}

// One step: what the model expects, and what came.

async function step(model: reference.Model, driver: Driver, one: Command): Promise<void> {
  const ask = async (expected: reference.Expected, sent: Sent) => compare(await driver.send(sent), expected)
  const sandbox = 'of' in one && model.isSandboxed ? one.of : undefined
  switch (one.do) {
    case 'nothing':
      return
    case 'create': {
      const { name, categoryId, status: at } = one.pet
      const body = `{"name":${JSON.stringify(name)},"categoryId":${categoryId}${at ? `,"status":"${at}"` : ''}}`
      return ask(reference.call(model, 'createPet', one.key, (world) => reference.createPet(world, one.pet)), { method: 'POST', target: '/v1/pets', key: one.key, body })
    }
    case 'bad create':
      return ask(reference.call(model, 'createPet', one.key, (world) => reference.refuse(world, 400)), { method: 'POST', target: '/v1/pets', key: one.key, body: one.body })
    case 'list': {
      const query = [one.limit && `limit=${one.limit}`, one.status && `status=${one.status}`].filter(Boolean).join('&')
      return ask(reference.call(model, 'listPets', one.key, (world) => reference.listPets(world, one)), { method: 'GET', target: `/v1/pets${query && `?${query}`}`, key: one.key })
    }
    case 'bad list':
      return ask(reference.call(model, 'listPets', one.key, (world) => reference.refuse(world, 400)), { method: 'GET', target: `/v1/pets?${one.query}`, key: one.key })
    case 'get': {
      // Some of the numbers pick an animal that is there, the others one that is not there yet.
      const { pets, nextId } = reference.peek(model, one.key ?? undefined)
      const id = pets[one.pick]?.id ?? nextId + BigInt(one.pick)
      return ask(reference.call(model, 'getPet', one.key, (world) => reference.getPet(world, id)), { method: 'GET', target: `/v1/pets/${id}`, key: one.key })
    }
    case 'bad get':
      return ask(reference.call(model, 'getPet', one.key, (world) => reference.getPet(world, undefinedIfUnknown(world, one.id))), { method: 'GET', target: `/v1/pets/${one.id}`, key: one.key })
    case 'stray':
      return ask(reference.refuseOutside(model, one.status), { method: one.method, target: one.target, key: 'alpha' })
    case 'reset':
      expect(await driver.reset(sandbox)).toBe(true)
      return reference.replace(model, sandbox, reference.start(reference.peek(model, sandbox).situation))
    case 'load':
      expect(await driver.load(toDocument(one.situation), sandbox)).toBe(true)
      return reference.replace(model, sandbox, reference.start(one.situation))
    case 'bad load':
      expect(await driver.load(one.document, sandbox)).toBe(false)
      return
    case 'fault':
      expect(await driver.addFault(one.fault, sandbox)).toBe(true)
      return reference.addFault(reference.worldOf(model, sandbox), one.fault)
    case 'clear faults':
      expect(await driver.clearFaults(sandbox)).toBe(true)
      reference.worldOf(model, sandbox).faults = []
      return
    case 'set clock':
      expect(await driver.turnClock({ now: new Date(one.now).toISOString() }, sandbox)).toBe(true)
      reference.worldOf(model, sandbox).now = one.now
      return
    case 'advance clock':
      expect(await driver.turnClock({ advance: `P${one.days}D` }, sandbox)).toBe(true)
      reference.worldOf(model, sandbox).now += one.days * 86_400_000
      return
    case 'look':
      return compareWorlds(await driver.look(sandbox), model, sandbox)
    case 'remove sandbox':
      expect(await driver.removeSandbox(one.key)).toBe(model.sandboxes.delete(one.key))
  }
}

/** Ids that are spelled as the service spells them may be there after all. */
function undefinedIfUnknown(world: reference.ModelWorld, id: string): bigint | undefined {
  return world.pets.find((pet) => String(pet.id) === id)?.id
}

function compare({ status: got, headers, text: body }: Got, expected: reference.Expected): void {
  expect(got, body).toBe(expected.status)
  if (got === 0) return
  if (expected.text !== undefined) expect(body).toBe(expected.text)
  if (expected.code !== undefined) expect(JSON.parse(body)).toEqual({ code: expected.code, message: expect.stringMatching(/./), status: got })
  for (const [name, value] of Object.entries(expected.headers)) expect(headers[name], name).toBe(value)
}

function compareWorlds({ state, journal, sandboxes }: Awaited<ReturnType<Driver['look']>>, model: reference.Model, sandbox: string | undefined): void {
  const world = reference.peek(model, sandbox)
  expect(state).toContain(`"pets":[${world.pets.map(reference.toText).join(',')}]`)
  expect(/"nextId":(-?\d+)/.exec(state.slice(state.indexOf('],"nextId"')))?.[1]).toBe(world.nextId > 2n ** 63n - 1n ? undefined : String(world.nextId))
  const { now: instant, faults } = JSON.parse(state)
  expect(instant).toBe(new Date(world.now).toISOString())
  expect(faults).toEqual(world.faults)
  expect(journal.map((entry) => entry.status)).toEqual(world.journal)
  expect(sandboxes).toEqual([...model.sandboxes.keys()])
}

describe('a mock and its model agree for a lifetime', () => {
  beforeAll(() => msw.listen({ onUnhandledRequest: 'error' }))
  afterAll(() => msw.close())

  it.each([
    ['the server and its control API', driveServer],
    ['MSW and the control', driveMsw],
  ])('through %s', { timeout: 180_000 }, async (title, drive) => {
    let steps = 0
    const seen = new Set<string>()
    await checkProperty(
      title,
      RUNS,
      fc.asyncProperty(situation, fc.boolean(), fc.array(anyCommand, { minLength: COMMANDS, maxLength: COMMANDS }), async (first, isSandboxed, commands) => {
        const driver = await drive({ scenario: toScenario(toDocument(first)), sandbox: isSandboxed })
        const model = reference.createModel(first, isSandboxed)
        try {
          for (const one of commands) {
            await step(model, driver, one)
            steps++
            seen.add(one.do)
          }
          compareWorlds(await driver.look(), model, undefined)
          for (const sandbox of model.sandboxes.keys()) compareWorlds(await driver.look(sandbox), model, sandbox)
        } finally {
          await driver.end()
        }
      }),
    )
    expect(steps).toBe(RUNS * COMMANDS)
    expect(seen.size).toBe(16)
  })
})
