// Every public door with what it should not be given: one line says what is wrong and what was meant, and nothing has happened.
import { describe, expect, it } from 'vitest'
import { createHandlers } from '../src/hosts/msw.ts'
import { createFetch, createMock, type MockOptions, UsageError } from '../src/index.ts'
import { scenarios } from '../src/scenarios.ts'
import { animals, rex } from './support/animals.ts'

/** What is given, and the one line that comes back. */
type Row = readonly [given: unknown, line: string]

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

describe('createMock', () => {
  refuses(
    [
      [null, 'createMock: options must be an object, got null'],
      ['default', 'createMock: options must be an object, got "default"'],
      [[], 'createMock: options must be an object, got a list of 0'],
      [() => {}, 'createMock: options must be an object, got a function'],
      [Promise.resolve({}), 'createMock: options must be an object, got a promise; did you forget await?'],
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
      [{ scenario: 5 }, 'createMock: scenario must be a scenario, got 5'],
      [{ scenario: null }, 'createMock: scenario must be a scenario, got null'],
      [{ scenario: [] }, 'createMock: scenario must be a scenario, got a list of 0'],
      [{ scenario: Promise.resolve({}) }, 'createMock: scenario must be a scenario, got a promise; did you forget await?'],
      [
        { scenario: 'sold-out' },
        'createMock: scenario must be a scenario, not its name; write scenario: scenarios["sold-out"], from animal-store-mock/scenarios',
      ],
      [
        { scenario: './zoo.yaml' },
        'createMock: scenario must be a scenario, not a file name; write scenario: await loadScenario("./zoo.yaml"), from animal-store-mock/node',
      ],
      [
        { scenario: { extends: 'default' } },
        'createMock: scenario still has extends; resolve it with expandScenario from animal-store-mock/generate, or loadScenario from animal-store-mock/node',
      ],
      [
        { scenario: { generate: { count: 1 } } },
        'createMock: scenario still has generate; resolve it with expandScenario from animal-store-mock/generate, or loadScenario from animal-store-mock/node',
      ],
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
        (entries): Row => [{ journal: { entries } }, `createMock: journal: entries must be an integer from 0 to 100000, got ${entries}`],
      ),
      [{ journal: { entries: '5' } }, 'createMock: journal: entries must be an integer from 0 to 100000, got "5"'],
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
    expect(createMock(inherited).control.summary().pets).toBe(50)
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
      [[null], 'createMock: options must be an object, got null'],
      [
        [{ baseUrl: 'https://api.example.com/v1' }],
        'createHandlers: baseUrl belongs in the second argument; write createHandlers({}, { baseUrl })',
      ],
      [[{ apikeys: [] }], 'createMock: unknown option "apikeys"; did you mean apiKeys?'],
      [[{}, null], 'createHandlers: options must be an object, got null'],
      [[{}, 'https://api.example.com/v1'], 'createHandlers: options must be an object, got "https://api.example.com/v1"'],
      [[{}, { baseURL: '/v1' }], 'createHandlers: unknown option "baseURL"; did you mean baseUrl?'],
      [[{}, { baseUrl: [] }], 'baseUrl: the list is empty; leave baseUrl out to match any origin'],
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
      [[createMock(), { baseUrl: [] }], 'baseUrl: the list is empty; leave baseUrl out to match any origin'],
      [
        [createMock(), { baseUrl: 'api.example.com' }],
        'baseUrl: expected an address like https://api.example.com/v1 or a path like /v1, got "api.example.com"',
      ],
    ],
    (given: never) => createFetch(...(given as Parameters<typeof createFetch>)),
  )
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
