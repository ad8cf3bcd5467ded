// Every public door with what it should not be given: one line says what is wrong and what was meant, and nothing has happened.
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { expandScenario, generatePets } from '../../src/generate/index.ts'
import { createHandlers } from '../../src/hosts/msw.ts'
import { loadScenario, serve } from '../../src/hosts/node/index.ts'
import { createFetch, createMock, type MockOptions, UsageError } from '../../src/index.ts'
import { withStore } from '../../src/kits/playwright.ts'
import { storeLoader } from '../../src/kits/storybook.ts'
import { mockStore } from '../../src/kits/vitest.ts'
import { scenarios } from '../../src/scenarios.ts'
import { animals, rex } from '../support/animals.ts'

/** What is given, and the one line that comes back. */
type Row = readonly [given: unknown, line: string]

/** Its data is where a check of its own fields does not look. */
class Accessors {
  get apiKeys() {
    return ['k']
  }
}

/** Runs the door and gives the lines of its UsageError. */
function linesOf(run: () => unknown): readonly string[] {
  try {
    run()
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as UsageError).problems
  }
  return []
}

function refuses(rows: readonly Row[], run: (given: never) => unknown): void {
  it.each(rows.map(([given, line]) => ({ given, line })))('$line', ({ given, line }) => {
    expect(linesOf(() => run(given as never))).toEqual([line])
  })
}

/** A list with a hole, which most methods of lists pass over. */
const SPARSE = Object.assign(new Array(2), { 1: 'https://api.example.com/v1' })

describe('createMock', () => {
  refuses(
    [
      [null, 'createMock: options must be an object, got null'],
      ['default', 'createMock: options must be an object, got "default"'],
      [[], 'createMock: options must be an object, got a list of 0'],
      [() => {}, 'createMock: options must be an object, got a function'],
      [new Map([['apiKeys', ['k']]]), 'createMock: options must be a plain object, got a Map'],
      [new Date(), 'createMock: options must be a plain object, got a Date'],
      [new Accessors(), 'createMock: options must be a plain object, got an Accessors'],
      [{ assume: new Map() }, 'createMock: assume must be an object such as { "invalid-query": "clamp" }, got a Map'],
      [{ scenario: new Map() }, 'createMock: scenario must be an object such as scenarios.default, got a Map'],
      [{ pets: [() => 1] }, 'pets[0]: expected an object, got a function'],
      [{ pets: [new Accessors()] }, 'pets[0]: expected a plain object, got an Accessors'],
      [{ apiKeys: [() => 'k'] }, 'apiKeys[0]: expected a bearer token (RFC 6750), got a function'],
      [{ faults: [() => 1] }, 'faults[0]: expected an object, got a function'],
      [
        {
          faults: [
            { id: 'a', operation: '*', delay: 5 },
            { operation: '*', delay: 5 },
            { id: 'a', operation: '*', status: 500 },
          ],
        },
        'faults[2].id: duplicate id "a" (also faults[0])',
      ],
      [{ faults: [{ operation: '*', delay: 5, retryAfter: 1 }] }, 'faults[0]: expected a status along with retryAfter, got none'],
      [{ faults: [new Map()] }, 'faults[0]: expected a plain object, got a Map'],
      [
        { latency: 5n },
        'createMock: latency must be milliseconds such as 200, or the shortest and the longest such as [20, 80], got 5n, a bigint',
      ],
      [
        { pets: [{ ...rex, id: 2 ** 53 }] },
        'pets[0].id: expected a 64-bit integer, got 9007199254740992; write a number this large as a bigint',
      ],
      [{ pets: [{ ...rex, id: Number.NaN }] }, 'pets[0].id: expected a 64-bit integer, got NaN'],
      [{ pets: [{ ...rex, name: 'a\ud800' }] }, 'pets[0].name: expected well-formed text, got "a\\ud800"'],
      [
        { scenario: './x.yaml' },
        'createMock: scenario must be an object, not a file name: pass await loadScenario("./x.yaml") from animal-store-mock/node',
      ],
      [Promise.resolve({}), 'createMock: options must be a plain object, got a promise; did you forget await?'],
      [{ apikeys: ['k'] }, 'createMock: unknown option "apikeys"; did you mean apiKeys?'],
      [{ api_key: ['k'] }, 'createMock: unknown option "api_key"; did you mean apiKeys?'],
      [{ nextId: 5 }, 'createMock: unknown option "nextId"; it belongs in a scenario: createMock({ scenario: { … } })'],
      [
        { __proto__: null, constructor: 1 },
        'createMock: unknown option "constructor"; the options are scenario, pets, apiKeys, now, frozen, assume, faults, latency, sandbox, journal and corsOrigins',
      ],
      [{ sandbox: 'yes' }, 'createMock: sandbox must be true or false, got "yes"'],
      [{ sandbox: 1 }, 'createMock: sandbox must be true or false, got 1'],
      [{ frozen: null }, 'createMock: frozen must be true or false, got null'],
      [{ scenario: 5 }, 'createMock: scenario must be an object such as scenarios.default, got 5'],
      [{ scenario: null }, 'createMock: scenario must be an object such as scenarios.default, got null'],
      [{ scenario: [] }, 'createMock: scenario must be an object such as scenarios.default, got a list of 0'],
      [{ scenario: Promise.resolve({}) }, 'createMock: scenario must be an object, got a promise; did you forget await?'],
      [
        { scenario: 'sold-out' },
        'createMock: scenario must be an object, not a name: pass scenarios["sold-out"] from animal-store-mock/scenarios, or await loadScenario("sold-out") from animal-store-mock/node',
      ],
      [{ scenario: { extends: 'default' } }, 'extends: resolve it first, with loadScenario() or expandScenario()'],
      [{ scenario: { generate: { count: 1 } } }, 'generate: resolve it first, with loadScenario() or expandScenario()'],
      [{ pets: {} }, 'createMock: pets must be a list of animals, got an object'],
      [{ pets: 'Rex' }, 'createMock: pets must be a list of animals, got "Rex"'],
      [{ apiKeys: 'k' }, 'createMock: apiKeys must be a list of API keys, got "k"'],
      [{ apiKeys: new Set(['k']) }, 'createMock: apiKeys must be a list of API keys, got a Set'],
      [{ now: new Date(0) }, 'createMock: now must be a string such as "2030-12-06", got a Date'],
      [{ now: 0 }, 'createMock: now must be a string such as "2030-12-06", got 0'],
      [{ assume: 'clamp' }, 'createMock: assume must be an object such as { "invalid-query": "clamp" }, got "clamp"'],
      [{ faults: {} }, 'createMock: faults must be a list of faults, got an object'],
      [
        { latency: '200' },
        'createMock: latency must be milliseconds such as 200, or the shortest and the longest such as [20, 80], got "200"',
      ],
      [{ journal: 500 }, 'createMock: journal must be an object such as { entries: 500 }, got 500'],
      [{ journal: { entry: 1 } }, 'createMock: journal: unknown option "entry"; the options are entries'],
      ...[-1, Number.POSITIVE_INFINITY, Number.NaN, 1.5, 100_001].map(
        (entries): Row => [
          { journal: { entries } },
          `createMock: journal: entries must be an integer from 0 to 100000, got ${entries === Number.POSITIVE_INFINITY ? 'a number out of range' : entries}`,
        ],
      ),
      [{ journal: { entries: '5' } }, 'createMock: journal: entries must be an integer from 0 to 100000, got "5"'],
      [
        { corsOrigins: SPARSE },
        'createMock: corsOrigins must be origins such as "https://app.example.com" (no path, in lower case), or "*"; got nothing',
      ],
      ...['pets', 'apiKeys', 'faults'].flatMap((name): Row[] => [
        [{ [name]: new Array(1) }, `${name}[0] is required`],
        [{ scenario: { [name]: new Array(1) } }, `${name}[0] is required`],
      ]),
      [
        { corsOrigins: 'https://app.example.com' },
        'createMock: corsOrigins must be a list of origins such as "https://app.example.com", or ["*"], got "https://app.example.com"',
      ],
      ...['https://app.example.com/', 'app.example.com', 'https://App.example.com', 'null', ''].map(
        (origin): Row => [
          { corsOrigins: ['*', origin] },
          `createMock: corsOrigins must be origins such as "https://app.example.com" (no path, in lower case), or "*"; got ${JSON.stringify(origin)}`,
        ],
      ),
    ],
    createMock,
  )

  it('names every option that is wrong, one line each', () => {
    expect(linesOf(() => createMock({ sandbox: 0, apikeys: [], pets: 1 } as never))).toHaveLength(3)
  })

  it('takes a field that is inherited or undefined for absent', () => {
    const inherited = Object.create({ sandbox: true, pets: 'no list', nonsense: 1 })
    expect(createMock(inherited).control.summary().pets).toBe(18)
    const options = { pets: undefined, apiKeys: undefined, assume: undefined, journal: undefined, corsOrigins: undefined }
    expect(createMock(options as unknown as MockOptions).control.state()).toEqual(createMock().control.state())
    expect(createMock({ scenario: Object.create({ pets: [rex], name: 'inherited' }) }).control.summary()).toMatchObject({ pets: 0 })
  })

  it('reads each option once, so that a Proxy cannot change its mind', () => {
    const reads: string[] = []
    const target = { sandbox: true, pets: animals, corsOrigins: ['https://app.test'] }
    const proxy = new Proxy(target, {
      get(from, name) {
        reads.push(String(name))
        return Reflect.get(from, name)
      },
    })
    expect(createMock(proxy).control.state().pets).toEqual(animals)
    expect(reads.filter((name) => name in target).sort()).toEqual(['corsOrigins', 'pets', 'sandbox'])
  })

  it('keeps nothing by reference', () => {
    const corsOrigins = ['https://app.test']
    const apiKeys = ['one']
    const pets = [{ ...rex }]
    const mock = createMock({ corsOrigins, apiKeys, pets })
    corsOrigins[0] = 'https://evil.test'
    apiKeys[0] = 'two'
    pets[0] = { ...rex, name: 'Changed' }
    const header = (name: string) => ({ origin: 'https://app.test', authorization: 'Bearer one' })[name]
    const reply = mock.answer({ method: 'GET', target: '/v1/pets', header })
    expect([reply.body, reply.headers['Access-Control-Allow-Origin']]).toEqual([JSON.stringify([rex]), 'https://app.test'])
  })

  it('lets options override the scenario: keys over the choices of a snapshot, and faults first', () => {
    const scenario = createMock({ pets: [], faults: [{ operation: '*', status: 500 }] }).control.state()
    expect(scenario.assume?.['valid-keys']).toBe('any')
    const mock = createMock({ scenario, apiKeys: ['only'], faults: [{ operation: '*', status: 503 }] })
    const ask = (key: string) =>
      mock.answer({ method: 'GET', target: '/v1/pets', header: (name) => (name === 'authorization' ? `Bearer ${key}` : undefined) }).status
    expect([ask('other'), ask('only')]).toEqual([401, 503])
    expect(mock.control.faults.list().map(({ status }) => status)).toEqual([503, 500])
    const open = createMock({ scenario, apiKeys: ['only'], assume: { 'valid-keys': 'any' } })
    expect(open.control.state().assume?.['valid-keys']).toBe('any')
  })

  it('takes a choice that is undefined for one that is not made', () => {
    const scenario = { assume: { 'list-order': 'newest-first' as const } }
    const { control } = createMock({ scenario, assume: { 'list-order': undefined, paging: 'none' } as never })
    expect(control.state().assume?.['list-order']).toBe('newest-first')
  })

  it('delays every response by the latency, over that of the scenario', () => {
    const mock = createMock({ scenario: { latency: [1, 2] }, latency: 30 })
    const call = { method: 'GET', target: '/v1/nothing', header: () => undefined }
    expect([mock.answer(call).delay, mock.control.state().latency]).toEqual([30, 30])
  })

  it('takes a journal of no entries', () => {
    const mock = createMock({ journal: { entries: 0 } })
    mock.answer({ method: 'GET', target: '/v1/pets', header: () => undefined })
    expect(mock.control.requests()).toEqual([])
  })
})

describe('createHandlers', () => {
  refuses(
    [
      [[null], 'createHandlers: expected a mock from createMock or its options, got null'],
      [['https://a.test/v1'], 'createHandlers: expected a mock from createMock or its options, got "https://a.test/v1"'],
      [[createMock().control], 'createHandlers: expected a mock from createMock or its options, got the control of one'],
      [
        [{ baseUrl: 'https://api.example.com/v1' }],
        'createHandlers: baseUrl belongs in the second argument; write createHandlers({}, { baseUrl })',
      ],
      [[{ apikeys: [] }], 'createMock: unknown option "apikeys"; did you mean apiKeys?'],
      [[{}, null], 'createHandlers: options must be an object, got null'],
      [[{}, 'https://api.example.com/v1'], 'createHandlers: options must be an object, got "https://api.example.com/v1"'],
      [[{}, { baseURL: '/v1' }], 'createHandlers: unknown option "baseURL"; did you mean baseUrl?'],
      [[{}, { baseUrl: [] }], 'baseUrl: the list is empty; leave baseUrl out to match any origin'],
      [[{}, { baseUrl: SPARSE }], 'baseUrl: expected an address like https://api.example.com/v1 or a path like /v1, got nothing'],
      [[{ scenario: { pets: new Array(1) } }], 'pets[0] is required'],
      [[{}, { baseUrl: null }], 'baseUrl: expected an address like https://api.example.com/v1 or a path like /v1, got null'],
      [[{}, { baseUrl: 80 }], 'baseUrl: expected an address like https://api.example.com/v1 or a path like /v1, got 80'],
      [
        [{}, { baseUrl: new URL('https://one.test/v1?x') }],
        'baseUrl: expected an address like https://api.example.com/v1 or a path like /v1, got a URL',
      ],
      [
        [{}, { baseUrl: 'https://*.example.com/v1' }],
        'baseUrl: expected an address like https://api.example.com/v1 or a path like /v1, got "https://*.example.com/v1"',
      ],
    ],
    (given: never) => createHandlers(...(given as Parameters<typeof createHandlers>)),
  )
})

describe('createFetch', () => {
  refuses(
    [
      [[undefined], 'createFetch: expected a mock from createMock, got nothing'],
      [[{ pets: [] }], 'createFetch: expected a mock from createMock, got an object'],
      [[createMock(), { base: '/v1' }], 'createFetch: unknown option "base"; the options are baseUrl'],
      [[createMock(), { baseUrl: SPARSE }], 'baseUrl: expected an address like https://api.example.com/v1 or a path like /v1, got nothing'],
      [[createMock(), { baseUrl: [] }], 'baseUrl: the list is empty; leave baseUrl out to match any origin'],
      [
        [createMock(), { baseUrl: 'api.example.com' }],
        'baseUrl: expected an address like https://api.example.com/v1 or a path like /v1, got "api.example.com"',
      ],
    ],
    (given: never) => createFetch(...(given as Parameters<typeof createFetch>)),
  )

  it('says what is wrong with a baseUrl without the version segment', async () => {
    const mock = createMock()
    const response = await createFetch(mock, { baseUrl: 'https://b.test' })('https://b.test/v1/pets', {
      headers: { authorization: 'Bearer k' },
    })
    const message = '/v1 twice; did you mean /v1/pets? A baseUrl must end in /v1'
    expect(await response.json()).toEqual({ code: 'NotFound', message, status: 404 })
    expect(mock.control.requests()[0]?.notes).toEqual([message])
  })
})

describe('control', () => {
  const create = () => createMock({ sandbox: true, pets: animals, now: '2026-11-15', frozen: true })
  const fault = { operation: '*', status: 503 } as const

  /** Each by the way to the method; nothing has changed afterwards, no sandbox has come to be, and nobody was told. */
  const rows: readonly (readonly [path: string, given: readonly unknown[], line: string])[] = [
    ['load', [], 'scenario is required'],
    ['load', [null], 'scenario: expected an object, got null'],
    ['load', [() => ({})], 'scenario: expected an object, got a function'],
    ['load', [new Map()], 'scenario: expected a plain object, got a Map'],
    ['load', [new Date()], 'scenario: expected a plain object, got a Date'],
    ['load', [{ name: Symbol('a') }], 'name: expected a string, got a symbol'],
    ['load', [[]], 'scenario: expected an object, got a list of 0'],
    ['load', [Promise.resolve({})], 'scenario must be an object, got a promise; did you forget await?'],
    [
      'load',
      ['flaky'],
      'scenario must be an object, not a name: pass scenarios["flaky"] from animal-store-mock/scenarios, or await loadScenario("flaky") from animal-store-mock/node',
    ],
    ['load', [{ extends: 'flaky' }], 'extends: resolve it first, with loadScenario() or expandScenario()'],
    [
      'load',
      [
        {
          pets: [
            { ...rex, id: 1 },
            { ...rex, id: 1n },
          ],
        },
      ],
      'pets[1].id: duplicate id 1 (also pets[0])',
    ],
    ['faults.add', [], 'fault is required'],
    ['faults.add', [null], 'fault: expected an object, got null'],
    ['faults.add', [() => 1], 'fault: expected an object, got a function'],
    ['faults.add', [{ operation: '*', status: 503n }], 'fault.status: expected an integer from 400 to 599, got 503n, a bigint'],
    ['faults.add', [{ operation: '*' }], 'fault: expected a status, a delay or drop: true, got none of them'],
    ['faults.add', [{ operation: '*', drop: false }], 'fault: expected a status, a delay or drop: true, got none of them'],
    ['faults.add', [{ ...fault, drop: true }], 'fault: expected a status or drop: true, got both'],
    ['faults.add', [{ operation: '*', drop: true, retryAfter: 1 }], 'fault: expected a status along with retryAfter, got none'],
    ['faults.add', [{ ...fault, drop: 'yes' }], 'fault.drop: expected a boolean, got "yes"'],
    ['faults.add', [{ ...fault, times: -1 }], 'fault.times: expected an integer from 0 to 9007199254740991, got -1'],
    ['faults.add', [{ ...fault, times: 1.5 }], 'fault.times: expected an integer from 0 to 9007199254740991, got 1.5'],
    ['faults.add', [{ ...fault, after: '1' }], 'fault.after: expected an integer from 0 to 9007199254740991, got "1"'],
    ['faults.add', [{ ...fault, retryAfter: 1e21 }], 'fault.retryAfter: expected an integer from 0 to 31536000, got 1e+21'],
    ['faults.add', [{ ...fault, retryAfter: -1 }], 'fault.retryAfter: expected an integer from 0 to 31536000, got -1'],
    ['faults.add', [{ ...fault, id: '' }], expect.stringMatching(/^fault\.id: expected a string/) as never],
    ['faults.add', [{ ...fault, rate: 2 }], 'fault.rate: expected a number from 0 to 1, got 2'],
    ['faults.add', [{ ...fault, code: 5 }], expect.stringMatching(/^fault\.code: unknown field; expected operation, status, /) as never],
    ['faults.remove', [1], 'id: expected a string, got 1'],
    ['faults.remove', [() => 1], 'id: expected a string, got a function'],
    ['pets.add', [], 'pet is required'],
    ['pets.add', ['Rex'], 'pet: expected an object, got "Rex"'],
    ['pets.add', [new Map()], 'pet: expected a plain object, got a Map'],
    ['pets.add', [Promise.resolve(rex)], 'pet: expected a plain object, got a promise; did you forget await?'],
    ['pets.add', [{ name: 'Pip' }], 'pet.categoryId is required'],
    ['pets.add', [{ ...rex, id: 2 ** 53 }], expect.stringMatching(/^pet\.id: .*; write a number this large as a bigint$/) as never],
    ['pets.add', [rex], 'pet.id: 1 is already in use'],
    ['pets.add', [{ ...rex, id: 1n }], 'pet.id: 1 is already in use'],
    ['pets.update', [], 'id is required'],
    ['pets.update', ['1', {}], 'id: expected a 64-bit integer, got "1"'],
    ['pets.update', [{ id: 1, status: 'sold' }], 'id: expected a 64-bit integer, got an object'],
    ['pets.update', [1], 'changes is required'],
    ['pets.update', [1, 'sold'], 'changes: expected an object, got "sold"'],
    ['pets.update', [1, { status: 'gone' }], 'changes.status: expected available, pending or sold, got "gone"'],
    ['pets.update', [1, { categoryId: null }], 'changes.categoryId: expected a 64-bit integer, got null'],
    ['pets.update', [1, { constructor: null }], 'changes.constructor: unknown field; expected name, categoryId or status'],
    ['pets.update', [99, { status: 'sold' }], 'Animal 99 not found'],
    ['pets.remove', ['1'], 'id: expected a 64-bit integer, got "1"'],
    ['pets.get', [{}], 'id: expected a 64-bit integer, got an object'],
    ['pets.list', ['sold'], 'filter: expected an object, got "sold"'],
    ['pets.list', [{ limit: 1_001 }], 'filter.limit: expected an integer from 0 to 1000, got 1001'],
    ['requests', [() => true], 'filter: expected an object, got a function'],
    ['requests', [new Map()], 'filter: expected a plain object, got a Map'],
    ['requests', [null], 'filter: expected an object, got null'],
    ['requests', ['createPet'], 'filter: expected an object, got "createPet"'],
    ['requests', [{ operationId: 'createPet' }], 'filter.operationId: unknown field; expected operation, status, method, limit or sandbox'],
    ['requests', [{ operation: 'addPet' }], 'filter.operation: expected listPets, createPet or getPet, got "addPet"'],
    ['requests', [{ limit: -1 }], 'filter.limit: expected an integer of at least 0, got -1'],
    ['requests', [{ limit: Number.NaN }], 'filter.limit: expected an integer of at least 0, got NaN'],
    ['latency.set', [], 'latency is required'],
    ['latency.set', ['200'], 'latency: expected an integer from 0 to 60000 or a list of the shortest and the longest, got "200"'],
    ['latency.set', [60_001], 'latency: expected an integer from 0 to 60000 or a list of the shortest and the longest, got 60001'],
    ['latency.set', [[800, 200]], 'latency: expected the shorter time first, got 800, 200'],
    ['clock.set', [], 'now is required'],
    ['clock.advance', [], 'advance is required'],
    ['clock.set', [new Date(0)], 'now: expected a string, got a Date'],
    ['clock.set', [() => 1], 'now: expected a string, got a function'],
    ['load', [{ pets: new Array(1) }], 'pets[0] is required'],
    ['clock.set', ['tomorrow'], expect.stringMatching(/^now: expected a date .*, got "tomorrow"$/) as never],
    ['clock.set', ['2030-12-06', { freeze: true }], 'options.freeze: unknown field; expected frozen'],
    ['clock.set', ['2030-12-06', true], 'options: expected an object, got true'],
    ['clock.advance', [86_400_000], 'advance: expected a string, got 86400000'],
    ['clock.advance', ['1 day'], 'advance: expected an ISO 8601 duration like P1D or PT30M, got "1 day"'],
    ['clock.advance', ['P9000Y'], expect.stringMatching(/^clock: expected .* from 1970 to 9999$/) as never],
    ['clock.freeze', ['yes'], 'frozen: expected a boolean, got "yes"'],
    ['assume', [], 'assume is required'],
    ['assume', [() => 1], 'assume: expected an object, got a function'],
    ['assume', [new Map()], 'assume: expected a plain object, got a Map'],
    ['assume', [null], 'assume: expected an object, got null'],
    ['assume', [{ 'list-order': 'random' }], 'assume.list-order: expected oldest-first or newest-first, got "random"'],
  ]

  it.each(rows.map(([path, given, line]) => ({ path, given, line })))('$path: $line', ({ path, given, line }) => {
    const { control } = create()
    const world = control.sandbox('never-seen') as unknown as Record<string, unknown>
    const before = control.state()
    const heard: unknown[] = []
    control.subscribe((event) => heard.push(event))
    const method = path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], world)
    expect(linesOf(() => (method as (...args: readonly unknown[]) => unknown)(...given))).toEqual([line])
    expect([control.state(), control.sandboxes(), heard]).toEqual([before, [], []])
  })

  it.each<[given: unknown, line: string]>([
    [undefined, 'sandbox is required'],
    ['two words', 'sandbox: expected a bearer token (RFC 6750)'],
    [5, 'sandbox: expected a bearer token (RFC 6750), got 5'],
    [() => 'k', 'sandbox: expected a bearer token (RFC 6750), got a function'],
  ])('sandbox(%j): %s', (key, line) => {
    expect(linesOf(() => create().control.sandbox(key as string))).toEqual([line])
  })

  it('takes a function to subscribe, and nothing else', () => {
    expect(linesOf(() => create().control.subscribe({} as never))).toEqual(['subscribe: expected a function, got an object'])
    expect(linesOf(() => create().control.removeSandbox(1 as never))).toEqual(['sandbox: expected a string, got 1'])
  })

  it('keeps the id of a fault, and refuses one that is taken by its name', () => {
    const { control } = create()
    expect(control.faults.add({ ...fault, id: 'outage' })).toEqual({ ...fault, id: 'outage', seen: 0, applied: 0 })
    expect(linesOf(() => control.faults.add({ ...fault, id: 'outage' }))).toEqual(['fault.id: "outage" is already in use'])
    expect(control.faults.list()).toHaveLength(1)
    expect([control.faults.remove('outage'), control.faults.list()]).toEqual([true, []])
  })

  it('does not make a sandbox for a fault that is not there to be removed', () => {
    const { control } = create()
    expect([control.sandbox('never-seen').faults.remove('1'), control.sandboxes()]).toEqual([false, []])
  })

  it('evicts no sandbox for a call that is refused', () => {
    const { control } = create()
    for (let index = 0; index < 256; index++) control.sandbox(`k${index}`).reset()
    const before = control.sandboxes()
    expect(() => control.sandbox('one-more').clock.set('never')).toThrow(UsageError)
    expect(control.sandboxes()).toEqual(before)
  })

  it('sets and freezes the clock in one step', () => {
    const { control } = createMock()
    control.clock.set('2030-12-06', { frozen: true })
    expect(control.clock.get()).toEqual({ now: '2030-12-06T00:00:00.000Z', frozen: true })
    control.clock.advance('P1D', { frozen: false })
    expect(control.clock.get().frozen).toBe(false)
  })

  it('finds requests by method in any case', () => {
    const mock = create()
    mock.answer({ method: 'GET', target: '/v1/pets', header: () => undefined })
    expect(mock.control.requests({ method: 'get' })).toEqual(mock.control.requests())
  })
})

describe('answer', () => {
  const header = () => undefined
  refuses(
    [
      [undefined, 'answer: method must be a string, got nothing'],
      [new Request('http://any.test/v1/pets'), 'answer: target must be a path with query, got nothing'],
      [{ method: 'GET' }, 'answer: target must be a path with query, got nothing'],
      [
        { method: 'GET', target: '/v1/pets', header: {} },
        'answer: header must be a function from a lower-case name to a value, got an object',
      ],
      [{ method: 'POST', target: '/v1/pets', header, body: '{}' }, 'answer: body must be a Uint8Array, got "{}"'],
      [{ method: 'POST', target: '/v1/pets', header, body: new ArrayBuffer(2) }, 'answer: body must be a Uint8Array, got an ArrayBuffer'],
    ],
    (call: never) => createMock().answer(call),
  )

  it('hands out nothing that leads into the journal', () => {
    const mock = createMock({ pets: [rex] })
    const reply = mock.answer({ method: 'GET', target: '/v1/pets', header: () => 'Bearer k' })
    Object.assign(reply.headers, { 'Content-Type': 'changed' })
    const [entry] = mock.control.requests()
    expect(entry?.response.headers['Content-Type']).toBe('application/json')
    Object.assign(entry?.response.headers ?? {}, { 'Content-Type': 'changed' })
    expect(mock.control.requests()[0]?.response.headers['Content-Type']).toBe('application/json')
  })
})

describe('serve', () => {
  it.each<[given: readonly unknown[], line: string]>([
    [[], 'serve: expected a mock from createMock, got nothing'],
    [[{ port: 0 }], 'serve: expected a mock from createMock, got an object'],
    [[{ control: {}, answer() {} }], 'serve: expected a mock from createMock, got an object'],
    [[createMock(), null], 'serve: options must be an object, got null'],
    [[createMock(), 7387], 'serve: options must be an object, got 7387'],
    [[createMock(), { prot: 7387 }], 'serve: unknown option "prot"; the options are port, host, allowedHosts, control and controlToken'],
    [[createMock(), { allowedHost: ['x'] }], 'serve: unknown option "allowedHost"; did you mean allowedHosts?'],
    [[createMock(), { port: '80' }], 'serve: port must be an integer from 0 to 65535, got "80"'],
    [[createMock(), { port: -1 }], 'serve: port must be an integer from 0 to 65535, got -1'],
    [[createMock(), { port: 65_536 }], 'serve: port must be an integer from 0 to 65535, got 65536'],
    [[createMock(), { host: '' }], 'serve: host must be an address such as "127.0.0.1", got ""'],
    [[createMock(), { host: 5 }], 'serve: host must be an address such as "127.0.0.1", got 5'],
    [
      [createMock(), { allowedHosts: 'mock.test' }],
      'serve: allowedHosts must be a list of host names, without scheme and port, got "mock.test"',
    ],
    [
      [createMock(), { allowedHosts: ['a b'] }],
      'serve: allowedHosts must be a list of host names, without scheme and port, got a list of 1',
    ],
    [[createMock(), { allowedHosts: [7] }], 'serve: allowedHosts must be a list of host names, without scheme and port, got a list of 1'],
    [
      [createMock(), { allowedHosts: SPARSE }],
      'serve: allowedHosts must be a list of host names, without scheme and port, got a list of 2',
    ],
    [[createMock(), { control: 'no' }], 'serve: control must be true or false, got "no"'],
    [[createMock(), { controlToken: 's3cret' }], 'controlToken: expected at least 16 characters, got 6'],
  ])('%#: %s', async (given, line) => {
    const error = await serve(...(given as Parameters<typeof serve>)).catch((reason: unknown) => reason)
    expect(error).toEqual(new UsageError(line))
  })
})

describe('generatePets', () => {
  refuses(
    [
      [undefined, 'generatePets: options must be an object such as { count: 20, seed: 7 }, got nothing'],
      [null, 'generatePets: options must be an object such as { count: 20, seed: 7 }, got null'],
      [20, 'generatePets: options must be an object such as { count: 20, seed: 7 }, got 20'],
      [new Map(), 'generatePets: options must be an object such as { count: 20, seed: 7 }, got a Map'],
      [{ count: () => 1 }, 'count: expected an integer from 0 to 10000000, got a function'],
      [
        { count: 1, firstId: 2 ** 60 },
        'firstId: expected a 64-bit integer, got 1152921504606847000; write a number this large as a bigint',
      ],
      [{}, 'count is required'],
      [Object.create({ count: 1 }), 'count is required'],
      [{ count: 1, sead: 7 }, 'sead: unknown field; expected count, seed, status or firstId'],
      [{ count: '1' }, 'count: expected an integer from 0 to 10000000, got "1"'],
      [{ count: 10_000_001 }, 'count: expected an integer from 0 to 10000000, got 10000001'],
      [{ count: 1, status: { sold: 1e308 } }, 'status.sold: expected a number from 0 to 1000000000, got 1e+308'],
    ],
    generatePets,
  )
})

describe('loadScenario and expandScenario', () => {
  const names = Object.keys(scenarios)
    .join(', ')
    .replace(/, ([^,]+)$/, ' or $1')

  it.each([
    [undefined, 'nothing'],
    [5, '5'],
    ['nope', '"nope"'],
    ['', '""'],
    [() => 1, 'a function'],
    [Symbol('a'), 'a symbol'],
    [new URL('file:///tmp/x.yaml'), 'a URL'],
  ])('loadScenario(%o) names what there is', async (given, got) => {
    const error = await loadScenario(given as string).catch((reason: unknown) => reason)
    expect(error).toEqual(new UsageError(`scenario: expected ${names}, or a file, got ${got}`))
  })

  refuses(
    [
      [undefined, 'scenario is required'],
      [
        'default',
        'scenario must be an object, not a name: pass scenarios["default"] from animal-store-mock/scenarios, or await loadScenario("default") from animal-store-mock/node',
      ],
      [Promise.resolve({}), 'scenario must be an object, got a promise; did you forget await?'],
      [() => 1, 'scenario: expected an object, got a function'],
      [{ generate: { count: -1 } }, 'generate.count: expected an integer from 0 to 10000000, got -1'],
    ],
    expandScenario,
  )

  describe('with a parent', () => {
    const extending = { extends: 'x' }
    refuses(
      [
        [[extending, Promise.resolve({})], 'parent must be an object, got a promise; did you forget await?'],
        [
          [extending, 'default'],
          'parent must be an object, not a name: pass scenarios["default"] from animal-store-mock/scenarios, or await loadScenario("default") from animal-store-mock/node',
        ],
        [[extending, 5], 'parent: expected an object, got 5'],
        [[extending, []], 'parent: expected an object, got a list of 0'],
        [[extending, null], 'parent: expected an object, got null'],
        [[extending, { pets: [{ ...rex, id: 'a' }] }], 'parent.pets[0].id: expected a 64-bit integer, got "a"'],
        [[extending, { generate: { count: 2 } }], 'parent.generate: resolve it first, with loadScenario() or expandScenario()'],
        [[extending, { [Symbol.iterator]: 1, sold: {} }], expect.stringMatching(/^parent\.sold: unknown field; expected /) as never],
        [[{}, scenarios.default], 'extends: a parent was passed, but the document does not say that it extends one'],
      ],
      (given: never) => expandScenario(...(given as Parameters<typeof expandScenario>)),
    )
  })
})

describe('mockStore', () => {
  refuses(
    [
      [null, 'mockStore: options must be an object, got null'],
      ['https://a.example/v1', 'mockStore: options must be an object, got "https://a.example/v1"'],
      [{ base_url: 1 }, 'mockStore: unknown option "base_url"; did you mean baseUrl?'],
      [{ nextId: 5 }, 'mockStore: unknown option "nextId"; it belongs in a scenario: mockStore({ scenario: { … } })'],
      [{ baseUrl: 'a' }, 'baseUrl: expected an address like https://api.example.com/v1 or a path like /v1, got "a"'],
      [{ intercept: 'xhr' }, 'mockStore: intercept must be "msw" or "fetch", got "xhr"'],
      [{ timeout: '1s' }, 'mockStore: timeout must be an integer from 0 to 60000, got "1s"'],
      [{ failOn: 'deprecated' }, 'mockStore: failOn must be a list of unknown-path, deprecated or bad-request, got "deprecated"'],
      [{ failOn: SPARSE }, 'mockStore: failOn must be a list of unknown-path, deprecated or bad-request, got a list of 2'],
      [{ failOn: ['slow'] }, 'mockStore: failOn must be a list of unknown-path, deprecated or bad-request, got a list of 1'],
      [{ journal: { entries: 0 } }, 'mockStore: journal.entries must be at least 1, since matchers read the journal'],
      [{ pets: [{ ...rex, id: 'a' }] }, 'pets[0].id: expected a 64-bit integer, got "a"'],
    ],
    mockStore,
  )
})

describe('withStore', () => {
  refuses(
    [
      [{ url: 'localhost' }, 'withStore: url must be a string such as "http://127.0.0.1:7387/v1", got "localhost"'],
      [{ token: 'x' }, expect.stringMatching(/^withStore: unknown option "token"; the options are /) as never],
    ],
    (given: never) => withStore({} as never, given),
  )
})

describe('storeLoader', () => {
  refuses(
    [
      [{ worker: {} }, "storeLoader: worker must be a worker from MSW's setupWorker, got an object"],
      [{ intercept: true }, 'storeLoader: intercept must be "msw" or "fetch", got true'],
      [{ scenario: {} }, 'storeLoader: unknown option "scenario"; the options are baseUrl, intercept and worker'],
    ],
    storeLoader,
  )

  it('names what is wrong with the parameters of a story', async () => {
    const load = (store: unknown) => storeLoader({ intercept: 'fetch' })({ id: 'a', parameters: { store } })
    await expect(load({ fault: [] })).rejects.toThrow('parameters.store: unknown option "fault"; did you mean faults?')
    await expect(load('empty')).rejects.toThrow('parameters.store: options must be an object, got "empty"')
  })
})

describe('values of other kinds', () => {
  const fault = { operation: '*', delay: [1, 2] } as const
  const wrap = <T extends object>(value: T): T => new Proxy(value, {})

  it('a Proxy is taken for what it stands for', () => {
    const { control } = createMock({ pets: wrap([wrap({ ...rex })]), faults: wrap([wrap({ ...fault, delay: wrap([1, 2] as const) })]) })
    control.faults.add(wrap({ ...fault, delay: wrap([1, 2] as const) }))
    expect(control.state().pets).toEqual([rex])
    expect(control.faults.list()).toEqual(['1', '2'].map((id) => ({ ...fault, id, seen: 0, applied: 0 })))
    control.load(wrap({ pets: wrap([wrap({ ...rex })]), apiKeys: wrap(['k']) }))
    expect(control.state()).toMatchObject({ pets: [rex], apiKeys: ['k'] })
  })

  it('objects of another realm and without a prototype are plain', () => {
    const scenario = runInNewContext('({ pets: [pet], assume: { "list-order": "newest-first" } })', { pet: { __proto__: null, ...rex } })
    const { control } = createMock(Object.assign(runInNewContext('({})'), { scenario }))
    expect(control.state()).toMatchObject({ pets: [rex], assume: { 'list-order': 'newest-first' } })
  })

  it('fields that are inherited are not there', () => {
    const { control } = createMock()
    expect(control.faults.add(Object.assign(Object.create({ id: 'inherited', seen: 5 }), fault))).toEqual({
      ...fault,
      id: '1',
      seen: 0,
      applied: 0,
    })
    control.load(Object.create({ pets: [rex], apiKeys: ['inherited'], now: '2030-12-06' }))
    const { assume, ...state } = control.state()
    expect([state, assume?.['valid-keys']]).toEqual([{ name: 'unnamed', pets: [], nextId: 1, faults: [], random: 0 }, 'any'])
  })
})

describe('the shipped scenarios', () => {
  it('are frozen all the way down, so that no test changes the mocks of another', () => {
    const findThawed = (value: unknown, path: string): string[] =>
      typeof value !== 'object' || value === null
        ? []
        : [
            ...(Object.isFrozen(value) ? [] : [path]),
            ...Object.entries(value).flatMap(([name, item]) => findThawed(item, `${path}.${name}`)),
          ]
    expect(findThawed(scenarios, 'scenarios')).toEqual([])
    expect(() => {
      // @ts-expect-error: and typed so
      for (const pet of scenarios.default.pets ?? []) pet.name = 'Changed'
    }).toThrow(TypeError)
    expect(createMock().control.state().pets).toEqual(scenarios.default.pets)
  })

  it.each(Object.entries(scenarios))('%s is a starting point like any other value', (_, scenario) => {
    const { control } = createMock({ scenario })
    control.load({ ...scenario, now: '2030-12-06' })
    expect(control.state().pets).toEqual(scenario.pets ?? [])
  })
})

describe('the options of every door', () => {
  const OPTIONS = [
    ['../../src/mock/mock-options.ts', 'MockOptions'],
    ['../../src/mock/fetch.ts', 'FetchOptions'],
    ['../../src/hosts/msw.ts', 'HandlerOptions'],
    ['../../src/kits/kit-options.ts', 'StoreOptions'],
    ['../../src/kits/kit-options.ts', 'ReportOptions'],
    ['../../src/kits/playwright.ts', 'WithStoreOptions'],
    ['../../src/kits/storybook.ts', 'StoreLoaderOptions'],
    ['../../src/hosts/node/serve.ts', 'ServeOptions'],
    ['../../src/generate/settings.ts', 'GenerateSettings'],
    ['../../src/generate/generate-pets.ts', 'GenerateOptions'],
    ['../../src/control/control.ts', 'ClockOptions'],
    ['../../src/world/situation.ts', 'Scenario'],
    ['../../src/world/faults.ts', 'Fault'],
    ['../../src/world/journal-entry.ts', 'JournalFilter'],
  ] as const

  it.each(OPTIONS)('%s: each field of %s has a doc comment', (file, name) => {
    const source = readFileSync(new URL(file, import.meta.url), 'utf8')
    const body = new RegExp(`export interface ${name}\\b[^{]*\\{\\n(.*?)\\n\\}`, 's').exec(source)?.[1] ?? ''
    const lines = body.split('\n')
    const fields = lines.flatMap((line, index) => (/^ {2}readonly \w+\??:/.test(line) ? [[line.trim(), lines[index - 1] ?? '']] : []))
    expect(fields.length).toBeGreaterThan(0)
    expect(fields.filter(([, above]) => !above?.trim().endsWith('*/')).map(([field]) => field)).toEqual([])
  })
})
