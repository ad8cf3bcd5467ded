// Histories for the specs of what if: requests of clients and changes of a tester, as fast-check
// makes them, and a mock that has them in its timeline.
import fc, { type Arbitrary } from 'fast-check'
import { assumptions } from '../../src/contract/generated/contract.ts'
import type { StateControl } from '../../src/control/control.ts'
import { createMock, type Mock, type MockOptions } from '../../src/mock/mock.ts'
import type { Call } from '../../src/service/call.ts'
import type { Fault } from '../../src/world/faults.ts'
import { toCall } from './call.ts'

/** Something that happens to a mock; what it refuses, a client or a tester would be told. */
export type Step = (mock: Mock) => unknown

const choose = <T>(...values: readonly T[]): Arbitrary<T> => fc.constantFrom(...values)
const KEYS = ['any-key', 'other-key', 'third-key', 'invalid', null]

const request = fc.oneof(
  fc
    .record({
      name: choose<unknown>('Mia', 'Bo', 7, undefined),
      status: choose('sold', 'gone', undefined),
      x: choose(1, undefined, undefined),
      categoryId: choose<unknown>(1, 1, '1'),
    })
    .map((pet) => ['POST', '/v1/pets', JSON.stringify(pet)] as const),
  choose('', '?limit=2', '?limit=0', '?status=sold', '?status=gone', '?offset=2', '?limit=x').map(
    (query) => ['GET', `/v1/pets${query}`, undefined] as const,
  ),
  choose('1', '2', '3', '4', '5', '6', '99', 'abc').map(
    (id) => ['GET', `/v1/pets/${id}`, undefined] as const,
  ),
  choose<readonly [string, string, string | undefined]>(
    ['GET', '/v1/nothing', undefined],
    ['HEAD', '/v1/pets', undefined],
    ['PUT', '/v1/pets', '{}'],
    ['OPTIONS', '/v1/pets', undefined],
    ['POST', '/v1/pets', '{'],
    ['POST', '/v1/pets', undefined],
    ['POST', '/v1/pets', `{"name":"${'x'.repeat(17_000)}","categoryId":1}`],
  ),
)
const fields = choose<Readonly<Record<string, string>>>(
  {},
  {},
  {},
  {},
  { prefer: 'code=503' },
  { prefer: 'drop' },
  { 'content-type': 'text/plain' },
  { origin: 'http://localhost:3000' },
  { authorization: 'Basic abc' },
  { 'x-mock-sandbox': 'other-key' },
  { 'x-mock-sandbox': 'not a name' },
  { 'x-page': 'a' },
)
const calls: Arbitrary<Call> = fc
  .tuple(request, fields, choose(...KEYS, 'any-key', 'any-key'))
  .map(([[method, target, body], more, key]) => toCall(method, target, body, key, more))

const fault: Arbitrary<Fault> = fc.oneof(
  fc.record(
    {
      operation: choose('*' as const, 'createPet' as const, 'listPets' as const, 'getPet' as const),
      status: choose(500, 503),
      rate: choose(0.3, 0.7),
      times: choose(1, 3),
      after: choose(1, 2),
      id: choose('busy', 'idle'),
    },
    { requiredKeys: ['operation', 'status'] },
  ),
  choose<Fault>(
    { operation: 'listPets', body: 'truncated' },
    { operation: '*', delay: [1, 9] },
    { operation: 'getPet', drop: true, rate: 0.5 },
    { operation: 'createPet', lost: true, times: 1 },
    { operation: 'getPet', petId: 4, status: 500 },
    { operation: '*', status: 502, when: { apiKey: 'any-key' }, times: 2 },
    { operation: 'listPets', status: 502, when: { headers: { 'x-page': 'a' } } },
    { operation: 'createPet', hold: true, times: 1 },
  ),
)

/** Undo and rewind go back to one of the last rows, if that is possible. */
const changes: Arbitrary<(state: StateControl) => unknown> = fc.oneof(
  { weight: 4, arbitrary: fault.map((one) => (state: StateControl) => state.faults.add(one)) },
  {
    weight: 2,
    arbitrary: choose(
      ...assumptions.flatMap(({ id, choices }) => choices.map((choice) => ({ [id]: choice }))),
    ).map((one) => (state: StateControl) => state.assume(one)),
  },
  {
    weight: 2,
    arbitrary: choose('1d', '-2d', '6h').map(
      (one) => (state: StateControl) => state.clock.advance(one),
    ),
  },
  choose<string | null>('2030-12-06', '2031-01-01', null).map(
    (one) => (state: StateControl) => state.clock.set(one),
  ),
  choose(true, false).map((one) => (state: StateControl) => state.clock.freeze(one)),
  choose<[number, number] | null>([1, 9], null).map(
    (one) => (state: StateControl) => state.latency.set(one),
  ),
  choose<string[] | null>(['any-key'], ['other-key', 'third-key'], null).map(
    (one) => (state: StateControl) => state.keys.set(one),
  ),
  {
    weight: 2,
    arbitrary: choose(undefined, undefined, 5, 40).map(
      (id) => (state: StateControl) =>
        state.pets.add({ name: 'Tester', categoryId: 2, ...(id && { id }) }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(choose(1, 2, 3, 4), choose({ status: 'sold' as const }, { name: 'Max' }))
      .map(
        ([id, fields]) =>
          (state: StateControl) =>
            state.pets.update(id, fields),
      ),
  },
  choose(1, 2, 3, 4).map((id) => (state: StateControl) => state.pets.remove(id)),
  choose('busy', '1', '2').map((id) => (state: StateControl) => state.faults.remove(id)),
  fc.constant((state: StateControl) => state.faults.clear()),
  fc.constant((state: StateControl) => state.reset()),
  fc.constant((state: StateControl) =>
    state.load({ pets: [{ id: 3, name: 'Loaded', categoryId: 1 }] }),
  ),
  { weight: 3, arbitrary: fc.constant((state: StateControl) => state.undo()) },
  {
    weight: 2,
    arbitrary: fc
      .nat(12)
      .map((back) => (state: StateControl) => state.undo(pick(state, back, 'change'))),
  },
  {
    weight: 2,
    arbitrary: fc.nat(12).map((back) => (state: StateControl) => state.rewind(pick(state, back))),
  },
)

/** The id of the row so many before the last one. */
function pick(state: StateControl, back: number, type?: 'change'): number {
  const rows = state.timeline().filter((row) => type === undefined || row.type === type)
  return rows.at(-1 - back)?.id ?? 0
}

const step: Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: calls.map(
      (call): Step =>
        (mock) =>
          mock.answer(call),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(changes, choose(undefined, undefined, 'any-key', 'other-key')).map(
      ([change, key]): Step =>
        (mock) => {
          const isShared = key === undefined || mock.control.sandboxes().length === 0
          return tryChange(change, isShared ? mock.control : mock.control.sandbox(key))
        },
    ),
  },
  {
    weight: 1,
    arbitrary: choose('any-key', 'other-key').map(
      (key): Step =>
        (mock) =>
          mock.control.removeSandbox(key),
    ),
  },
)

/** What is refused changes nothing. */
function tryChange(change: (state: StateControl) => unknown, state: StateControl): void {
  try {
    change(state)
  } catch {}
}

export const histories = (minLength: number, maxLength: number): Arbitrary<readonly Step[]> =>
  fc.array(step, { minLength, maxLength, size: 'max' })

export const settings: Arbitrary<MockOptions> = choose<MockOptions>(
  {},
  { surprise: { seed: 3, kinds: ['all'] } },
  { apiKeys: ['any-key'] },
  { sandbox: true },
  { sandbox: true, apiKeys: ['any-key', 'other-key'], surprise: { seed: 5, kinds: ['all'] } },
  { now: '2030-12-05T23:59:59.000Z' },
  { latency: [2, 7], now: '2030-12-05', faults: [{ operation: '*', status: 500, rate: 0.4 }] },
)

/** A mock with a history. */
export function play(options: MockOptions, steps: readonly Step[]): Mock {
  const mock = createMock({
    pets: [
      { id: 1, name: 'Rex', categoryId: 1 },
      { id: 2, name: 'Tom', categoryId: 1, status: 'sold' },
    ],
    now: '2030-12-04',
    ...options,
  })
  for (const one of steps) one(mock)
  return mock
}

/** Its shared state, and those of its sandboxes. */
export function statesOf({ control }: Mock): StateControl[] {
  return [control, ...control.sandboxes().map((key) => control.sandbox(key))]
}

/** Everything that a question must leave as it is, but for time that passes. */
export function printAll(mock: Mock): string {
  const { control } = mock
  const parts = statesOf(mock).map((state) => [
    { ...state.state(), now: undefined },
    state.timeline({ waiting: true }),
    state.faults.list(),
  ])
  const print = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  return JSON.stringify([parts, control.coverage(), control.sandboxes()], print)
}
