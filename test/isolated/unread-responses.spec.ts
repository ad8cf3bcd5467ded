// Responses that clients do not read share one budget; clients that read are answered.
import { connect } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock } from '../../src/mock/mock.ts'

vi.mock('../../src/limits.ts', async (load) => ({ ...(await load<object>()), MAX_UNREAD_BYTES: 30_000_000 }))

/** A list far longer than what the system buffers of a connection. */
const pets = Array.from({ length: 100 }, (_, index) => ({ id: index + 1, name: 'x'.repeat(200_000), categoryId: 1 }))

it('the server answers 503 while too many bytes are unread, and then disconnects the slowest reader', async () => {
  const { port, url, close } = await serve(createMock({ pets }))
  onTestFinished(close)
  const ask = async () => {
    const response = await fetch(`${url}/pets/1`, { headers: { authorization: 'Bearer k' } })
    await response.arrayBuffer()
    return response.status
  }
  for (let client = 1; client <= 2; client++) {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    expect(await ask()).toBe(200)
    socket.write('GET /v1/pets?limit=100 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer k\r\n\r\n')
    await new Promise((resolve) => socket.once('readable', resolve))
  }
  expect(await ask()).toBe(503)
  await vi.waitFor(async () => expect(await ask()).toBe(200), { timeout: 10_000, interval: 100 })
})
