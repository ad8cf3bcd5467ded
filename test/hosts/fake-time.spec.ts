// A test runner that replaces the time: a mock without a clock setting follows it, before and after
// it was made, and one with a clock setting does not.
import { setupServer } from 'msw/node'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { createHandlers } from '../../src/hosts/msw.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { toCall } from '../support/call.ts'

afterEach(() => void vi.useRealTimers())

const ask = ({ answer }: Mock) => answer(toCall('GET', '/v1/pets')).headers.Date

it('a mock follows the system time that a test sets', () => {
  const before = createMock()
  vi.useFakeTimers()
  vi.setSystemTime('2031-01-01T00:00:00Z')
  const during = createMock()
  expect([ask(before), ask(during)]).toEqual([
    'Wed, 01 Jan 2031 00:00:00 GMT',
    'Wed, 01 Jan 2031 00:00:00 GMT',
  ])
  vi.advanceTimersByTime(5_000)
  expect([ask(before), ask(during)]).toEqual([
    'Wed, 01 Jan 2031 00:00:05 GMT',
    'Wed, 01 Jan 2031 00:00:05 GMT',
  ])
})

it('a mock with a clock setting keeps its own time, and advances it with the fake timers', () => {
  vi.useFakeTimers()
  const mock = createMock({ now: '2030-12-05T23:59:59Z' })
  vi.advanceTimersByTime(1_000)
  expect(mock.control.clock.get()).toEqual({ now: '2030-12-06T00:00:00.000Z', frozen: false })
})

const headers = { authorization: 'Bearer k' }

it.each<[string, (mock: Mock) => Promise<Response>]>([
  ['mock.fetch', (mock) => mock.fetch('/v1/pets', { headers })],
  [
    'the MSW handlers',
    (mock) => intercept(mock).then((baseUrl) => fetch(`${baseUrl}/pets`, { headers })),
  ],
])('a delayed response of %s waits for the fake timers', async (_, ask) => {
  const mock = createMock({ latency: 60_000 })
  const hasBegun = new Promise<void>((resolve) =>
    mock.control.subscribe(({ type }) => type === 'begin' && resolve()),
  )
  vi.useFakeTimers()
  const asked = ask(mock)
  await hasBegun
  await vi.advanceTimersByTimeAsync(59_999)
  expect(mock.control.requests()).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect((await asked).status).toBe(200)
})

async function intercept(mock: Mock): Promise<string> {
  const baseUrl = 'https://api.example.com/v1'
  const server = setupServer(...createHandlers(mock, { baseUrl }))
  server.listen()
  onTestFinished(() => server.close())
  return baseUrl
}
