// A client that does not read its response is not waited for without end.
import { connect } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { serve } from '../src/hosts/node/serve.ts'
import { createMock } from '../src/mock.ts'

const SHORT_MS = 300

vi.mock('../src/limits.ts', async (load) => ({ ...(await load<object>()), SEND_TIMEOUT_MS: 300 }))

/** A list far longer than what the system buffers of a connection. */
const pets = Array.from({ length: 100 }, (_, index) => ({ id: index + 1, name: 'x'.repeat(200_000), categoryId: 1 }))
const GET = 'GET /v1/pets?limit=100 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer k\r\n'

async function start() {
  const server = await serve(createMock({ pets }))
  onTestFinished(server.close)
  const socket = connect(server.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  return socket
}

it.each([
  ['one', `${GET}\r\n`],
  ['one that comes after another', `${GET}Prefer: code=503, delay=50\r\n\r\n${GET}\r\n`],
])('is given up: %s', async (_, request) => {
  const socket = await start()
  const startedAt = performance.now()
  socket.pause()
  socket.write(request)
  // Nothing is read before the server has given up; what is left then is not all.
  await new Promise((resolve) => setTimeout(resolve, 4 * SHORT_MS))
  let bytes = 0
  socket.on('data', (chunk) => {
    bytes += chunk.length
  })
  socket.resume()
  await new Promise((resolve) => socket.once('close', resolve))
  expect(bytes).toBeLessThan(20_000_000)
  expect(performance.now() - startedAt).toBeLessThan(10 * SHORT_MS)
})

it('is not given up while it is read, however slowly', async () => {
  const socket = await start()
  const startedAt = performance.now()
  let bytes = 0
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('data', (chunk) => {
    bytes += chunk.length
    socket.pause()
    setTimeout(() => socket.resume(), 3)
  })
  socket.write(`${GET}Connection: close\r\n\r\n`)
  await closed
  expect(performance.now() - startedAt).toBeGreaterThan(2 * SHORT_MS)
  expect(bytes).toBeGreaterThan(20_000_000)
})
