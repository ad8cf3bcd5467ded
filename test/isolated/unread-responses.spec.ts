// Responses that clients do not read share one budget; clients that read are answered.
import { connect } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock } from '../../src/mock/mock.ts'

vi.mock('../../src/contract/limits.ts', async (load) => ({
  ...(await load<object>()),
  MAX_BODIES_BYTES: 30_000_000,
}))

/** A list far longer than what the system buffers of a connection. */
const pets = Array.from({ length: 100 }, (_, index) => ({
  id: index + 1,
  name: 'x'.repeat(200_000),
  categoryId: 1,
}))

it('the server gives up the oldest response that is not read when others need the room, and answers clients that read', async () => {
  const { port, url, close } = await serve(createMock({ pets }))
  onTestFinished(close)
  const sockets = []
  for (let client = 1; client <= 3; client++) {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    sockets.push(socket.on('error', () => {}))
    socket.write(
      'GET /v1/pets?limit=100 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer k\r\nConnection: close\r\n\r\n',
    )
    await new Promise((resolve) => socket.once('readable', resolve))
  }
  const response = await fetch(`${url}/pets/1`, { headers: { authorization: 'Bearer k' } })
  expect([response.status, (await response.json()).name.length]).toEqual([200, 200_000])
  const isWhole = sockets.map(async (socket) => {
    let bytes = 0
    socket.on('data', (chunk) => {
      bytes += chunk.length
    })
    await new Promise((resolve) => socket.once('close', resolve))
    return bytes > 20_000_000
  })
  expect(await Promise.all(isWhole)).toEqual([false, false, true])
})
