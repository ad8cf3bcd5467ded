import { describe, expect, it } from 'vitest'
import { MAX_FAULTS } from '../contract/limits.ts'
import { createRandom } from '../contract/random.ts'
import { hideKey, type RequestCondition, type SeenCall } from './fault-condition.ts'
import {
  addFault,
  drawDelay,
  type Fault,
  showFault,
  sizeOfFault,
  startFaults,
  strikeWith,
  type TimedFault,
} from './faults.ts'
import type { SentParts } from './match-request.ts'

const create = (...initial: TimedFault[]) => startFaults(initial)
const fault: TimedFault = { operation: '*', status: 503 }
const add = (faults: ReturnType<typeof create>, one: TimedFault) => addFault(faults, one).state
const ids = ({ faults }: ReturnType<typeof create>) => faults.map((one) => one.fault.id)

describe('the ids of faults', () => {
  it('count up, from the highest number that a scenario uses', () => {
    const faults = create(
      fault,
      { ...fault, id: '7' },
      { ...fault, id: 'flaky' },
      { ...fault, id: '' },
      fault,
    )
    expect(ids(add(faults, fault))).toEqual(['8', '7', 'flaky', '', '9', '10'])
  })

  it.each(['my-fault', 'NaN', '1e3', '-5', '9'.repeat(40), 'Infinity'])(
    'go on from 1 after %j',
    (id) => expect(ids(add(create({ ...fault, id }), fault))).toEqual([id, '1']),
  )

  it('are kept when one is given, and numbers go on from there, also if it is gone', () => {
    const faults = add(add(create({ ...fault, id: 'my-fault' }), { ...fault, id: '41' }), fault)
    expect(ids(faults)).toEqual(['my-fault', '41', '42'])
    expect(ids(add({ ...faults, faults: [] }, fault))).toEqual(['43'])
  })

  it.each([
    [['9'.repeat(15)], [10n ** 15n, 10n ** 15n + 1n]],
    [
      ['0', '01', '3'],
      [4n, 5n],
    ],
  ])('after %j are numbers that no fault has', (taken, given) => {
    const one = addFault(create(...taken.map((id) => ({ ...fault, id }))), fault)
    const two = addFault(one.state, fault)
    expect([one, two].map(({ added }) => added.fault.id)).toEqual(given.map(String))
    expect(ids(two.state)).toEqual([...taken, ...given.map(String)])
  })

  it('that are in use replace the fault in its place, and its counters start again', () => {
    const { faults, lastFaultId } = create(
      { ...fault, id: 'my-fault', seen: 3, applied: 1 },
      { ...fault, status: 500 },
    )
    const changed = add(
      { faults, lastFaultId },
      { ...fault, status: 504, id: 'my-fault' },
    ).faults.map(showFault)
    expect(changed).toMatchObject([
      { id: 'my-fault', status: 504, seen: 0, applied: 0 },
      { status: 500 },
    ])
    expect(faults[0]).toEqual({ fault: { ...fault, id: 'my-fault' }, seen: 3, applied: 1 })
  })
})

it('a state holds a thousand faults', () => {
  const faults = create(...Array<TimedFault>(MAX_FAULTS).fill(fault))
  expect(() => addFault(faults, fault)).toThrow('faults: expected at most 1000')
  expect(add(faults, { ...fault, id: '7' }).faults).toHaveLength(1_000)
})

const SENT = { query: {}, headers: {}, body: undefined }

function seeCall(call: Partial<SeenCall> = {}, sent: Partial<SentParts> = {}): SeenCall {
  const readSent = () => ({ ...SENT, ...sent })
  return { operation: 'getPet', petId: '7', apiKey: undefined, readSent, ...call }
}

describe('a call', () => {
  const getPet = seeCall()
  function strike(...given: TimedFault[]) {
    const { faults } = create(...given)
    const struck = strikeWith(faults, 5, getPet) ?? expect.fail()
    expect(struck.faults.map((one) => one.fault)).toEqual(faults.map((one) => one.fault))
    return { ...struck, counts: struck.faults.map(({ seen, applied }) => `${seen} ${applied}`) }
  }
  const slow = (delay: number): TimedFault => ({ operation: '*', delay })

  it('goes from a delay on to the next fault, up to the first outcome; the rest do not see it', () => {
    const dropping: TimedFault = { operation: 'getPet', delay: 60_000, drop: true }
    const {
      strike: found,
      counts,
      random,
    } = strike(slow(5), { ...dropping, operation: 'listPets' }, dropping, fault)
    expect(found).toEqual({ faults: ['1', '3'], delay: 60_000, drop: true })
    expect([counts, random]).toEqual([['1 1', '0 0', '1 1', '0 0'], 5])
    expect(strike(slow(5), slow(6)).strike).toEqual({ faults: ['1', '2'], delay: 11, drop: false })
    const speeds = [9, 7, 8].map((bytes): TimedFault => ({ operation: '*', slow: bytes }))
    expect(strike(...speeds, fault).strike).toMatchObject({ delay: 0, slow: 7, status: 503 })
    expect(strike({ operation: '*', response: { status: 200 } }, fault).strike).toMatchObject({
      faults: ['1'],
      response: { status: 200 },
    })
  })

  it('is let through by a fault that is not due, or whose chance it misses, but is seen by it', () => {
    const {
      strike: found,
      counts,
      random,
    } = strike({ ...fault, after: 1 }, { ...fault, times: 1, applied: 1 }, { ...fault, rate: 0 })
    expect([found, counts, random === 5]).toEqual([undefined, ['1 0', '1 1', '1 0'], false])
  })

  const sold = seeCall(
    { apiKey: 'key-of-anna' },
    {
      query: { status: 'sold', tag: ['a', 'b'] },
      headers: { 'x-tenant': 'zoo' },
      body: { name: 'Rex', categoryId: 9007199254740993n },
    },
  )

  it.each<[RequestCondition, boolean]>([
    [{ query: { status: 'sold' } }, true],
    [{ query: { tag: ['a', 'b'] } }, true],
    [{ query: { status: 'available' } }, false],
    [{ query: { page: null } }, true],
    [{ query: { status: null } }, false],
    [{ headers: { 'X-Tenant': 'zoo' } }, true],
    [{ headers: { 'x-tenant': 'farm' } }, false],
    [{ body: { categoryId: 9007199254740993n } }, true],
    [{ body: { categoryId: 9007199254740994n } }, false],
    [{ apiKey: hideKey('key-of-anna') }, true],
    [{ apiKey: hideKey('key-of-hanna') }, false],
    [{ query: { status: 'sold' }, body: { name: 'Max' } }, false],
  ])('is for a fault with the condition %o: %s', (when, isSeen) => {
    const struck = strikeWith(create({ ...fault, when }).faults, 5, sold)
    expect(struck?.strike?.faults).toEqual(isSeen ? ['1'] : undefined)
  })

  it('whose body cannot be read meets no condition about it, and counts for none', () => {
    const limited = create({ ...fault, times: 1, when: { body: { name: 'Rex' } } })
    expect(strikeWith(limited.faults, 5, getPet)).toBeUndefined()
  })

  it('is not seen by a fault for another operation or another animal', () => {
    expect(
      strikeWith(
        create({ operation: 'listPets', status: 503 }, { ...fault, petId: 8 }).faults,
        5,
        getPet,
      ),
    ).toBeUndefined()
    const html = { status: 503, body: 'html', retryAfter: 3 } as const
    expect(strike({ operation: '*', petId: 7n, ...html }).strike).toMatchObject({
      ...html,
      drop: false,
    })
  })
})

it('a fault counts by its response', () => {
  expect([
    sizeOfFault(fault),
    sizeOfFault({ operation: '*', response: { status: 200, body: 'x'.repeat(98) } }),
  ]).toEqual([0, 2 * 122])
})

it('a delay is drawn from both ends of a range and everything between', () => {
  const random = createRandom(7)
  const drawn = new Set(Array.from({ length: 1_000 }, () => drawDelay([10, 14], random)))
  expect([...drawn].sort()).toEqual([10, 11, 12, 13, 14])
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
