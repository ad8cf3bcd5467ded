// Values that tests hand in and get out: nothing is kept or given away by reference. What is
// refused is in wrong-calls.txt.
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createMock, type MockOptions } from '../../src/index.ts'
import { scenarios } from '../../src/scenario/shipped.ts'
import { animals, rex } from '../support/animals.ts'

describe('createMock', () => {
  it('ignores fields that are inherited or undefined', () => {
    const inherited = Object.create({ sandbox: true, pets: 'no list', nonsense: 1 })
    expect(createMock(inherited).control.summary().pets).toBe(18)
    const options = {
      pets: undefined,
      apiKeys: undefined,
      assume: undefined,
      requestLog: undefined,
      corsOrigins: undefined,
    }
    expect(createMock(options as unknown as MockOptions).control.state()).toEqual(
      createMock().control.state(),
    )
    expect(
      createMock({ scenario: Object.create({ pets: [rex], name: 'inherited' }) }).control.summary(),
    ).toMatchObject({ pets: 0 })
  })

  it('keeps its surprises if a load says nothing about them, and ends them if it says false', () => {
    const { control } = createMock({ surprise: { seed: 7 } })
    control.load({ surprise: undefined } as never)
    expect(control.state().surprise).toEqual({ seed: 7 })
    control.load({ surprise: false })
    expect(control.state().surprise).toBeUndefined()
  })

  it('reads each option once, so that a Proxy cannot give another value later', () => {
    const reads: string[] = []
    const target = { sandbox: true, pets: animals, corsOrigins: ['https://app.test'] }
    const proxy = new Proxy(target, {
      get(from, name) {
        reads.push(String(name))
        return Reflect.get(from, name)
      },
    })
    expect(createMock(proxy).control.state().pets).toEqual(animals)
    expect(reads.filter((name) => name in target).sort()).toEqual([
      'corsOrigins',
      'pets',
      'sandbox',
    ])
  })

  it('copies its options, so that later changes to them have no effect', () => {
    const corsOrigins = ['https://app.test']
    const apiKeys = ['one']
    const pets = [{ ...rex }]
    const mock = createMock({ corsOrigins, apiKeys, pets })
    corsOrigins[0] = 'https://evil.test'
    apiKeys[0] = 'two'
    pets[0] = { ...rex, name: 'Changed' }
    const headers = { origin: 'https://app.test', authorization: 'Bearer one' }
    const reply = mock.answer({ method: 'GET', target: '/v1/pets', headers })
    expect([reply.body, reply.headers['Access-Control-Allow-Origin']]).toEqual([
      JSON.stringify([rex]),
      'https://app.test',
    ])
  })

  it('lets options override the scenario: apiKeys replace its valid keys, and faults come before its faults', () => {
    const scenario = createMock({
      pets: [],
      faults: [{ operation: '*', status: 500 }],
    }).control.state()
    const mock = createMock({
      scenario,
      apiKeys: ['only'],
      faults: [{ operation: '*', status: 503 }],
    })
    const ask = (key: string) =>
      mock.answer({
        method: 'GET',
        target: '/v1/pets',
        headers: { authorization: `Bearer ${key}` },
      }).status
    expect([ask('other'), ask('only')]).toEqual([401, 503])
    expect(mock.control.faults.list().map(({ status }) => status)).toEqual([503, 500])
    const other = createMock({ scenario, faults: [{ operation: '*', status: 503, id: '1' }] })
    expect(other.control.faults.list().map(({ status }) => status)).toEqual([503])
    const open = createMock({ scenario, apiKeys: ['only'], assume: { 'valid-keys': 'any' } })
    expect(open.control.state().assume?.['valid-keys']).toBe('any')
  })
})

describe('answer', () => {
  it('returns objects whose changes do not reach the request log', () => {
    const mock = createMock({ pets: [rex] })
    const reply = mock.answer({
      method: 'GET',
      target: '/v1/pets',
      headers: { authorization: 'Bearer k' },
    })
    Object.assign(reply.headers, { 'Content-Type': 'changed' })
    const [row] = mock.control.requests()
    expect(row?.response.headers['Content-Type']).toBe('application/json')
    Reflect.set(row?.response.headers ?? {}, 'Content-Type', 'changed')
    expect(mock.control.requests()[0]?.response.headers['Content-Type']).toBe('application/json')
  })
})

describe('a mock', () => {
  const fault = { operation: '*', delay: [1, 2] } as const
  const wrap = <T extends object>(value: T): T => new Proxy(value, {})

  it('takes a Proxy for the object behind it', () => {
    const { control } = createMock({
      pets: wrap([wrap({ ...rex })]),
      faults: wrap([wrap({ ...fault, delay: wrap([1, 2] as const) })]),
    })
    control.faults.add(wrap({ ...fault, delay: wrap([1, 2] as const) }))
    expect(control.state().pets).toEqual([rex])
    expect(control.faults.list()).toEqual(
      ['1', '2'].map((id) => ({ ...fault, id, seen: 0, applied: 0 })),
    )
    control.load(wrap({ pets: wrap([wrap({ ...rex })]), apiKeys: wrap(['k']) }))
    expect(control.state()).toMatchObject({ pets: [rex], apiKeys: ['k'] })
  })

  it('takes objects of another realm and without a prototype', () => {
    const scenario = runInNewContext(
      '({ pets: [pet], assume: { "list-order": "newest-first" } })',
      { pet: { __proto__: null, ...rex } },
    )
    const { control } = createMock(Object.assign(runInNewContext('({})'), { scenario }))
    expect(control.state()).toMatchObject({ pets: [rex], assume: { 'list-order': 'newest-first' } })
  })

  it('ignores inherited fields of faults and scenarios', () => {
    const { control } = createMock()
    expect(
      control.faults.add(Object.assign(Object.create({ id: 'inherited', seen: 5 }), fault)),
    ).toEqual({
      ...fault,
      id: '1',
      seen: 0,
      applied: 0,
    })
    control.load(Object.create({ pets: [rex], apiKeys: ['inherited'], now: '2030-12-06' }))
    expect(control.state()).toEqual({ name: 'unnamed', pets: [] })
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
})
