import { describe, expect, it, vi } from 'vitest'
import { animals } from '../support/animals.ts'
import { listen, parseEvents, startControl } from '../support/control-client.ts'

/** The server takes its timers at load, where fake ones cannot reach them. */
vi.mock('../../src/hosts/node/timers.ts', async (load) => ({
  ...(await load<object>()),
  setInterval: (...args: Parameters<typeof setInterval>) => setInterval(...args),
  clearInterval: (timer: NodeJS.Timeout) => clearInterval(timer),
}))

const change = (method: string, sandbox: string | null = null) => ({
  event: 'change',
  data: { type: 'change', sandbox, row: expect.objectContaining({ type: 'change', sandbox, method }) },
})

describe('the event stream', () => {
  it('reports each request and each change in order', async () => {
    const { port, call, write, poke, mock } = await startControl({ pets: animals })
    const stream = await listen(port)
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store, no-transform' })
    await call('/v1/pets/1')
    const [entry] = mock.control.requests()
    await write('PUT', '/state', { pets: animals })
    await write('POST', '/faults', { operation: '*', status: 500 })
    await write('PUT', '/clock', { advance: 'P1D' })
    await write('PUT', '/assumptions', { 'list-order': 'newest-first' })
    await poke('DELETE', '/requests')
    await poke('POST', '/reset')
    const events = parseEvents(await stream.until(7))
    expect(events).toEqual([
      { event: 'request', data: { type: 'request', sandbox: null, entry } },
      change('load'),
      change('faults.add'),
      change('clock.advance'),
      change('assume'),
      change('clearRequests'),
      change('reset'),
    ])
  })

  it('reports a delayed request when it begins, and under the same id when it ends', async () => {
    const { port, call, mock } = await startControl({ pets: animals, latency: 20 })
    const stream = await listen(port)
    await call('/v1/pets/99', 'a-long-secret-key')
    const [begin, end] = parseEvents(await stream.until(2))
    const [entry] = mock.control.requests()
    expect(end).toEqual({ event: 'request', data: { type: 'request', sandbox: null, entry } })
    expect(entry).toMatchObject({ status: 404, outcome: 'sent', error: 'Animal 99 not found' })
    const pending = { outcome: 'waiting', status: 0, error: null, problems: [], durationMs: 0, response: { headers: {}, body: '' } }
    expect(begin).toEqual({ event: 'begin', data: { type: 'begin', sandbox: null, entry: { ...entry, ...pending } } })
  })

  it('reports a request as aborted if its client left', async () => {
    const { port, mock } = await startControl({ pets: animals, latency: 60_000, sandbox: true })
    const stream = await listen(port)
    const leaving = new AbortController()
    const gone = fetch(`http://127.0.0.1:${port}/v1/pets`, { headers: { authorization: 'Bearer ann-key' }, signal: leaving.signal })
    await stream.until(2)
    leaving.abort()
    await expect(gone).rejects.toThrow()
    const [, begin, end] = parseEvents(await stream.until(3))
    const [entry] = mock.control.sandbox('ann-key').requests()
    expect(entry).toMatchObject({ outcome: 'aborted', status: 0, notes: ['The client left before its 200 was sent'] })
    expect(begin).toMatchObject({ event: 'begin', data: { sandbox: 'ann-key', entry: { id: entry?.id, outcome: 'waiting' } } })
    expect(end).toMatchObject({ event: 'request', data: { sandbox: 'ann-key', entry: { id: entry?.id, outcome: 'aborted' } } })
  })

  it('reports the events of one sandbox if its address names one, and otherwise of all', async () => {
    const { port, call, write, poke } = await startControl({ pets: animals, sandbox: true })
    const mine = await listen(port, '/events?sandbox=mine')
    const all = await listen(port)
    await call('/v1/pets', 'theirs')
    await call('/v1/pets', 'mine')
    await write('PUT', '/clock?sandbox=theirs', { frozen: true })
    await write('PUT', '/clock', { frozen: true })
    await write('PUT', '/clock?sandbox=mine', { frozen: true })
    await poke('DELETE', '/sandboxes/theirs')
    await poke('DELETE', '/sandboxes/mine')
    const toShort = ({ event, data }: { event: string; data: unknown }) => {
      const { sandbox, row } = data as { sandbox: string | null; row?: { method: string } }
      return [event, sandbox, row?.method]
    }
    expect(parseEvents(await mine.until(4)).map(toShort)).toEqual([
      ['sandbox', 'mine', undefined],
      ['request', 'mine', undefined],
      ['change', 'mine', 'clock.freeze'],
      ['sandbox', 'mine', undefined],
    ])
    expect(parseEvents(await all.until(11)).map(toShort)).toEqual([
      ['sandbox', 'theirs', undefined],
      ['request', 'theirs', undefined],
      ['sandbox', 'mine', undefined],
      ['request', 'mine', undefined],
      ['change', 'theirs', 'clock.freeze'],
      ['change', null, 'clock.freeze'],
      ['change', 'mine', 'clock.freeze'],
      ['sandbox', 'theirs', undefined],
      ['change', null, 'removeSandbox'],
      ['sandbox', 'mine', undefined],
      ['change', null, 'removeSandbox'],
    ])
  })

  it('sends a comment every 15 seconds while nothing happens', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
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
      vi.useRealTimers()
    }
  })

  it('ends when the mock stops, without delaying the stop', async () => {
    const { port, close } = await startControl()
    const streams = await Promise.all([listen(port), listen(port), listen(port)])
    await Promise.all(streams.map((stream) => stream.until(0)))
    const startedAt = performance.now()
    await close()
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    await Promise.all(streams.map((stream) => stream.ended))
  })

  it('is refused while 64 others are open', async () => {
    const { port, ask, mock } = await startControl()
    const streams = await Promise.all(Array.from({ length: 64 }, () => listen(port)))
    await Promise.all(streams.map((stream) => stream.until(0)))
    expect(await ask('/events')).toMatchObject({
      status: 503,
      json: { code: 'ServiceUnavailable', message: 'Too many event streams; the limit is 64', status: 503 },
    })
    streams[0]?.destroy()
    await vi.waitFor(async () => {
      const stream = await listen(port)
      expect(stream.status).toBe(200)
    })
    mock.control.clock.freeze()
    expect(parseEvents((await streams[63]?.until(1)) ?? '')).toEqual([change('clock.freeze')])
  })

  it('cuts off a reader that is too slow, and no other', async () => {
    const { port, mock } = await startControl({ pets: [] })
    const slow = await listen(port)
    const quick = await listen(port)
    await slow.until(0)
    slow.pause()
    const body = new TextEncoder().encode(JSON.stringify({ name: 'x'.repeat(16_000), categoryId: 1 }))
    const header = (name: string) => ({ authorization: 'Bearer k', 'content-type': 'application/json' })[name]
    // The buffers of the connection take some megabytes before anything piles up in the mock.
    const sent = 600
    for (let turn = 1; turn <= sent; turn++) {
      mock.answer({ method: 'POST', target: '/v1/pets', header, body })
      if (turn % 20 === 0) await quick.until(turn)
    }
    slow.resume()
    await slow.ended
    const count = (text: string) => text.split('event: request').length - 1
    expect(count(slow.text())).toBeLessThan(sent)
    expect(count(quick.text())).toBe(sent)
  })
})
