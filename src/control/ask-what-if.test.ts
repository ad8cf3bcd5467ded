import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toCall } from '../../test/support/call.ts'
import { type AssumptionId, assumptions } from '../contract/generated/contract.ts'
import { createMock, type Mock, type MockOptions } from '../mock/mock.ts'
import type { Call, Reply, RequestChange } from '../service/call.ts'
import type { Alternative, WhatIfChange } from './control.ts'

it('says that a released response is compared as it was decided', () => {
  const mock = createMock({ faults: [{ operation: 'listPets', hold: true }] })
  mock.answer({ ...toCall('GET', '/v1/pets'), reportsOutcome: true })
  mock.control.release(1, { status: 503 })
  const { status, differs, notes } = mock.control.whatIf(1, { without: 'faults' })
  expect({ status, differs }).toEqual({ status: 200, differs: null })
  expect(notes).toContainEqual(expect.stringContaining('decided'))
})

const KEYS = ['any-key', 'other-key', 'invalid', null]

const choose = <T>(...values: readonly T[]) => fc.constantFrom(...values)
const request = fc.oneof(
  fc
    .record({
      name: choose<unknown>('Mia', 'Bo', 7, undefined),
      status: choose('sold', 'gone', undefined),
      x: choose(1, undefined),
      categoryId: choose<unknown>(1, '1'),
    })
    .map((pet) => ['POST', '/v1/pets', JSON.stringify(pet)] as const),
  choose(
    '',
    '?limit=2',
    '?limit=0',
    '?limit=101',
    '?status=sold',
    '?status=gone',
    '?offset=2',
    '?limit=1&limit=2',
    '?limit=x',
  ).map((query) => ['GET', `/v1/pets${query}`, undefined] as const),
  choose('1', '2', '99', 'abc', '01', '9007199254740993').map(
    (id) => ['GET', `/v1/pets/${id}`, undefined] as const,
  ),
  choose<readonly [string, string, string | undefined]>(
    ['GET', '/v1/nothing', undefined],
    ['HEAD', '/v1/pets', undefined],
    ['PUT', '/v1/pets', '{}'],
    ['OPTIONS', '/v1/pets', undefined],
    ['POST', '/v1/pets', '{'],
    ['POST', '/v1/pets', undefined],
  ),
)
const fields = choose<Readonly<Record<string, string>>>(
  {},
  {},
  { prefer: 'code=503' },
  { prefer: 'drop' },
  { 'content-type': 'text/plain' },
  { origin: 'http://localhost:3000' },
  { authorization: 'Basic abc' },
  { authorization: 'Bearer a b' },
)
const calls = fc
  .tuple(request, fields, choose(...KEYS))
  .map(([[method, target, body], more, key]) => toCall(method, target, body, key, more))

const fault = fc.record(
  {
    operation: choose('*', 'createPet', 'listPets', 'getPet'),
    status: choose(500, 503),
    rate: choose(0.3, 0.7),
    times: choose(1, 3),
    after: choose(1, 2),
  },
  { requiredKeys: ['operation', 'status'] },
)
const changes = fc.oneof(
  fault.map((one) => (mock: Mock) => mock.control.faults.add(one as never)),
  choose(
    { operation: 'listPets', body: 'truncated' },
    { operation: '*', delay: [1, 9] },
    { operation: 'getPet', drop: true, rate: 0.5 },
  ).map((one) => (mock: Mock) => mock.control.faults.add(one as never)),
  choose(
    ...assumptions.flatMap(({ id, choices }) => choices.map((choice) => ({ [id]: choice }))),
  ).map((one) => (mock: Mock) => mock.control.assume(one)),
  choose('1d', '-2d', '6h').map((one) => (mock: Mock) => mock.control.clock.advance(one)),
  choose<[number, number] | null>([1, 9], null).map(
    (one) => (mock: Mock) => mock.control.latency.set(one),
  ),
  fc.constant((mock: Mock) => mock.control.reset()),
  fc.constant((mock: Mock) => mock.control.faults.clear()),
)
const steps = fc.array(
  fc.oneof({ weight: 4, arbitrary: calls }, { weight: 1, arbitrary: changes }),
  { minLength: 1, maxLength: 25 },
)
const options = choose<MockOptions>(
  {},
  { surprise: { seed: 3, kinds: ['all'] } },
  { apiKeys: ['any-key'] },
  { sandbox: true },
  { latency: [2, 7], now: '2030-12-05', faults: [{ operation: '*', status: 500, rate: 0.4 }] },
)

/** Everything that what-if must not touch. */
const whole = ({ control }: Mock) =>
  JSON.stringify(
    [control, ...control.sandboxes().map(control.sandbox)].map((state) => [
      state.state(),
      state.timeline({ waiting: true }),
      state.faults.list(),
    ]),
    (_, value) => (typeof value === 'bigint' ? String(value) : value),
  ) + JSON.stringify(control.coverage())

function run(
  given: MockOptions,
  taken: readonly (Call | ((mock: Mock) => unknown))[],
  check: (mock: Mock, id: number, reply: Reply, one: Call) => void,
) {
  const mock = createMock({
    pets: [
      { id: 1, name: 'Rex', categoryId: 1 },
      { id: 2, name: 'Tom', categoryId: 1, status: 'sold' },
    ],
    now: '2030-12-04',
    frozen: true,
    ...given,
  })
  const answered: [number, Reply, Call][] = []
  for (const step of taken) {
    if (typeof step === 'function') step(mock)
    else {
      const reply = mock.answer(step)
      answered.push([mock.control.timeline({ sandbox: '*' }).at(-1)?.id as number, reply, step])
    }
  }
  for (const [id, reply, step] of answered) check(mock, id, reply, step)
}

const stateOf = ({ control }: Mock, id: number) => {
  const { sandbox } =
    control.timeline({ sandbox: '*', limit: 1_000 }).find((row) => row.id === id) ?? {}
  return sandbox ? control.sandbox(sandbox) : control
}

const RUNS = 60 * Number(process.env.RUNS_FACTOR ?? 1)

describe('what if', () => {
  const start = (...calls: Parameters<typeof toCall>[]) => {
    const mock = createMock({
      pets: [],
      now: '2030-12-04',
      frozen: true,
      faults: [
        { id: 'busy', operation: 'createPet', status: 503 },
        { id: 'idle', operation: 'createPet', status: 500, after: 99 },
      ],
    })
    for (const call of calls) mock.answer(toCall(...call))
    return mock.control
  }

  it.each<[change: WhatIfChange, result: object]>([
    [{}, { status: 503, differs: null }],
    [{ latency: 7 }, { status: 503, durationMs: 7, differs: null }],
    [{ without: 'faults' }, { status: 201, differs: { status: 503, headers: [], body: true } }],
    [
      { without: ['busy'], request: { body: null } },
      { status: 400, problems: [{ kind: 'text' }] },
    ],
    [
      { request: { headers: { Prefer: 'code=429', 'CONTENT-TYPE': null } } },
      { status: 429, faults: ['Prefer'] },
    ],
    [{ request: { method: 'get', body: '' } }, { status: 200, response: { body: '[]' } }],
  ])('with %j a request gets %j', (change, result) => {
    const control = start(['POST', '/v1/pets', { name: 'Rex', categoryId: 1 }])
    expect(control.whatIf(1, change)).toMatchObject(result)
  })

  it.each<[change: WhatIfChange, notes: readonly string[]]>([
    [{ assume: { 'list-order': 'newest-first' } }, ['The response does not depend on list-order']],
    [{ assume: { 'default-status': 'sold' }, without: 'faults' }, []],
    [{ without: 'faults' }, []],
    [{ without: ['idle'] }, ['Fault idle did not apply to it']],
    [{ at: '2030-12-06' }, ['The response does not depend on the time']],
    [{ latency: 7 }, []],
  ])('notes what of %j does not concern the request', (change, notes) => {
    const control = start(['POST', '/v1/pets', { name: 'Rex', categoryId: 1 }])
    expect(control.whatIf(1, change).notes).toEqual(notes)
  })

  it.each<[change: WhatIfChange, message: RegExp]>([
    [{ without: ['other'] }, /\bother\b/],
    [{ at: 'never' }, /^at: .*never/],
    [{ request: { method: 'GET', body: 'x' } }, /request\.body.*GET/],
  ])('%j is refused', (change, message) =>
    expect(() => start(['POST', '/v1/pets']).whatIf(1, change)).toThrow(message),
  )

  it('is refused for a change, and for a request whose body is not in the log, unless it gets another one', () => {
    const mock = createMock({ pets: [] })
    mock.answer({ ...toCall('POST', '/v1/pets', '{}'), body: new Uint8Array([0xff]) })
    mock.control.faults.clear()
    mock.control.pets.add({ name: 'Rex', categoryId: 1 })
    for (const id of [1, 2]) {
      expect(() => mock.control.whatIf(id)).toThrow(
        expect.objectContaining({
          status: 409,
          message: expect.stringMatching(`^(request.body: )?Row ${id} `),
        }),
      )
    }
    expect(
      mock.control.whatIf(1, { request: { body: { name: 'Rex', categoryId: 1 } } }).status,
    ).toBe(201)
  })

  it('lists each single change that gives another response, and counts those choices for all requests', () => {
    const control = start(
      ['POST', '/v1/pets', { name: 'Rex', categoryId: 1 }, 'any-key', { prefer: 'code=429' }],
      ['POST', '/v1/pets', { name: 'Rex', categoryId: 1 }],
      ['GET', '/v1/pets/x'],
      ['GET', '/v1/pets?limit=500'],
      ['GET', '/v1/pets?limit=0'],
    )
    const alternatives: Alternative[][] = [1, 2, 3, 4].map((id) =>
      control.whatIf(id, { alternatives: true }),
    )
    expect(
      alternatives.map((found) => found.map(({ change, status }) => [change, status])),
    ).toEqual([
      [[{ request: { headers: { prefer: null } } }, 503]],
      [[{ without: ['busy'] }, 201]],
      [
        [{ assume: { 'invalid-pet-id': 'bad-request' } }, 400],
        [{ assume: { 'sunset-header': 'none' } }, 404],
        [{ at: '2030-12-06' }, 404],
      ],
      ['clamp', 'ignore'].map((choice) => [{ assume: { 'invalid-query': choice } }, 200]),
    ])
    expect(control.coverage({ outcomes: true }).outcomes).toEqual([
      { assumption: 'invalid-query', choice: 'clamp', requests: 2 },
      { assumption: 'invalid-query', choice: 'ignore', requests: 2 },
      { assumption: 'invalid-pet-id', choice: 'bad-request', requests: 1 },
    ])
  })

  it('gives every request the response that it got, and touches nothing', () => {
    fc.assert(
      fc.property(options, steps, (given, taken) => {
        run(given, taken, (mock, id, reply) => {
          const events: unknown[] = []
          const unsubscribe = mock.control.subscribe((event) => events.push(event))
          const before = whole(mock)
          const { status, outcome, durationMs, response, differs } = stateOf(mock, id).whatIf(id)
          expect({ status, outcome, durationMs, response }).toEqual({
            status: reply.status,
            outcome: reply.drop ? 'dropped' : 'sent',
            durationMs: reply.delay ?? 0,
            response: reply.drop
              ? { headers: {}, body: '' }
              : { headers: reply.headers, body: reply.body },
          })
          stateOf(mock, id).whatIf(id, { alternatives: true })
          expect([differs, whole(mock), events]).toEqual([null, before, []])
          unsubscribe()
        })
      }),
      { numRuns: RUNS },
    )
  })

  it('agrees with the assumptions of a row: they are those of which another choice would have given another response or state', () => {
    // Every request that is accepted depends on `valid-keys`, and every error on `error-codes`, so
    // that no row says so.
    const several = assumptions.filter(
      ({ id, choices }) => choices.length > 1 && id !== 'valid-keys' && id !== 'error-codes',
    )
    fc.assert(
      // A surprise can hide what differs.
      fc.property(
        options.filter(({ surprise }) => !surprise),
        steps,
        (given, taken) => {
          run(given, taken, (mock, id, _, one) => {
            const state = stateOf(mock, id)
            const row = state.timeline().find((other) => other.id === id)
            if (row?.type !== 'request') throw new Error('a request expected')
            const asItWas = JSON.stringify(state.whatIf(id).after)
            const mattered = several.filter(({ id: question, choices }) =>
              choices.some((choice) => {
                const { differs, after } = state.whatIf(id, { assume: { [question]: choice } })
                return differs !== null || JSON.stringify(after) !== asItWas
              }),
            )
            const named = row.assumptions.filter((question) =>
              several.some((other) => other.id === question),
            )
            expect({
              call: [one.method, one.target, one.headers],
              named: [...named].sort(),
            }).toEqual({
              call: [one.method, one.target, one.headers],
              named: mattered.map(({ id: question }) => question as AssumptionId).sort(),
            })
          })
        },
      ),
      { numRuns: RUNS },
    )
  })

  it('offers a day on which the operation is not removed yet, or already is', () => {
    const mock = createMock({ now: '2030-12-05T12:00:00Z', frozen: true })
    const offered = () => {
      mock.answer({
        method: 'GET',
        target: '/v1/pets/1',
        headers: { authorization: 'Bearer any-key' },
      })
      const found = mock.control.whatIf(mock.control.requests().at(-1)?.id ?? 0, {
        alternatives: true,
      })
      return found.flatMap(({ change, status }) => (change.at ? [[change.at, status]] : []))
    }
    expect(offered()).toEqual([['2030-12-06', 404]])
    mock.control.assume({ 'removal-instant': 'start-of-day' })
    expect(offered()).toEqual([['2030-12-04', 200]])
  })
})

describe('a request that a server would not read', () => {
  const ask = (request: RequestChange) => {
    const mock = createMock()
    mock.answer(toCall('GET', '/v1/pets'))
    return mock.control.whatIf(1, { request })
  }

  it.each<[part: string, request: RequestChange]>([
    ['target', { target: `/v1/pets?${'a=1&'.repeat(5_000)}` }],
    ['header field', { headers: { 'x-long': 'x'.repeat(16_384) } }],
    ['name of a field', { headers: { [`x-${'x'.repeat(16_384)}`]: '' } }],
    ['method', { method: 'A'.repeat(16_385) }],
  ])('is refused, like one with a long %s', (_, request) => {
    expect(() => ask(request)).toThrow(/^request: .* 16384 .* 431/)
  })

  it('is not one whose target is too long for the service', () => {
    const target = `/v1/pets?${'a=1&'.repeat(3_000)}`
    expect(ask({ target })).toMatchObject({ status: 414 })
  })
})

describe('a request whose key the service did not read', () => {
  const ask = (headers: Record<string, string>, change: WhatIfChange) => {
    const mock = createMock({ apiKeys: ['own-key'] })
    mock.answer({ method: 'OPTIONS', target: '/v1/pets', headers })
    return mock.control.whatIf(1, change)
  }
  const bearer = { authorization: 'Bearer own-key' }
  const asGet = { request: { method: 'GET' } }

  it('is not answered with another key, unless both kinds of key get the same', () => {
    const refusal = expect.objectContaining({
      status: 409,
      message: expect.stringMatching(/^Row 1 .*request\.headers\.authorization/),
    })
    expect(() => ask(bearer, asGet)).toThrow(refusal)
    expect(ask(bearer, {})).toMatchObject({ status: 204, differs: null })
    const invalidTarget = { request: { method: 'GET', target: '/%zz' } }
    expect(ask(bearer, invalidTarget)).toMatchObject({ status: 400 })
  })

  it('is answered with a key that you give, and without one if it had none', () => {
    const given = { request: { method: 'GET', headers: bearer } }
    expect(ask(bearer, given)).toMatchObject({ status: 200 })
    expect(ask({}, asGet)).toMatchObject({ status: 401, assumptions: [] })
    expect(ask({ authorization: 'Basic abc' }, asGet)).toMatchObject({ status: 401 })
  })
})

describe('a request whose key its sandbox refused', () => {
  const start = () => {
    const mock = createMock({ sandbox: true })
    const sandbox = mock.control.sandbox('own-key')
    sandbox.load({ pets: [], apiKeys: ['other-key'] })
    mock.answer(toCall('GET', '/v1/pets', undefined, 'own-key'))
    return { mock, sandbox, id: mock.control.timeline().at(-1)?.id ?? 0 }
  }

  it('is answered with the keys that its sandbox had then', () => {
    const { mock, sandbox, id } = start()
    const asItWas = { status: 401, differs: null }
    expect(mock.control.whatIf(id)).toMatchObject(asItWas)
    sandbox.assume({ 'valid-keys': 'any' })
    expect(mock.control.whatIf(id)).toMatchObject(asItWas)
  })

  it('would get the animals of its sandbox if any key were valid', () => {
    const { mock, sandbox, id } = start()
    sandbox.pets.add({ name: 'Rex', categoryId: 1 })
    const anyKey: WhatIfChange = { assume: { 'valid-keys': 'any' } }
    expect(mock.control.whatIf(id, anyKey)).toMatchObject({ status: 200, response: { body: '[]' } })
  })
})

describe('a request whose key was refused in a sandbox that is not as it was', () => {
  const asItWas = { status: 401, differs: null }
  const refuse = (mock: Mock): number => {
    expect(mock.answer(toCall('GET', '/v1/pets', undefined, 'own-key')).status).toBe(401)
    return mock.control.timeline().at(-1)?.id ?? 0
  }

  it('is refused where the sandbox would have begun with other keys than the shared state has', () => {
    const mock = createMock({ sandbox: true, apiKeys: ['other-key'] })
    mock.control.keys.set(null)
    expect(mock.control.whatIf(refuse(mock))).toMatchObject(asItWas)
  })

  it('is refused where the sandbox is gone', () => {
    const mock = createMock({ sandbox: true })
    mock.control.sandbox('own-key').keys.set(['other-key'])
    const id = refuse(mock)
    mock.control.removeSandbox('own-key')
    expect(mock.control.whatIf(id)).toMatchObject(asItWas)
  })

  it('is refused where the rows of the sandbox are gone', () => {
    const mock = createMock({ sandbox: true })
    const sandbox = mock.control.sandbox('own-key')
    sandbox.keys.set(['other-key'])
    const id = refuse(mock)
    sandbox.keys.set(null)
    sandbox.clearRequests()
    expect(mock.control.whatIf(id)).toMatchObject(asItWas)
  })
})

it('meets the fault for its key', () => {
  const mock = createMock({
    faults: [{ operation: 'listPets', status: 503, when: { apiKey: 'own-key' } }],
  })
  mock.answer(toCall('GET', '/v1/pets', undefined, 'own-key'))
  expect(mock.control.whatIf(1)).toMatchObject({ status: 503, differs: null })
})

it('is refused for a request that chose a sandbox by what cannot be its name', () => {
  const mock = createMock({ sandbox: true })
  mock.answer(toCall('GET', '/v1/pets', undefined, 'own-key', { 'x-mock-sandbox': 'not a name' }))
  expect(() => mock.control.whatIf(1)).toThrow(expect.objectContaining({ status: 409 }))
})

it('reads the body that a fault answered, with its byte order mark', () => {
  const mock = createMock({ faults: [{ operation: 'createPet', status: 503 }] })
  mock.answer(toCall('POST', '/v1/pets', '\ufeff{"name":"Mia","categoryId":1}'))
  expect(mock.control.whatIf(1, { without: 'faults' })).toMatchObject({ status: 400 })
})

it('takes an undefined choice for absent', () => {
  const mock = createMock()
  mock.answer(toCall('GET', '/v1/pets?limit=0'))
  expect(mock.control.whatIf(1, { assume: { 'invalid-query': undefined } } as never)).toMatchObject(
    { status: 400 },
  )
})
