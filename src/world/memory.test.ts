import fc from 'fast-check'
import { expect, it } from 'vitest'
import { change, exchange, still, surround } from '../../test/support/log-rows.ts'
import { parseScenario } from '../../test/support/parse-scenario.ts'
import { UsageError } from '../contract/errors.ts'
import { findPetText, sizeOfPet } from './catalogue.ts'
import { addFault, sizeOfFault } from './faults.ts'
import { createMemory } from './memory.ts'
import { entriesOf } from './sorted.ts'
import {
  addPet,
  beginState,
  countCall,
  createOrigin,
  type Origin,
  type State,
  setPetText,
} from './state.ts'
import type { World } from './world.ts'
import { createWorlds, type Worlds } from './worlds.ts'

const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0)
/** Three lists, with 512 entries of two words each. */
const COPY_BYTES = 3 * 16 * 512
const pet = (id: number, size: number) => ({
  id,
  name: 'x'.repeat(size),
  categoryId: 1,
  status: 'sold' as const,
})
const fault = (size: number) => ({
  operation: '*' as const,
  response: { status: 200, body: 'x'.repeat(size) },
})
const toOrigin = (...ids: number[]) =>
  parseScenario({ pets: ids.map((id) => pet(id, 500)), faults: ids.map((id) => fault(id * 500)) })
const [none, small, large] = [toOrigin(), toOrigin(1), toOrigin(1, 2, 3)]

const rowsOf = ({ timeline }: World) => timeline.rows({ waiting: true })
const create = (state: State, size: number) => addPet(state, pet(0, size)).state
const put = (state: State, id: number, name: string) =>
  setPetText(state, id, `{"id":${id},"name":"${name}","categoryId":1}`)
const remove = (state: State, id: number) => setPetText(state, id, undefined)
const breakWith = (state: State, size: number): State => addFault(state, fault(size)).state

/** What a state has that neither its origin nor the other state has, piece by piece. */
function weigh(state: State, other?: State): number {
  const { origin, catalogue, faults, calls, apiKeys } = state
  const rest = other?.origin === origin ? other : origin
  const hasCopies = rest !== origin
  const isCopied = hasCopies && catalogue.all.chunks !== rest.catalogue.all.chunks
  const isCounted = hasCopies && faults !== rest.faults
  const isNew = <Part>(part: Part, ...others: Part[]) => !others.includes(part)
  const pets = entriesOf(catalogue.all).filter(([id, text]) =>
    [rest, origin].every((one) => findPetText(one.catalogue, id) !== text),
  )
  const own = faults.filter((one) =>
    [rest, origin].every((known) => known.faults.every((same) => same.fault !== one.fault)),
  )
  const keys = isNew(apiKeys, rest.apiKeys, origin.apiKeys) ? [...apiKeys] : []
  return sum([
    isCopied ? COPY_BYTES : 0,
    isCounted ? 64 * Math.max(faults.length, rest.faults.length) : 0,
    isNew(calls, rest.calls, origin.calls) ? 128 * calls.size : 0,
    ...pets.map(([, text]) => sizeOfPet(text)),
    ...own.map((one) => sizeOfFault(one.fault)),
    ...keys.map((key) => 64 + 2 * key.length),
  ])
}

/** The memory of all worlds, computed from scratch. */
function weighAll(worlds: Worlds): number {
  const reached = new Set<Origin>()
  const sizes = worlds.all().flatMap((world) => {
    reached.add(world.state.origin)
    const kept = rowsOf(world).flatMap(({ id, before }) =>
      before ? [{ before, after: world.timeline.find(id)?.after }] : [],
    )
    for (const { before } of kept) reached.add(before.origin)
    return [
      weigh(world.state),
      ...kept.map(({ before, after }) => (before === after ? 0 : weigh(before, after))),
    ]
  })
  return sum(sizes) + sum([...reached].map((origin) => origin.bytes))
}

/** What makes the next state; the others are done to the world. */
const makers = {
  create: (state: State, _: number, size: number) => create(state, size),
  update: (state: State, nth: number, size: number) => put(state, nth, 'x'.repeat(size)),
  remove,
  break: (state: State, _: number, size: number) => breakWith(state, size),
  mend: (state: State, nth: number): State => ({
    ...state,
    faults: state.faults.filter((_, index) => index !== nth % 3),
  }),
  call: (state: State, nth: number) => countCall(state, `listPets?limit=${nth}`).state,
  allow: (state: State, nth: number): State => ({
    ...state,
    apiKeys: new Set(['x'.repeat(nth), 'y']),
  }),
  load: (_: State, nth: number) => beginState([none, small, large][nth % 3] as Origin, still),
  reset: ({ origin }: State) => beginState(origin, still),
  rewind: (state: State, nth: number, _: number, rows: ReturnType<typeof rowsOf>) =>
    rows[nth % rows.length]?.before ?? state,
  look: (state: State) => state,
  wait: (state: State) => state,
}
const names = [
  ...(Object.keys(makers) as (keyof typeof makers)[]),
  'rewind',
  'clear',
  'go',
  'restart',
] as const
const step = fc.record({
  key: fc.constantFrom(undefined, 'a', 'b'),
  name: fc.constantFrom(...names),
  nth: fc.nat(9),
  size: fc.constantFrom(0, 30, 900),
})

function advance(
  world: World,
  state: State,
  row = change() as Parameters<World['advance']>[0],
): void {
  world.checkRoom(state)
  world.advance(row, state)
}

const keptIn = (world: World) => rowsOf(world).map(({ id, before }) => (before ? id : -id))

it('the memory of a mock: is what its present states and its rows keep, after anything in any order, and is given back', () => {
  const limits = fc.record({
    maxBytes: fc.constantFrom(undefined, 30_000, 60_000),
    rows: fc.constantFrom(0, 5, 1_000),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), limits, (steps, { maxBytes, rows }) => {
      const memory = createMemory(maxBytes)
      const worlds = createWorlds(large, true, surround(memory, rows))
      for (const { key, name, nth, size } of steps) {
        const world = worlds.of(key)
        if (name === 'clear') world.timeline.clear()
        else if (name === 'go') worlds.remove(key ?? 'a')
        else if (name === 'restart') worlds.resume(beginState(world.state.origin, still), key)
        else {
          const state = makers[name](world.state, nth, size, rowsOf(world))
          try {
            advance(
              world,
              state,
              name === 'wait' ? { ...exchange(), outcome: 'waiting' } : change(),
            )
          } catch (error) {
            expect(error).toBeInstanceOf(UsageError)
            // There was nothing more to give up.
            expect(worlds.all().flatMap((one) => keptIn(one).filter((id) => id > 0))).toEqual([])
            expect(memory.fits(state, world.state, false)).toBe(false)
          }
        }
        expect(memory.bytes).toBe(weighAll(worlds))
        expect(memory.bytes).toBeLessThanOrEqual(memory.maxBytes)
      }
      for (const key of worlds.keys()) worlds.remove(key)
      worlds.resume(beginState(small, still))
      expect(memory.bytes).toBe(small.bytes)
      worlds.of().leave()
      expect(memory.bytes).toBe(0)
    }),
    { numRuns: 200 },
  )
})

it('the memory of a mock: is taken from the oldest rows of all sandboxes first, which keep their text', () => {
  const worlds = createWorlds(none, true, surround(createMemory(5_000 + 4 * COPY_BYTES)))
  const [one, other] = [worlds.of('one'), worlds.of('other')]
  for (const letter of ['a', 'b'])
    for (const world of [one, other]) advance(world, put(world.state, 1, letter.repeat(1_000)))
  expect([...keptIn(one), ...keptIn(other)]).toEqual([1, 3, 2, 4])
  advance(one, put(one.state, 1, 'c'.repeat(1_000)))
  expect([...keptIn(one), ...keptIn(other)]).toEqual([-1, 3, 5, -2, 4])
  expect(rowsOf(one).map((row) => 'text' in row && row.text)).toEqual(['Reset', 'Reset', 'Reset'])
})

it('the memory of a mock: keeps 256 MiB of earlier states besides the present one', () => {
  const world = createWorlds(none, true, surround()).of()
  for (const _ of [1, 2, 3]) advance(world, beginState({ ...none, bytes: 150 * 2 ** 20 }, still))
  expect(keptIn(world)).toEqual([-1, -2, 3])
})

it.each<[what: string, scenario: Parameters<typeof createOrigin>[0]]>([
  ['description', { description: 'x'.repeat(15 * 2 ** 20) }],
  ['keys', { apiKeys: Array.from({ length: 4_000 }, (_, nth) => `${nth}`.padStart(4_096)) }],
  ['surprises', { surprise: { seed: 1, only: [`order@${'x'.repeat(15 * 2 ** 20)}`] } }],
  ['counts', { surprise: { seed: 1, calls: { [`listPets?${'x'.repeat(15 * 2 ** 20)}`]: 1 } } }],
])('the memory of a mock: counts the %s of the scenarios that were loaded', (_, scenario) => {
  const memory = createMemory()
  const world = createWorlds(none, true, surround(memory)).of()
  const loaded = createOrigin(scenario)
  for (let nth = 0; nth < 12; nth++) advance(world, beginState({ ...loaded }, still))
  const kept = keptIn(world).filter((id) => id > 0)
  expect(kept.length).toBe(Math.floor((256 * 2 ** 20) / loaded.bytes))
})

it('the memory of a mock: counts the list of faults that each request replaces', () => {
  const faults = Array.from({ length: 1_000 }, () => ({ operation: '*' as const, delay: 1 }))
  const origin = createOrigin({ faults })
  const memory = createMemory(origin.bytes + 7 * 64_000)
  const world = createWorlds(origin, true, surround(memory)).of()
  for (let nth = 0; nth < 20; nth++)
    world.advance(exchange(), { ...world.state, faults: world.state.faults.slice() })
  expect(keptIn(world).filter((id) => id > 0)).toHaveLength(7)
})

it('the memory of a mock: holds animals to the last byte; then there is no room for another one, or for a fault, but for a smaller one', () => {
  const ownBytes = sizeOfPet('{"id":1,"name":"","categoryId":1,"status":"sold"}') + 1_000
  const memory = createMemory(none.bytes + ownBytes)
  const world = createWorlds(none, true, surround(memory)).of()
  const refused = new UsageError(
    `The mock is full: its animals may take ${memory.maxBytes} bytes`,
    507,
  )
  expect(() => world.checkRoom(create(world.state, 1_001))).toThrowError(refused)
  advance(world, create(world.state, 1_000))
  expect(memory.bytes).toBe(memory.maxBytes)
  for (const grow of [create, breakWith])
    expect(() => world.checkRoom(grow(world.state, 0))).toThrowError(refused)
  advance(world, put(world.state, 1, 'small'))
  advance(world, remove(world.state, 1))
  expect([memory.bytes, keptIn(world)]).toEqual([none.bytes, [-1, -2, -3]])
})

it('the memory of a mock: that is beyond its limit from the start lets animals go, and settings change, but does not grow', () => {
  const world = createWorlds(large, true, surround(createMemory(10))).of()
  advance(world, { ...world.state, latency: 5 })
  advance(world, remove(world.state, 1))
  for (const state of [put(world.state, 2, 'x'.repeat(500)), create(world.state, 0)])
    expect(() => world.checkRoom(state)).toThrow(UsageError)
})

it('the memory of a mock: has no room for a scenario in a new sandbox if it has none in an old one', () => {
  const worlds = createWorlds(small, true, surround(createMemory(large.bytes + small.bytes - 1)))
  worlds.of().checkRoom(beginState(large, still))
  for (const look of [worlds.peek, worlds.of])
    expect(() => look('new').checkRoom(beginState(large, still))).toThrow(UsageError)
})
