import { afterEach, expect, it, vi } from 'vitest'
import { createMock } from '../mock/mock.ts'
import { cancelPending, type Pending } from './pending.ts'
import { createWaitHeld } from './wait-held.ts'

afterEach(() => void vi.useRealTimers())

function start() {
  const { answer, control } = createMock({
    faults: [
      { operation: 'listPets', hold: true },
      { operation: 'getPet', hold: true },
    ],
  })
  const calls = { pending: new Set<Pending>(), timeout: 20 }
  const headers = { authorization: 'Bearer any-key' }
  const get = (target: string) => answer({ method: 'GET', target, headers, reportsOutcome: true })
  return { calls, get, held: createWaitHeld(control, calls) }
}

it('resolves once as many responses of the operation are held as are wanted', async () => {
  const { calls, get, held } = start()
  get('/v1/pets?limit=1')
  expect(await held('listPets')).toMatchObject([{ target: '/v1/pets?limit=1' }])
  const both = held('listPets', { count: 2, timeout: 1_000 })
  get('/v1/pets/1')
  get('/v1/pets?limit=2')
  expect((await both).map((row) => row.target)).toEqual(['/v1/pets?limit=1', '/v1/pets?limit=2'])
  expect(await held()).toHaveLength(3)
  expect(calls.pending.size).toBe(0)
})

it('rejects if there are fewer when the time is over', async () => {
  const { get, held } = start()
  await expect(held()).rejects.toThrow('store.held(): expected 1 held response, got 0 within 20 ms')
  get('/v1/pets')
  await expect(held('listPets', { count: 2, timeout: 0 })).rejects.toThrow(
    "store.held('listPets'): expected 2 held listPets responses, got 1 within 0 ms",
  )
})

it('ends in time if the test has replaced the timers and the clock', async () => {
  const { held } = start()
  vi.useFakeTimers()
  await expect(held('listPets')).rejects.toThrow('got 0 within 20 ms')
})

it('is reported, and does not reject, if the test ends without it', async () => {
  const { calls, held } = start()
  const left = held('listPets', { timeout: 1_000 })
  expect(cancelPending(calls)?.message).toBe(
    "A matcher was not awaited; write: await store.held('listPets')",
  )
  expect(await left).toEqual([])
})

it.each([
  ['another operation', () => ['getPets'] as never, /operation: expected listPets/],
  ['a count of 0', () => ['getPet', { count: 0 }] as never, /count: expected/],
])('refuses %s', async (_, given, message) => {
  const { held } = start()
  await expect(held(...(given() as Parameters<typeof held>))).rejects.toThrow(message)
})
