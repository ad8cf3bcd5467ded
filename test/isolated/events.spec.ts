import { expect, it, vi } from 'vitest'
import { MAX_EVENT_STREAMS } from '../../src/contract/limits.ts'
import { timers } from '../../src/hosts/node/exchange.ts'
import { toCall } from '../support/call.ts'
import { listen, startControl } from '../support/control-client.ts'

it('the event stream sends a comment every 15 seconds while nothing happens', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  // The server takes its timers at load, where fake ones cannot reach them.
  const real = { ...timers }
  Object.assign(timers, { setInterval, clearInterval })
  try {
    const { port } = await startControl()
    const stream = await listen(port)
    await stream.until(0)
    vi.advanceTimersByTime(15_000)
    expect(await stream.until(1)).toBe(': listening\n\n: still here\n\n')
    vi.advanceTimersByTime(14_999)
    vi.advanceTimersByTime(1)
    expect(await stream.until(2)).toBe(': listening\n\n: still here\n\n: still here\n\n')
  } finally {
    Object.assign(timers, real)
    vi.useRealTimers()
  }
})

it('the event stream ends when the mock stops, without delaying the stop', async () => {
  const { port, close } = await startControl()
  const streams = await Promise.all([listen(port), listen(port), listen(port)])
  await Promise.all(streams.map((stream) => stream.until(0)))
  const startedAt = performance.now()
  await close()
  expect(performance.now() - startedAt).toBeLessThan(1_000)
  await Promise.all(streams.map((stream) => stream.ended))
})

it('the event stream ends for a client that leaves, so that another one may listen', async () => {
  const { port } = await startControl()
  const streams = await Promise.all(Array.from({ length: MAX_EVENT_STREAMS }, () => listen(port)))
  streams[0]?.destroy()
  await vi.waitFor(async () => expect((await listen(port)).status).toBe(200))
})

it('the event stream cuts off a reader that is too slow, and no other', async () => {
  const { port, mock } = await startControl({ pets: [] })
  const slow = await listen(port)
  const quick = await listen(port)
  await slow.until(0)
  slow.pause()
  const call = toCall('POST', '/v1/pets', { name: 'x'.repeat(16_000), categoryId: 1 })
  // The buffers of the connection take some megabytes before anything piles up in the mock.
  const sent = 600
  for (let turn = 1; turn <= sent; turn++) {
    mock.answer(call)
    if (turn % 20 === 0) await quick.until(turn)
  }
  slow.resume()
  await slow.ended
  const count = (text: string) => text.split('event: request').length - 1
  expect(count(slow.text())).toBeLessThan(sent)
  expect(count(quick.text())).toBe(sent)
})
