import { describe, expect, it } from 'vitest'
import { MAX_FAULTS } from '../limits.ts'
import { createRandom } from '../random.ts'
import { createFaults, drawDelay, type Fault, type TimedFault } from './faults.ts'

const create = (...initial: TimedFault[]) => createFaults(initial, createRandom(0))
const fault: TimedFault = { operation: '*', status: 503 }
const ids = ({ list }: ReturnType<typeof create>) => list().map(({ id }) => id)

describe('the ids of faults', () => {
  it('count up, from the highest number that a scenario uses', () => {
    const faults = create(fault, { ...fault, id: '7' }, { ...fault, id: 'flaky' }, { ...fault, id: '' }, fault)
    faults.add(fault)
    expect(ids(faults)).toEqual(['8', '7', 'flaky', '', '9', '10'])
  })

  it.each(['my-fault', 'NaN', '1e3', '-5', '9'.repeat(40), 'Infinity'])('go on from 1 after %j', (id) => {
    const faults = create({ ...fault, id })
    expect(faults.add(fault).id).toBe('1')
  })

  it('are kept when one is given, and numbers go on from there', () => {
    const faults = create()
    expect(faults.add({ ...fault, id: 'my-fault' }).id).toBe('my-fault')
    expect(faults.add({ ...fault, id: '41' }).id).toBe('41')
    expect(faults.add(fault).id).toBe('42')
  })

  it('that are in use replace the fault in its place, and its counters start again', () => {
    const faults = create({ ...fault, id: 'my-fault' }, { ...fault, status: 500 })
    faults.strike('listPets')
    faults.add({ ...fault, status: 504, id: 'my-fault' })
    expect(faults.list()).toMatchObject([{ id: 'my-fault', status: 504, seen: 0, applied: 0 }, { status: 500 }])
  })
})

it('a fault of a snapshot goes on with its counters', () =>
  expect(create({ ...fault, seen: 3 }, { ...fault, applied: 1 }).list()).toMatchObject([{ seen: 3 }, { applied: 1 }]))

describe('a world', () => {
  it('holds a thousand faults', () => {
    const faults = create(...Array<TimedFault>(MAX_FAULTS - 1).fill(fault))
    faults.add(fault)
    expect(() => faults.add(fault)).toThrow('faults: expected at most 1000')
    expect(faults.add({ ...fault, id: '7' }).id).toBe('7')
    expect([faults.remove('1'), faults.remove('1')]).toEqual([true, false])
    expect(faults.add(fault).id).toBe('1001')
  })
})

it('a listed fault shares nothing with the one that was given', () => {
  const delay: [number, number] = [1, 2]
  const response = { status: 200, headers: { a: 'b' }, body: { c: 1 } }
  const faults = create()
  const [slow, given] = [faults.add({ operation: '*', delay }), faults.add({ operation: '*', response })]
  for (const part of [slow.delay, given.response, given.response?.headers, given.response?.body]) expect(Object.isFrozen(part)).toBe(true)
  delay[0] = 9
  response.headers.a = 'x'
  expect(faults.list()).toMatchObject([{ delay: [1, 2] }, { response: { status: 200, headers: { a: 'b' }, body: { c: 1 } } }])
})

describe('a delay', () => {
  it('is drawn from both ends of a range and everything between', () => {
    const random = createRandom(7)
    const drawn = new Set(Array.from({ length: 1_000 }, () => drawDelay([10, 14], random)))
    expect([...drawn].sort()).toEqual([10, 11, 12, 13, 14])
  })
})

it('says one thing: a fault without an outcome, or with two, does not compile', () => {
  const faults: readonly Fault[] = [
    { operation: '*', status: 503, body: 'html', retryAfter: 1, delay: '200ms' },
    { operation: '*', delay: [1, 2] },
    { operation: '*', drop: true, delay: 5 },
    { operation: '*', response: { status: 200 } },
    // @ts-expect-error it says nothing
    { operation: '*' },
    // @ts-expect-error a drop has no status
    { operation: '*', drop: true, status: 503 },
    // @ts-expect-error nor has it a body
    { operation: '*', drop: true, body: 'html' },
    // @ts-expect-error a response has its own status
    { operation: '*', response: { status: 200 }, status: 503 },
  ]
  expect(faults).toHaveLength(8)
})
