// Request bodies that are still arriving are held in memory, so all of them together have a limit:
// a small one here.
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock } from '../../src/index.ts'

vi.mock('../../src/contract/limits.ts', async (load) => ({
  ...(await load<object>()),
  MAX_BODIES_BYTES: 1_200_000,
}))

/** Begins a body and sends a part of it; what comes back is collected in `text`. */
async function send(
  port: number,
  announced: number,
  sent: number,
): Promise<{ socket: Socket; text(): string }> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  socket.write(
    `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer k\r\nContent-Type: application/json\r\nContent-Length: ${announced}\r\n\r\n`,
  )
  await new Promise<void>((resolve) => socket.write(' '.repeat(sent), () => resolve()))
  return { socket, text: () => text }
}

it('the server answers 503 when too many bodies are arriving at once, and accepts bodies again afterwards', async () => {
  const mock = createMock()
  const { port, close } = await serve(mock)
  onTestFinished(close)
  const body = '{"name":"Rex","categoryId":1}'
  const first = await send(port, 1_000_000 + body.length, 1_000_000)
  // The first must have arrived before the second begins, which only the second can show.
  const second = await send(port, 500_000, 200_000)
  await vi.waitFor(() => expect(second.text() + first.text()).toMatch(/^HTTP\/1\.1 503 /), 10_000)
  // What comes after its refusal takes no room.
  await new Promise((resolve) => second.socket.write(' '.repeat(300_000), resolve))
  second.socket.destroy()
  if (first.text() === '') {
    first.socket.write(body)
    await vi.waitFor(() => expect(first.text()).toMatch(/^HTTP\/1\.1 201 /), 10_000)
  }
  // Clients that leave, in the middle of a body and with requests that wait, leave room.
  const get =
    'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer k\r\nPrefer: delay=60000\r\n\r\n'
  for (let client = 1; client <= 9; client++) {
    ;(await send(port, 500_000, 200_000)).socket.destroy()
    const waiting = connect(port, '127.0.0.1', () => waiting.write(get.repeat(30)))
    await vi.waitFor(
      () => expect(mock.control.requests({ waiting: true }).at(-1)?.outcome).toBe('waiting'),
      10_000,
    )
    waiting.destroy()
    await vi.waitFor(
      () => expect(mock.control.requests({ waiting: true }).at(-1)?.outcome).toBe('aborted'),
      10_000,
    )
  }
  const third = await send(port, body.length, 0)
  third.socket.write(body)
  await vi.waitFor(() => expect(third.text()).toMatch(/^HTTP\/1\.1 201 /), 10_000)
})
