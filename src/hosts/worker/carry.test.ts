import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ControlReply } from '../../control/control-api.ts'
import { toCall, toDropped, toResponse, toStream } from './carry.ts'

describe('a request', () => {
  it.each([
    ['http://mock.test/v1/pets?limit=1', '/v1/pets?limit=1'],
    ['http://mock.test/', '/'],
    ['https://mock.test:8787//a/b', '//a/b'],
    ['http://mock.test', '/'],
  ])('to %s is for %s', (url, target) => {
    // The platform's addresses always have a slash, but it does not promise so.
    const head = toCall({ method: 'PUT', url, headers: new Headers({ 'X-A': 'b' }) } as Request)
    expect([head.method, head.target, head.header('x-a'), head.header('x-b')]).toEqual(['PUT', target, 'b', undefined])
  })

  it('has its fields, and reports how it ended', () => {
    const { header, ...call } = toCall(new Request('http://mock.test/v1/pets', { headers: { 'X-A': 'b', 'X-C': 'd' } }))
    expect(call).toEqual({ method: 'GET', target: '/v1/pets', fields: ['x-a', 'b', 'x-c', 'd'], reportsOutcome: true })
    // By its name, not by a value that is the same text.
    expect([header('x-c'), header('d'), header('x-b')]).toEqual(['d', undefined, undefined])
  })
})

describe('a response', () => {
  it('has status, fields and body of the reply', async () => {
    const response = toResponse({ status: 201, headers: { 'X-A': 'b' }, body: '{}' })
    expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([201, 'b', '{}'])
    expect(toResponse({ status: 204, headers: {}, body: '' }).body).toBeNull()
  })

  it('that is dropped announces a byte that never comes', async () => {
    const announced: number[] = []
    class FixedLengthStream extends TransformStream {
      constructor(bytes: number) {
        super()
        announced.push(bytes)
      }
    }
    vi.stubGlobal('FixedLengthStream', FixedLengthStream)
    await expect(toDropped().text()).rejects.toThrow('Dropped on purpose')
    expect(announced).toEqual([1])
    vi.unstubAllGlobals()
  })
})

describe('a stream of events', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers())

  /** A stream that is written to by hand. */
  function open() {
    const calls: string[] = []
    let write: (text: string) => void = () => {}
    const reply: ControlReply = {
      status: 200,
      headers: { 'X-A': 'b' },
      body: '',
      stream: {
        start(given) {
          write = given
        },
        stop: () => void calls.push('stop'),
      },
    }
    const { response, end } = toStream(reply, () => void calls.push('end'))
    return { calls, response, end, write: (text: string) => write(text) }
  }

  it('carries what is written, with the status and the fields of its reply, until it is ended', async () => {
    const { calls, response, end, write } = open()
    expect([response.status, response.headers.get('x-a')]).toEqual([200, 'b'])
    write('a 🐕\n')
    write('b\n')
    expect(calls).toEqual([])
    end()
    expect(await response.text()).toBe('a 🐕\nb\n')
    expect(calls).toEqual(['stop', 'end'])
  })

  it('shows every fifteen seconds that it is alive, and no more once it has ended', async () => {
    const { response, end } = open()
    vi.advanceTimersByTime(14_999)
    vi.advanceTimersByTime(15_001)
    end()
    expect(vi.getTimerCount()).toBe(0)
    expect(await response.text()).toBe(': still here\n\n: still here\n\n')
  })

  it('stops when its client leaves', async () => {
    const { calls, response } = open()
    await response.body?.cancel()
    expect(calls).toEqual(['stop', 'end'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is cut off once more than 4 MiB of it are unread', async () => {
    const { calls, response, write } = open()
    for (let count = 0; count < 4; count++) write('x'.repeat(2 ** 20))
    expect(calls).toEqual([])
    write('x')
    expect(calls).toEqual(['stop', 'end'])
    await expect(response.text()).rejects.toThrow('Too many events unread')
  })

  it('counts bytes, not pieces or characters, and only those that are unread', async () => {
    const { calls, response, write } = open()
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    write('é'.repeat(2 ** 20))
    await reader.read()
    for (let count = 0; count < 2; count++) write('é'.repeat(2 ** 20))
    expect(calls).toEqual([])
    write('é')
    expect(calls).toEqual(['stop', 'end'])
    await reader.cancel().catch(() => {})
  })
})
