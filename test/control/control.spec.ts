import { describe, expect, it } from 'vitest'
import { parseJson, toJson } from '../../src/contract/int64-json.ts'
import { createMock, type Scenario } from '../../src/index.ts'
import { animals, rex } from '../support/animals.ts'
import { onEveryHost } from '../support/hosts.ts'

describe('reset, load and state', () => {
  onEveryHost((start) => {
    it('resets animals, ids, clock, faults, choices and the journal', async () => {
      const api = await start({
        pets: animals,
        now: '2026-11-15',
        frozen: true,
        faults: [{ operation: 'createPet', status: 503, after: 1 }],
      })
      const { control } = api.mock
      const before = control.state()
      await api.create({ name: 'Pip', categoryId: 1 })
      await api.create({ name: 'Pip', categoryId: 1 })
      control.clock.advance('P1Y')
      control.faults.add({ operation: '*', drop: true })
      control.assume({ 'list-order': 'newest-first' })
      expect(control.state()).not.toEqual(before)
      control.reset()
      expect(control.state()).toEqual(before)
      expect(control.requests()).toEqual([])
      expect((await api.create({ name: 'Pip', categoryId: 1 })).json).toMatchObject({ id: 5 })
    })

    it('loads its own state back into the same world, in the middle of a run', async () => {
      const options = {
        pets: [{ id: 9223372036854775000n, name: 'Big', categoryId: -9223372036854775808n }],
        now: '2026-11-15',
        frozen: true,
        faults: [{ operation: '*' as const, status: 503, rate: 0.5, times: 9 }],
      }
      const api = await start(options)
      const run = async (count: number) => {
        const seen = []
        for (let index = 0; index < count; index++) seen.push((await api.create({ name: 'Pip', categoryId: 1 })).text)
        return seen
      }
      await run(6)
      const state = api.mock.control.state()
      const onward = await run(20)
      api.mock.control.load(state)
      expect(api.mock.control.state()).toEqual(state)
      expect(await run(20)).toEqual(onward)
    })

    it('loads a world back whose last id was given out and removed, which gives it out no more', async () => {
      const api = await start({ scenario: { nextId: 9223372036854775807n } })
      const create = async () => (await api.create({ name: 'Pip', categoryId: 1 })).status
      expect(await create()).toBe(201)
      api.mock.control.pets.remove(9223372036854775807n)
      const state = api.mock.control.state()
      expect(state.nextId).toBe(9223372036854775808n)
      for (const saved of [state, parseJson(toJson(state)) as never]) {
        api.mock.control.load(saved)
        expect([api.mock.control.state(), await create()]).toEqual([state, 507])
      }
      expect(() => api.mock.control.load({ nextId: 9223372036854775809n })).toThrow(
        'nextId: expected a 64-bit integer, got 9223372036854775809',
      )
    })

    it('changes nothing if a scenario is not valid, and names every problem', async () => {
      const api = await start({ pets: animals })
      const before = api.mock.control.state()
      const bad = {
        pets: [rex, { ...rex, status: 'gone' }, { id: 3 }],
        faults: [{ operation: 'petList' }],
        assume: { paging: 'cursor' },
        colour: 'red',
      } as unknown as Scenario
      expect(() => api.mock.control.load(bad)).toThrowError(
        [
          'pets[1].status: expected available, pending or sold, got "gone"',
          'pets[2].name is required',
          'pets[2].categoryId is required',
          'assume.paging: expected none, got "cursor"',
          'faults[0].operation: expected listPets, createPet, getPet or *, got "petList"',
        ].join('\n'),
      )
      expect(api.mock.control.state()).toEqual(before)
    })
  })
})

describe('what only the whole scenario can show', () => {
  it.each<[Scenario, string]>([
    [{ pets: [rex, { ...rex, name: 'Twin' }] }, 'pets[1].id: duplicate id 1 (also pets[0])'],
    [{ pets: [rex], nextId: 1 }, 'nextId: expected an id above all others (pets[0] has 1), got 1'],
    [{ now: '2026-02-30' }, 'now: expected a date from 1970 to 9999, like 2030-12-06 or 2030-12-06T08:30:00Z, got "2026-02-30"'],
    [{ now: '1969-12-31' }, 'now: expected a date from 1970 to 9999, like 2030-12-06 or 2030-12-06T08:30:00Z, got "1969-12-31"'],
    [{ faults: [{ operation: '*' }] }, 'faults[0]: expected a status, a delay or drop: true, got none of them'],
    [{ faults: [{ operation: '*', status: 500, drop: true }] }, 'faults[0]: expected a status or drop: true, got both'],
    [{ faults: [{ operation: '*', delay: [9, 1] }] }, 'faults[0].delay: expected the shorter time first, got 9, 1'],
    [{ apiKeys: ['two words'] }, 'apiKeys[0]: expected a bearer token (RFC 6750)'],
    [{ apiKeys: [] }, 'apiKeys: expected a list from 1 to 10000 items, got a list of 0'],
  ])('%j is refused', (scenario, message) => {
    expect(() => createMock({ scenario })).toThrowError(message)
  })
})

describe('two mocks in one process', () => {
  it('share nothing', async () => {
    const [one, two] = [createMock({ pets: animals }), createMock({ pets: animals })]
    const header = (name: string) => ({ authorization: 'Bearer k', 'content-type': 'application/json' })[name]
    one.answer({ method: 'POST', target: '/v1/pets', header, body: new TextEncoder().encode('{"name":"Pip","categoryId":1}') })
    one.control.faults.add({ operation: '*', status: 503 })
    expect(one.control.state().pets).toHaveLength(5)
    expect(two.control.state().pets).toHaveLength(4)
    expect(two.answer({ method: 'GET', target: '/v1/pets', header }).status).toBe(200)
    expect(two.control.requests()).toHaveLength(1)
  })
})
