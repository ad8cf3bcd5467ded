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

it('does not hold 25,000 delayed responses of one connection, and answers others meanwhile', { timeout: 60_000 }, async () => {
  const running = await startCli(['--log', 'silent'])
  const port = Number(new URL(running.url).port)
  const delayed = 'GET /v1/pets/1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer k\r\nPrefer: delay=60000\r\n\r\n'
  const socket = open(port)
  socket.write(delayed.repeat(25_000))
  const client = createRawClient(port)
  const ask = async () => {
    const before = performance.now()
    expect((await client.ask({ target: '/v1/pets/1', fields: [['Authorization', 'Bearer k']] })).status).toBe(200)
    return performance.now() - before
  }
  const waits: number[] = []
  for (let other = 0; other < 40; other++) {
    waits.push(await ask())
    if (other === 20) socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  client.close()
  // A busy machine can make one of them late.
  expect(waits.filter((milliseconds) => milliseconds > 500).length).toBeLessThan(3)
  expect(await readRss(running)).toBeLessThan(160 * MIB)
  const before = performance.now()
  expect((await running.stop()).code).toBe(0)
  expect(performance.now() - before).toBeLessThan(2_500)
})

it('does not hold packets full of delayed requests, whatever comes first in them', { timeout: 60_000 }, async () => {
  const running = await startCli(['--log', 'silent'])
  const port = Number(new URL(running.url).port)
  const get = (...fields: string[]) =>
    ['GET /v1/pets/1 HTTP/1.1', 'Host: localhost', 'Authorization: Bearer k', ...fields, '', ''].join('\r\n')
  const delayed = get('Prefer: delay=60000')
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => {
      const socket = open(port)
      socket.write(index % 2 === 0 ? delayed.repeat(700) : delayed + get().repeat(700))
      return new Promise((resolve) => socket.once('data', (data) => resolve(String(data).slice(9, 12))).once('close', () => resolve('503')))
    }),
  )
  expect(new Set(answers)).toEqual(new Set(['503']))
  expect(await readRss(running)).toBeLessThan(400 * MIB)
  const { status } = await createRawClient(port).ask({ fields: [['Authorization', 'Bearer k']] })
  expect(status).toBe(200)
})
