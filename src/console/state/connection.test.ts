import { expect, it, vi } from 'vitest'
import { type ConnectionState, connect, toWait } from './connection.ts'
import { ControlError } from './control-client.ts'

it('waits twice as long after each failure, up to a quarter of a minute', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 50].map(toWait)).toEqual([500, 1000, 2000, 4000, 8000, 15000, 15000, 15000])
})

it('tells how it stands: connecting, lost, locked, live; and waits for a token for as long as it takes', async () => {
  vi.useFakeTimers()
  const states: ConnectionState['kind'][] = []
  const outcomes = [new ControlError(0, 'gone'), new ControlError(401, 'token'), new ControlError(401, 'token')]
  const heard: string[] = []
  const connection = connect({
    listen: async () => {
      const failure = outcomes.shift()
      if (failure) throw failure
      return new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('data: hello\n\n')) })
    },
    hasToken: () => false,
    onState: ({ kind }) => states.push(kind),
    onData: (data) => heard.push(data),
  })
  await vi.advanceTimersByTimeAsync(499)
  expect(states).toEqual(['connecting', 'waiting'])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(states.slice(2)).toEqual(['connecting', 'locked'])
  connection.retry()
  await vi.advanceTimersByTimeAsync(0)
  connection.retry()
  await vi.advanceTimersByTimeAsync(0)
  expect(states.slice(4)).toEqual(['connecting', 'locked', 'connecting', 'live'])
  expect(heard).toEqual(['hello'])
  vi.useRealTimers()
})

it('takes a long silence for a loss', async () => {
  vi.useFakeTimers()
  const states: ConnectionState['kind'][] = []
  connect({
    listen: async (signal) =>
      new ReadableStream({ start: (controller) => signal.addEventListener('abort', () => controller.error(new Error('aborted'))) }),
    hasToken: () => false,
    onState: ({ kind }) => states.push(kind),
    onData: () => {},
  })
  await vi.advanceTimersByTimeAsync(39_000)
  expect(states).toEqual(['connecting', 'live'])
  await vi.advanceTimersByTimeAsync(1_500)
  expect(states.slice(2, 4)).toEqual(['waiting', 'connecting'])
  vi.useRealTimers()
})
