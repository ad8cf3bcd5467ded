// Clients that take memory: they send large bodies and never finish, or ask for long responses and never read.
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startCli } from '../support/cli-process.ts'
import { createRawClient } from '../support/raw-client.ts'
import { readRss } from './rss.ts'

const MIB = 2 ** 20
const CONNECTIONS = 300
/** One for all connections: a copy each would take more memory here than the server may. */
const BODY = Buffer.alloc(5_000_000, ' ')

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return socket
}

/** Sends all of it unless it is answered first; the beginning of the response, or nothing if none comes. */
function pour(socket: Socket, head: string, bytes: number): Promise<string> {
  return new Promise((resolve) => {
    socket.on('data', (chunk) => resolve(String(chunk)))
    socket.on('close', () => resolve('closed'))
    socket.write(head)
    socket.write(BODY.subarray(0, bytes), () => setTimeout(() => resolve(''), 2_000))
  })
}

it(`does not hold ${CONNECTIONS} bodies of 5 MB that never end`, { timeout: 60_000 }, async () => {
  const running = await startCli(['--log', 'silent'])
  const port = Number(new URL(running.url).port)
  const head = (...fields: string[]) =>
    [
      'PUT /__mock/state HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${BODY.length}`,
      ...fields,
      '',
      '',
    ].join('\r\n')
  const foreign = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => pour(open(port), head('Sec-Fetch-Site: cross-site'), 100_000)),
  )
  for (const text of foreign) expect(text).toMatch(/^HTTP\/1\.1 403 /)
  expect(await readRss(running)).toBeLessThan(300 * MIB)
  const own = await Promise.all(Array.from({ length: CONNECTIONS }, () => pour(open(port), head(), BODY.length - 1)))
  // The bodies that it holds are 256 MiB; held all, they were 1.5 GB. What V8 has not yet collected comes on top.
  expect(await readRss(running)).toBeLessThan(1000 * MIB)
  expect(own.filter((text) => text.startsWith('HTTP/1.1 503 ')).length).toBeGreaterThan(CONNECTIONS / 2)
  // Whoever sends a small body meanwhile is answered.
  const { status } = await createRawClient(port).ask({
    method: 'POST',
    fields: [
      ['Authorization', 'Bearer k'],
      ['Content-Type', 'application/json'],
    ],
    body: '{"name":"Pip","categoryId":1}',
  })
  expect(status).toBe(201)
})
