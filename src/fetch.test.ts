import { describe, expect, it } from 'vitest'
import { createFetch, createResponder } from './fetch.ts'
import type { Call, Reply } from './service/call.ts'

/** A service that gives one reply, and keeps what it was asked. */
function stub(reply: Partial<Reply> = {}) {
  const calls: Call[] = []
  return {
    calls,
    answer(call: Call): Reply {
      calls.push(call)
      return { status: 200, headers: { 'Content-Type': 'application/json' }, body: '[]', ...reply }
    },
  }
}

const ADDRESS = 'http://mock.test/v1/pets?limit=1#top'

describe('createFetch', () => {
  it('carries method, target, fields and body in', async () => {
    const service = stub()
    await createFetch(service)(new Request(ADDRESS, { method: 'POST', body: 'é', headers: { 'X-One': '1' } }))
    const [call] = service.calls
    expect(call).toMatchObject({ method: 'POST', target: '/v1/pets?limit=1', body: new TextEncoder().encode('é') })
    expect([call?.header('x-one'), call?.header('x-two')]).toEqual(['1', undefined])
  })

  it.each(['GET', 'HEAD', 'DELETE', 'POST'])('finds no body in a %s without one', async (method) => {
    const service = stub()
    await createFetch(service)(new Request(ADDRESS, { method }))
    await createFetch(service)(new Request(ADDRESS, { method, ...(method === 'POST' ? { body: '' } : {}) }))
    expect(service.calls.map(({ body }) => body)).toEqual([undefined, undefined])
  })

  it('reads the body where requests have no property for it, as in Firefox', async () => {
    const service = stub()
    const request = new Request(ADDRESS, { method: 'POST', body: '{}' })
    Object.defineProperty(request, 'body', { value: undefined })
    await createFetch(service)(request)
    expect(service.calls[0]?.body).toEqual(new TextEncoder().encode('{}'))
  })

  it('carries status, fields and body out', async () => {
    const response = await createFetch(stub({ status: 503, headers: { 'Retry-After': '1' }, body: '{"é":1}' }))(new Request(ADDRESS))
    expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([503, '1', '{"é":1}'])
  })

  it('gives an answer without a body no body', async () => {
    const response = await createFetch(stub({ status: 204, body: '' }))(new Request(ADDRESS, { method: 'OPTIONS' }))
    expect([response.status, response.body]).toEqual([204, null])
  })

  it('rejects where the connection drops', async () => {
    await expect(createFetch(stub({ status: 0, drop: true }))(new Request(ADDRESS))).rejects.toThrow(TypeError)
  })

  it('waits as long as the reply says', async () => {
    const before = performance.now()
    await createFetch(stub({ delay: 40 }))(new Request(ADDRESS))
    expect(performance.now() - before).toBeGreaterThanOrEqual(39)
  })

  it('does not ask for a request that has been aborted', async () => {
    const service = stub()
    const reason = new Error('changed my mind')
    await expect(createFetch(service)(new Request(ADDRESS, { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason)
    expect(service.calls).toEqual([])
  })

  it('rejects with the reason as soon as a delayed request is aborted', async () => {
    const controller = new AbortController()
    const reason = new Error('changed my mind')
    const answer = createFetch(stub({ delay: 60_000 }))(new Request(ADDRESS, { signal: controller.signal }))
    controller.abort(reason)
    await expect(answer).rejects.toBe(reason)
  })
})

describe('createResponder', () => {
  it('answers with a network error where the connection drops', async () => {
    expect((await createResponder(stub({ status: 0, drop: true }))(new Request(ADDRESS))).type).toBe('error')
  })

  it('asks for the target that it is told to find', async () => {
    const service = stub()
    await createResponder(service, ({ pathname }) => pathname.replace('/v1', '/v2'))(new Request(ADDRESS))
    expect(service.calls[0]?.target).toBe('/v2/pets')
  })

  it('ends the waiting without an error when a request is aborted', async () => {
    const controller = new AbortController()
    const answer = createResponder(stub({ delay: 60_000 }))(new Request(ADDRESS, { signal: controller.signal }))
    controller.abort()
    expect((await answer).status).toBe(200)
  })
})
