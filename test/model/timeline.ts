// Random steps on a mock, and what must hold of the timeline: after a rewind, the state and what
// follows are those of a mock that took only the steps before; and the state before a request gives
// the same response again, in another mock.
import fc from 'fast-check'
import { expect } from 'vitest'
import {
  type Call,
  createMock,
  type Delay,
  type Mock,
  type MockOptions,
  UsageError,
} from '../../src/index.ts'
import { scenarios } from '../../src/scenario/shipped.ts'
import { toCall } from '../support/call.ts'

export type Step = (mock: Mock) => unknown

const id = fc.integer({ min: 1, max: 8 })
const choose = <T>(...values: readonly T[]) => fc.constantFrom(...values)

const request: fc.Arbitrary<Call> = fc.oneof(
  fc
    .record({ name: choose('Mia', 'Bo', ''), status: choose('sold', 'gone', undefined) })
    .map((pet) => toCall('POST', '/v1/pets', { ...pet, categoryId: 1 })),
  choose('', '?limit=2', '?limit=0', '?status=sold').map((query) =>
    toCall('GET', `/v1/pets${query}`),
  ),
  id.map((one) => toCall('GET', `/v1/pets/${one}`)),
  fc.constant(toCall('GET', '/v1/pets', undefined, 'invalid')),
)

const fault = fc.record(
  {
    operation: choose('*', 'createPet', 'listPets', 'getPet'),
    status: choose(500, 503),
    rate: choose(0.3, 0.7),
    times: choose(1, 3),
    after: choose(1, 2),
    id: choose('1', '2', 'a'),
  },
  { requiredKeys: ['operation', 'status'] },
)

const act = <T>(
  values: fc.Arbitrary<T>,
  run: (control: Mock['control'], value: T) => unknown,
): fc.Arbitrary<Step> => values.map((value) => (mock) => run(mock.control, value))

const choices = fc.record({
  'list-order': choose('newest-first', 'oldest-first'),
  'default-status': choose('sold', 'absent'),
})

const change: fc.Arbitrary<Step> = fc.oneof(
  act(fault, ({ faults }, one) => faults.add(one as never)),
  act(choose('1', '2', 'a'), ({ faults }, one) => faults.remove(one)),
  fc.constant<Step>(({ control }) => control.faults.clear()),
  act(choices, (control, some) => control.assume(some as never)),
  act(fc.option(id), ({ pets }, one) =>
    pets.add({ name: 'By hand', categoryId: 2, ...(one && { id: one + 3 }) }),
  ),
  act(
    fc.tuple(id, choose<'sold' | 'pending' | null>('sold', 'pending', null)),
    ({ pets }, [one, status]) => pets.update(one, { status }),
  ),
  act(id, ({ pets }, one) => pets.remove(one)),
  act(choose<Delay | null>(null, 5, [1, 9]), ({ latency }, next) => latency.set(next)),
  act(choose('1d', '6h'), ({ clock }, period) => clock.advance(period)),
  fc.constant<Step>(({ control }) => control.reset()),
  act(choose<'single' | 'empty' | 'flaky'>('single', 'empty', 'flaky'), (control, name) =>
    control.load({ ...scenarios[name], now: '2030-12-04', frozen: true }),
  ),
  act(fc.nat(), (control, at) =>
    control.undo(at % 3 === 0 ? undefined : pick(control.timeline({ limit: 30 }), at)?.id),
  ),
)

/** One of them, counted from the end. */
export function pick<T>(rows: readonly T[], at: number): T | undefined {
  return rows.length === 0 ? undefined : rows[rows.length - 1 - (at % rows.length)]
}

export const step = fc.oneof(
  {
    weight: 4,
    arbitrary: request.map(
      (one): Step =>
        (mock) =>
          show(mock.answer(one)),
    ),
  },
  { weight: 3, arbitrary: change },
)
export const options: fc.Arbitrary<MockOptions> = fc.record({
  pets: fc.constant([1, 2, 3].map((one) => ({ id: one, name: `Animal ${one}`, categoryId: 1 }))),
  now: choose('2030-12-04', '2030-12-05T23:00:00Z'),
  frozen: fc.constant(true),
})
const probes = [
  ...Array.from({ length: 12 }, (_, index) =>
    toCall('GET', index % 2 ? '/v1/pets' : `/v1/pets/${index}`),
  ),
  ...Array.from({ length: 8 }, () => toCall('POST', '/v1/pets', { name: 'Probe', categoryId: 1 })),
]

export function show({ status, body, delay }: ReturnType<Mock['answer']>) {
  return { status, body, delay }
}

/** What a step gives, or that it was refused. */
export function take(mock: Mock, one: Step): unknown {
  const { pets = [] } = mock.control.state()
  const { nextId = 0 } = mock.control.state({ pets: false })
  expect(nextId > (pets.at(-1)?.id ?? 0), 'the next id is above all others').toBe(true)
  try {
    return one(mock)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return error.status
  }
}

/** A rewind among the steps is a number, which picks a row. */
export const rewinds = fc.asyncProperty(
  options,
  fc.array(fc.oneof({ weight: 6, arbitrary: step }, { weight: 1, arbitrary: fc.nat() }), {
    minLength: 3,
    maxLength: 25,
  }),
  async (given, steps) => {
    const mock = createMock(given)
    const taken: Step[] = []
    /** The step that made each row. */
    const madeBy = new Map<number, number>()
    const run = (one: Step) => {
      const result = take(mock, one)
      const made = mock.control.timeline({ limit: 1 })[0]?.id
      if (made !== undefined && !madeBy.has(made)) madeBy.set(made, taken.length)
      taken.push(one)
      return result
    }
    for (const one of steps) {
      if (typeof one === 'function') {
        run(one)
        continue
      }
      const row = pick(mock.control.timeline({ limit: 30 }), one)
      if (!row || typeof run(({ control }) => control.rewind(row.id)) === 'number') continue
      const fresh = createMock(given)
      for (const earlier of taken.slice(0, madeBy.get(row.id))) take(fresh, earlier)
      expect(mock.control.state()).toEqual(fresh.control.state())
      for (const probe of probes)
        expect(run(({ answer }) => show(answer(probe)))).toEqual(show(fresh.answer(probe)))
    }
  },
)

export const snapshots = fc.asyncProperty(
  options,
  fc.array(step, { minLength: 3, maxLength: 30 }),
  fc.nat(),
  async (given, steps, at) => {
    const mock = createMock(given)
    for (const one of steps) take(mock, one)
    const row = pick(mock.control.requests(), at)
    if (!row) return
    const state = mock.control.state({ before: row.id })
    const { method, target, request: asked, key } = row
    const again = createMock({ scenario: state })
    const reply = again.answer(
      toCall(
        method,
        target,
        asked.body === '' ? undefined : JSON.parse(asked.body),
        key === '…alid' ? 'invalid' : undefined,
      ),
    )
    expect([reply.status, reply.body]).toEqual([row.status, row.response.body])
  },
)
