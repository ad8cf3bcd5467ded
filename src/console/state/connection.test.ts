import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ControlError, type EventOptions } from '../../client/client.ts'
import type { MockEvent } from '../../control/control.ts'
import { type ConnectionState, connect, toWait } from './connection.ts'

const EVENT: MockEvent = { type: 'change', sandbox: null, what: 'reset' }

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A stream that sends those events and then waits to be ended, as the mock's does. */
async function* stream({ signal }: EventOptions, events: readonly MockEvent[] = []): AsyncGenerator<MockEvent, void> {
  yield* events
  await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))))
}

it('waits twice as long after each failure, up to a quarter of a minute', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 50].map(toWait)).toEqual([500, 1000, 2000, 4000, 8000, 15000, 15000, 15000])
})

it('goes from connecting to waiting, locked or live, and waits for a token as long as it takes', async () => {
  const states: ConnectionState['kind'][] = []
  const outcomes = [new ControlError(0, 'gone'), new ControlError(401, 'token'), new ControlError(401, 'token')]
  const received: MockEvent[] = []
  const connection = connect({
    listen: async (options) => {
      const failure = outcomes.shift()
      if (failure) throw failure
      return stream(options, [EVENT])
    },
    tokenSource: () => undefined,
    isHidden: false,
    onState: ({ kind }) => states.push(kind),
    onEvent: (event) => received.push(event),
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
  expect(received).toEqual([EVENT])
})

it('tries again if it was asked to while an attempt was under way', async () => {
  const states: ConnectionState['kind'][] = []
  let refuse: () => void = () => {}
  const connection = connect({
    listen: (options) =>
      states.length === 1
        ? new Promise((_, reject) => {
            refuse = () => reject(new ControlError(401, 'token'))
          })
        : Promise.resolve(stream(options)),
    tokenSource: () => undefined,
    isHidden: false,
    onState: ({ kind }) => states.push(kind),
    onEvent: () => {},
  })
  connection.retry()
  refuse()
  await vi.advanceTimersByTimeAsync(0)
  expect(states).toEqual(['connecting', 'locked', 'connecting', 'live'])
})

it('treats a long silence as a loss', async () => {
  const states: ConnectionState['kind'][] = []
  connect({
    listen: async (options) => stream(options),
    tokenSource: () => undefined,
    isHidden: false,
    onState: ({ kind }) => states.push(kind),
    onEvent: () => {},
  })
  await vi.advanceTimersByTimeAsync(39_000)
  expect(states).toEqual(['connecting', 'live'])
  await vi.advanceTimersByTimeAsync(1_500)
  expect(states.slice(2, 4)).toEqual(['waiting', 'connecting'])
})

it('holds no stream while the page is hidden', async () => {
  const states: ConnectionState['kind'][] = []
  let open = 0
  const connection = connect({
    listen: async (options) => {
      open++
      options.signal?.addEventListener('abort', () => open--)
      return stream(options)
    },
    tokenSource: () => undefined,
    isHidden: true,
    onState: ({ kind }) => states.push(kind),
    onEvent: () => {},
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect({ states, open }).toEqual({ states: ['paused'], open: 0 })
  connection.setHidden(false)
  await vi.advanceTimersByTimeAsync(0)
  expect({ states: states.slice(1), open }).toEqual({ states: ['connecting', 'live'], open: 1 })
  connection.setHidden(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect({ states: states.slice(3), open }).toEqual({ states: ['paused'], open: 0 })
})
