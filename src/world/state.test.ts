import { describe, expect, it } from 'vitest'
import { still } from '../../test/support/log-rows.ts'
import { parseScenario } from '../../test/support/parse-scenario.ts'
import { UsageError } from '../contract/errors.ts'
import type { Pet } from '../contract/generated/contract.ts'
import { NO_ID_LEFT, normalizeInt64, parseJson, toJson } from '../contract/int64-json.ts'
import { toPetText } from '../contract/pet.ts'
import { checkScenario } from '../scenario/check-scenario.ts'
import { findPetText } from './catalogue.ts'
import { setClock, shiftClock } from './clock.ts'
import type { SeenCall } from './fault-condition.ts'
import { strikeWith } from './faults.ts'
import {
  describeState,
  printOrigin,
  printScenario,
  resumeState,
  saveState,
  toScenario,
} from './saved-state.ts'
import type { ReadScenario, Scenario } from './scenario.ts'
import { sliceList } from './sorted.ts'
import { addPet, beginState, countCall, type State, setPetText } from './state.ts'

const GET_CALL: SeenCall = {
  operation: 'getPet',
  petId: undefined,
  apiKey: undefined,
  readSent: () => ({ query: {}, headers: {}, body: undefined }),
}

const pet = (id: number | bigint): Pet => ({ id, name: 'Rex', categoryId: 1 })
const start = (scenario: Scenario = {}) => beginState(parseScenario(scenario), still)
const add = (state: State) => addPet(state, { name: 'Rex', categoryId: 1, status: 'sold' }).state
const read = (text: string) => parseScenario(parseJson(text) as Scenario)
const calibrated = { on: '2030-12-06', against: 'https://api.example.com/v1', choices: {} }
const all: Scenario = {
  ...{
    name: 'all',
    description: 'All',
    pets: [pet(1), pet(2n ** 60n + 1n)],
    nextId: NO_ID_LEFT,
    now: '2030-12-06',
    frozen: true,
  },
  ...{
    apiKeys: ['key'],
    assume: { 'invalid-query': 'clamp' },
    latency: [5, 9],
    random: 7,
    calibrated,
  },
  faults: [
    { operation: '*', status: 503, id: 'my-fault', seen: 3, applied: 1 },
    { operation: 'getPet', rate: 0.5, drop: true },
  ],
  surprise: {
    seed: 7,
    kinds: ['order'],
    calls: { listPets: 2, 'listPets?limit=1': 1, ['__proto__']: 3 },
  },
}

it.each<[title: string, scenario: Scenario]>([
  ['nothing', {}],
  ['animals in any order', { pets: [1, 3, 2].map(pet) }],
  ['a next id that a surprise would change', { pets: [pet(1)], nextId: 2, surprise: { seed: 7 } }],
  ['everything', all],
])('an origin with %s is the same when it is written and read again', (_, scenario) => {
  const origin = parseScenario(scenario)
  expect(read(printOrigin(origin))).toStrictEqual(origin)
})

it('an origin has its animals in the order of their ids, and the next id is above them', () => {
  const { catalogue, nextId, name, choices, description } = parseScenario({
    pets: [1, 3, 2].map(pet),
    apiKeys: ['key'],
  })
  expect([sliceList(catalogue.all).map((text) => JSON.parse(text).id), nextId, name]).toEqual([
    [1, 2, 3],
    4,
    'unnamed',
  ])
  expect([choices['valid-keys'], description]).toEqual(['listed', ''])
  expect(
    parseScenario({ faults: [{ operation: '*', response: { status: 200 } }] }).bytes,
  ).toBeGreaterThan(0)
  expect(
    parseScenario({ apiKeys: ['key'], assume: { 'valid-keys': 'any' } }).choices['valid-keys'],
  ).toBe('any')
})

it('a state is the same when it is written and read again, and says that in one way', () => {
  const { nextId: _, ...rest } = all
  const first = add(
    countCall(setPetText(start({ ...rest, pets: [pet(1), pet(5)] }), 1, undefined), 'listPets')
      .state,
  )
  const struck = strikeWith(first.faults, first.random, GET_CALL)
  const state = {
    ...first,
    ...struck,
    latency: 3,
    clock: setClock(first.clock, '2031-01-01', false, still),
  }
  const text = printScenario(state, describeState(state, 42))
  expect(text).toBe(toJson(toScenario(state, 42)))
  expect(toScenario(beginState(read(text), still), 42)).toEqual(toScenario(state, 42))
  expect(toScenario(state, 42)).toMatchObject({
    now: '1970-01-01T00:00:00.042Z',
    surprise: { calls: { listPets: 3 } },
  })
  expect(countCall(start(all), '__proto__').nth).toBe(4)
  expect(toScenario(start({ surprise: { seed: 7 } }), 0)).toMatchObject({ surprise: { seed: 7 } })
})

it('a state that was saved goes on, and is reset to the origin of the mock', () => {
  const origin = parseScenario({
    pets: Array.from({ length: 600 }, (_, index) => pet(index + 1)),
    now: '2030-01-01',
  })
  const state = add(beginState(origin, still))
  const text = printScenario(state, {
    ...describeState(state, 0),
    name: 'saved',
    now: '2030-01-01',
  })
  const { now, ...scenario } = checkScenario(parseJson(text))
  const resumed = resumeState({ scenario: { ...scenario, now } as ReadScenario }, origin, still)
  expect([
    resumed.origin === origin,
    resumed.nextId,
    resumed.name,
    resumed.catalogue.all.size,
  ]).toEqual([true, 602, 'saved', 601])
  expect(resumed.clock).toEqual(state.clock)
  const saved = saveState({ ...state, lastFaultId: 7 }, { ...still, steady: () => 5 })
  expect([saved.clock, resumeState(saved, origin, still).lastFaultId]).toEqual([
    shiftClock(state.clock, -5),
    7,
  ])
  expect(resumeState({ scenario }, origin, still).clock).toEqual({
    frozenAt: undefined,
    start: undefined,
  })
})

describe('an animal', () => {
  it('gets ids up to the last int64, exactly, and then none', () => {
    const { state, body } = addPet(start({ nextId: 2n ** 63n - 2n }), {
      name: 'Rex',
      categoryId: 1,
    })
    expect(body).toBe('{"id":9223372036854775806,"name":"Rex","categoryId":1}')
    expect(() => add(add(state))).toThrow(UsageError)
    expect([add(state).nextId, findPetText(add(state).catalogue, 2n ** 63n - 1n)]).toEqual([
      NO_ID_LEFT,
      expect.stringContaining('5807,'),
    ])
  })

  it.each<[id: number | bigint, nextId: number | bigint]>([
    [3, 10],
    [9, 10],
    [10, 11],
    [10n, 11],
    [2 ** 53 - 1, 2n ** 53n],
    [2n ** 53n, 2n ** 53n + 1n],
    [2n ** 63n - 1n, NO_ID_LEFT],
  ])('that is set under the id %s leaves %s as the next one', (id, nextId) => {
    const state = setPetText(start({ nextId: 10 }), normalizeInt64(id), toPetText(pet(id)))
    expect([state.nextId, state.catalogue.all.size]).toEqual([nextId, 1])
  })

  it('that is removed leaves the next id as it was, also one below zero', () => {
    expect(
      [-10, 7].map(
        (id) => setPetText(start({ pets: [pet(-10)], nextId: -9 }), id, undefined).nextId,
      ),
    ).toEqual([-9, -9])
  })
})

it('a state counts the calls of ten thousand targets, and then all of them start again', () => {
  let state = start()
  const count = (target: string) => {
    const { nth, ...next } = countCall(state, target)
    state = next.state
    return nth
  }
  for (let index = 0; index < 10_000; index++) count(`target ${index}`)
  expect([
    count('target 0'),
    count('one more'),
    count('target 0'),
    count('one more'),
    state.calls.size,
  ]).toEqual([2, 1, 1, 2, 2])
})
