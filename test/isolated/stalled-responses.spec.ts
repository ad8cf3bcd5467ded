// A client that does not read its response is not waited for without end.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock } from '../../src/mock/mock.ts'

const SHORT_MS = 1_000

vi.mock('../../src/contract/limits.ts', async (load) => ({
  ...(await load<object>()),
  SEND_TIMEOUT_MS: 1_000,
}))

/** A list far longer than what the system buffers of a connection. */
const pets = Array.from({ length: 100 }, (_, index) => ({
  id: index + 1,
  name: 'x'.repeat(200_000),
  categoryId: 1,
}))
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
  ['its response', `${GET}\r\n`],
  ['its second response', `${GET}Prefer: code=503, delay=50\r\n\r\n${GET}\r\n`],
])('the server disconnects a client that does not read %s', async (_, request) => {
  const given = new Promise((resolve) => {
    const onSocket = (message: unknown) =>
      (message as { socket: Socket }).socket.once('close', () => resolve(performance.now()))
    subscribe('net.server.socket', onSocket)
    onTestFinished(() => void unsubscribe('net.server.socket', onSocket))
  })
  const socket = await start()
  const startedAt = performance.now()
  socket.pause()
  socket.write(request)
  // Nothing is read before the server has given up; what is left then is not all.
  expect(await given).toBeGreaterThan(startedAt + SHORT_MS)
  let bytes = 0
  socket.on('data', (chunk) => {
    bytes += chunk.length
  })
  socket.resume()
  await new Promise((resolve) => socket.once('close', resolve))
  expect(bytes).toBeLessThan(20_000_000)
})

it('the server does not disconnect a client that waits for a delayed second response', async () => {
  const socket = await start()
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text = (text + chunk).slice(-200)
  })
  // The next one is delayed for longer than a response may stall.
  socket.write(
    `${GET}\r\n${GET}Prefer: code=503, delay=${2 * SHORT_MS}\r\nConnection: close\r\n\r\n`,
  )
  await new Promise((resolve) => socket.once('close', resolve))
  expect(text).toContain('"status":503')
})
