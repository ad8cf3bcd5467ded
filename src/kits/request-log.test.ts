import { expect, it, onTestFinished } from 'vitest'
import { createMock } from '../mock/mock.ts'
import { createRequestLog } from './request-log.ts'

function createLog() {
  const mock = createMock({ sandbox: true })
  const log = createRequestLog()
  mock.control.subscribe(log.record)
  const left = new AbortController()
  onTestFinished(() => left.abort())
  /** Sends a request whose response is delayed by `delay` milliseconds. */
  const ask = (key: string, delay: number) => {
    mock.control.sandbox(key).latency.set(delay)
    const answer = mock.fetch('http://localhost/v1/pets', { headers: { authorization: `Bearer ${key}` }, signal: left.signal })
    answer.catch(() => {})
    return answer
  }
  const show = () => log.all().map(({ id, outcome }) => `${id} ${outcome}`)
  return { ...mock, log, ask, show }
}

it('has requests that wait and requests that have ended, in the order in which they were sent', async () => {
  const { log, ask, show } = createLog()
  const slow = ask('a', 50)
  ask('b', 60_000)
  await ask('c', 0)
  expect(show()).toEqual(['1 waiting', '2 waiting', '3 sent'])
  expect([log.waiting('a'), log.waiting('b'), log.waiting(null)].map((entries) => entries.map(({ id }) => id))).toEqual([[1], [2], []])
  await slow
  expect(show()).toEqual(['1 sent', '2 waiting', '3 sent'])
})

it('leaves out what was sent before a restart, whenever it ends', async () => {
  const { log, ask, show } = createLog()
  const slow = ask('a', 500)
  await expect.poll(show).toEqual(['1 waiting'])
  log.restart()
  expect(show()).toEqual([])
  await ask('b', 0)
  await slow
  expect(show()).toEqual(['2 sent'])
})

it('forgets what waits in a world that is reset or loaded, and no other', async () => {
  const { control, log, ask } = createLog()
  for (const key of ['a', 'b', 'c']) ask(key, 60_000)
  await expect.poll(() => log.waiting().length).toBe(3)
  control.sandbox('a').reset()
  control.sandbox('b').load({ pets: [] })
  await Promise.resolve()
  expect(log.waiting().map(({ id }) => id)).toEqual([3])
})
