// A test runner that replaces the time: a mock without a clock setting follows it, before and after it was made, and one with a
// clock setting does not.
import { setupServer } from 'msw/node'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { createHandlers } from '../../src/hosts/msw.ts'
import { serve } from '../../src/hosts/node/index.ts'
import { createMock, type Mock } from '../../src/index.ts'

afterEach(() => void vi.useRealTimers())

const ask = ({ answer }: ReturnType<typeof createMock>) =>
  answer({ method: 'GET', target: '/v1/pets', header: (name) => (name === 'authorization' ? 'Bearer k' : undefined) }).headers.Date

it('follows the system time that a test sets', () => {
  const before = createMock()
  vi.useFakeTimers()
  vi.setSystemTime('2031-01-01T00:00:00Z')
  const during = createMock()
  expect([ask(before), ask(during)]).toEqual(['Wed, 01 Jan 2031 00:00:00 GMT', 'Wed, 01 Jan 2031 00:00:00 GMT'])
  vi.advanceTimersByTime(5_000)
  expect([ask(before), ask(during)]).toEqual(['Wed, 01 Jan 2031 00:00:05 GMT', 'Wed, 01 Jan 2031 00:00:05 GMT'])
})

it('goes on by the real time afterwards', () => {
  vi.useFakeTimers()
  vi.setSystemTime('2031-01-01T00:00:00Z')
  const mock = createMock()
  ask(mock)
  vi.useRealTimers()
  expect(Math.abs(Date.parse(mock.control.clock.get().now) - Date.now())).toBeLessThan(5_000)
  expect(Math.abs(Date.parse(ask(mock) ?? '') - Date.now())).toBeLessThan(5_000)
})

it('keeps a clock that was set apart from the real one, and moves it along', () => {
  vi.useFakeTimers()
  const mock = createMock({ now: '2030-12-05T23:59:59Z' })
  vi.advanceTimersByTime(1_000)
  expect(mock.control.clock.get()).toEqual({ now: '2030-12-06T00:00:00.000Z', frozen: false })
})

it.each(['2040-01-01', '2020-01-01', '1970-01-01'])('keeps a clock of its own where a test sets the system time to %s', (systemTime) => {
  const mocks = [createMock({ now: '2030-12-04' }), createMock(), createMock(), createMock({ frozen: true })]
  mocks[1]?.control.clock.set('2030-12-04')
  mocks[2]?.control.clock.set('2030-12-03', { frozen: true })
  mocks[2]?.control.clock.advance('P1D', { frozen: false })
  mocks[3]?.control.clock.set('2030-12-04', { frozen: false })
  vi.useFakeTimers()
  vi.setSystemTime(systemTime)
  const minutes = () => mocks.map(({ control }) => control.clock.get().now.slice(0, 16))
  expect(minutes()).toEqual(mocks.map(() => '2030-12-04T00:00'))
  vi.advanceTimersByTime(120_000)
  expect(minutes()).toEqual(mocks.map(() => '2030-12-04T00:02'))
  vi.useRealTimers()
  expect(minutes()).toEqual(mocks.map(() => '2030-12-04T00:02'))
  for (const { control } of mocks)
    expect(createMock({ scenario: control.state() }).control.clock.get().now.slice(0, 16)).toBe('2030-12-04T00:02')
})

it('counts the time of fake timers that passes before the first look', () => {
  const mock = createMock({ now: '2030-12-04' })
  vi.useFakeTimers()
  vi.advanceTimersByTime(120_000)
  expect(mock.control.clock.get().now.slice(0, 16)).toBe('2030-12-04T00:02')
})

it('never goes before 1970', () => {
  vi.useFakeTimers()
  vi.setSystemTime(-5_000)
  const mock = createMock()
  expect([mock.control.clock.get().now, ask(mock)]).toEqual(['1970-01-01T00:00:00.000Z', 'Thu, 01 Jan 1970 00:00:00 GMT'])
})

const headers = { authorization: 'Bearer k' }

it.each<[string, (mock: Mock) => Promise<Response>]>([
  ['mock.fetch', (mock) => mock.fetch('/v1/pets', { headers })],
  ['the MSW handlers', (mock) => intercept(mock).then((baseUrl) => fetch(`${baseUrl}/pets`, { headers }))],
])('lets a delayed response of %s come by the time of the test', async (_, ask) => {
  const mock = createMock({ latency: 60_000 })
  const hasBegun = new Promise<void>((resolve) => mock.control.subscribe(({ type }) => type === 'begin' && resolve()))
  vi.useFakeTimers()
  const asked = ask(mock)
  await hasBegun
  await vi.advanceTimersByTimeAsync(59_999)
  expect(mock.control.requests()).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect((await asked).status).toBe(200)
})

it('lets a delayed response of the server come by the real time', async () => {
  vi.useFakeTimers()
  const { url, close } = await serve(createMock({ latency: 50 }))
  onTestFinished(close)
  expect((await fetch(`${url}/pets`, { headers })).status).toBe(200)
})

async function intercept(mock: Mock): Promise<string> {
  const baseUrl = 'https://api.example.com/v1'
  const server = setupServer(...createHandlers(mock, { baseUrl }))
  server.listen()
  onTestFinished(() => server.close())
  return baseUrl
}
