import { describe, expect, it } from 'vitest'
import { createMock } from '../mock/mock.ts'
import type { Fault } from '../world/faults.ts'
import type { Reply } from './call.ts'

const headers = { authorization: 'Bearer test-key' }
const HELD: Fault = { operation: '*', hold: true }

/** A mock, and a host without a clock: it waits until it is told that the reply is due. */
function start(fault: Fault = HELD) {
  const mock = createMock({ pets: [{ id: 1, name: 'Rex', categoryId: 1 }], faults: [fault] })
  function call(method = 'GET', target = '/v1/pets', body?: object) {
    const bytes = body && new TextEncoder().encode(JSON.stringify(body))
    const typed = { ...headers, 'content-type': 'application/json' }
    const reply = mock.answer({
      method,
      target,
      headers: body ? typed : headers,
      body: bytes,
      reportsOutcome: true,
    })
    const finals: Reply[] = []
    reply.wait?.onEnd((final) => {
      finals.push(final)
      final.settle?.('sent')
    })
    return { reply, finals }
  }
  const last = () => mock.control.requests({ waiting: true }).at(-1)
  return { mock, control: mock.control, call, last }
}

describe('a held response', () => {
  it('is decided, and its change made; its row is held until it is released', () => {
    const { control, call, last } = start()
    const { reply, finals } = call('POST', '/v1/pets', { name: 'Max', categoryId: 1 })
    expect([reply.status, reply.delay, control.pets.list().total]).toEqual([201, 60_000, 2])
    expect(last()).toMatchObject({ outcome: 'held', status: 0, response: { body: '' } })
    expect(control.requests()).toEqual([])
    expect(control.held().map(({ id }) => id)).toEqual([1])
    expect(control.release()).toEqual([1])
    expect(finals).toEqual([reply])
    expect(last()).toMatchObject({ outcome: 'sent', status: 201, notes: [] })
    expect([control.held(), control.release()]).toEqual([[], []])
  })

  it('is sent at its ceiling, which the fault can set, and says so', () => {
    const { call, last } = start({ operation: '*', hold: '5m' })
    const { reply, finals } = call()
    expect(reply.delay).toBe(300_000)
    reply.wait?.end('time')
    reply.wait?.end('time')
    expect(finals).toEqual([reply])
    expect(last()).toMatchObject({
      status: 200,
      notes: ['Sent after 300 s, the limit of its hold'],
    })
  })

  it('is replaced by a status, a response, or nothing; the change stands, and what if compares with what was decided', () => {
    const { control, call, last } = start()
    const one = call('POST', '/v1/pets', { name: 'Max', categoryId: 1 })
    control.release(1, { status: 503 })
    expect(one.finals[0]).toMatchObject({ status: 503, headers: { Vary: 'Origin' } })
    expect(one.finals[0]?.headers).not.toHaveProperty('Location')
    expect(JSON.parse(one.finals[0]?.body ?? '')).toMatchObject({ status: 503 })
    expect(last()).toMatchObject({
      status: 503,
      error: 'Deliberate fault: 503 Service Unavailable',
      notes: ['Released with 503 in place of its 201'],
    })
    expect(control.pets.list().total).toBe(2)
    expect(control.whatIf(1)).toMatchObject({ status: 201, outcome: 'sent', durationMs: 0 })
    expect(control.whatIf(1).differs).toBeNull()
    const two = call()
    control.release(2, { response: { status: 418, headers: { 'x-a': 'b' }, body: { no: 1 } } })
    expect(two.finals[0]).toMatchObject({ status: 418, headers: { 'X-A': 'b' }, body: '{"no":1}' })
    expect(last()).toMatchObject({ status: 418, response: { body: '{"no":1}' } })
    const three = call()
    control.release(3, 'lost')
    expect(three.finals[0]).toMatchObject({ status: 0, drop: true, headers: {}, body: '' })
    expect(last()).toMatchObject({
      outcome: 'dropped',
      status: 0,
      notes: ['Released as lost in place of its 200'],
    })
  })

  it.each([
    ['reset to default', (control) => control.reset()],
    ['loaded unnamed', (control) => control.load({ pets: [] })],
    ['went back to before row 1', (control) => control.rewind(1)],
  ] as const satisfies [string, (control: ReturnType<typeof createMock>['control']) => unknown][])(
    'is dropped when the state is replaced: %s',
    (text, replace) => {
      const { control, call } = start()
      const { finals } = call()
      replace(control)
      expect([control.held(), finals.map(({ drop }) => drop)]).toEqual([[], [true]])
      expect(control.timeline()[0]).toMatchObject({
        outcome: 'dropped',
        notes: [`Dropped while it was held: ${text}`],
      })
    },
  )

  it('is dropped when the mock stops, and gone when its client leaves', () => {
    const { control, call, last } = start()
    const { reply, finals } = call()
    reply.wait?.end('stop')
    expect(finals).toMatchObject([{ drop: true }])
    expect(last()).toMatchObject({ notes: ['Dropped while it was held: the mock stopped'] })
    const left = call()
    left.reply.settle?.('aborted')
    expect([control.held(), left.finals]).toEqual([[], []])
    expect(last()).toMatchObject({ outcome: 'aborted' })
    expect(() => control.release(2)).toThrow('Row 2 is not waiting')
    expect(() => control.release(9)).toThrow('Row 9')
  })

  it('survives a change of a setting and a clear of the log', () => {
    const { control, call } = start()
    call()
    control.latency.set(5)
    control.faults.clear()
    control.clearRequests()
    expect(control.held()).toHaveLength(1)
  })
})

describe('a delayed response', () => {
  it('is released too, but not held; a reset leaves it, and a mock that stops sends it', () => {
    const { control, call } = start({ operation: '*', delay: 500 })
    const one = call()
    expect([one.reply.delay, control.held()]).toEqual([500, []])
    control.reset()
    expect(one.finals).toEqual([])
    control.release(1, { status: 500 })
    expect(one.finals).toMatchObject([{ status: 500 }])
    const two = call()
    two.reply.wait?.end('stop')
    expect(two.finals).toEqual([two.reply])
  })
})

it('a response without a delay has nothing to wait for', () => {
  const { call } = start({ operation: 'getPet', hold: true })
  expect(call().reply).not.toHaveProperty('wait')
})

it('a host that reports nothing waits for the whole hold', () => {
  const { mock, control } = start()
  const reply = mock.answer({ method: 'GET', target: '/v1/pets', headers })
  expect([reply.delay, reply.wait, control.held()]).toEqual([60_000, undefined, []])
})
