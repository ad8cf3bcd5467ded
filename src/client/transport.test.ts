import { expect, it } from 'vitest'
import { createFetchTransport } from './transport.ts'

/** A transport over a fetch that notes what it is given, and what becomes of the body. */
function create(pieces: readonly Uint8Array[], headers: Record<string, string> = {}, status = 200) {
  const sent: unknown[] = []
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
    },
    cancel() {
      isCancelled = true
    },
  })
  const transport = createFetchTransport('http://mock.test', async (...args) => {
    sent.push(args)
    return new Response(status === 204 ? null : body, { status, headers })
  })
  return { transport, sent, isCancelled: () => isCancelled }
}

const bytes = (text: string) => new TextEncoder().encode(text)

it('asks without credentials, cache or redirects', async () => {
  const { transport, sent } = create([])
  const { signal } = new AbortController()
  await transport({ method: 'PUT', target: '/a?b', headers: { c: 'd' }, body: 'e', signal })
  await transport({ method: 'GET', target: '/', headers: {} })
  const common = { cache: 'no-store', credentials: 'omit', redirect: 'manual' }
  expect(sent).toEqual([
    ['http://mock.test/a?b', { method: 'PUT', headers: { c: 'd' }, ...common, body: 'e', signal }],
    ['http://mock.test/', { method: 'GET', headers: {}, ...common }],
  ])
})

it('has the status and the type of a response, and its text in pieces', async () => {
  const fox = bytes('🦊!')
  const { transport, isCancelled } = create([fox.slice(0, 2), fox.slice(2)], { 'content-type': 'text/event-stream' }, 201)
  const response = await transport({ method: 'GET', target: '/', headers: {} })
  expect([response.status, response.contentType]).toEqual([201, 'text/event-stream'])
  const chunks: string[] = []
  for await (const chunk of response.chunks()) {
    chunks.push(chunk)
    if (chunks.length === 2) break
  }
  expect(chunks.join('')).toBe('🦊!')
  expect(isCancelled()).toBe(true)
})

it('frees the connection of a response that is given up', async () => {
  const { transport, isCancelled } = create([bytes('x')])
  const response = await transport({ method: 'GET', target: '/', headers: {} })
  expect(response.contentType).toBe('')
  response.cancel()
  expect(isCancelled()).toBe(true)
})

it('has no chunks of a response without a body, and nothing to give up', async () => {
  const { transport } = create([], {}, 204)
  const response = await transport({ method: 'GET', target: '/', headers: {} })
  for await (const chunk of response.chunks()) expect.unreachable(chunk)
  response.cancel()
  expect(await response.text()).toBe('')
})
