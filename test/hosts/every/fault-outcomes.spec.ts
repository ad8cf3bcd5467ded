// The table of outcomes in docs/faults.md, compared with what clients see.
import { connect as connectHttp2 } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { expect, it, onTestFinished } from 'vitest'
import { type Nearest, OUTCOMES, PLACES, type Seen } from '../../../build/docs-outcomes.ts'
import { middleware } from '../../../src/hosts/node/middleware.ts'
import { serve } from '../../../src/hosts/node/serve.ts'
import { createMock, type Mock, type MockOptions } from '../../../src/mock/mock.ts'
import type { Fault } from '../../../src/world/faults.ts'
import { Dropped, hosts, startHttp2 } from '../../support/hosts.ts'
import { createCertificate } from '../../support/tls-proxy.ts'
import { startOnWorker, useWorkerd } from '../../support/worker-host.ts'

/** Below the 400 ms of a delay, and the time that the slow body takes. */
const LATE_MS = 390
const SLOW_MS = 300
const BODY = '{"name":"Rex","categoryId":1}'
const headers = {
  host: 'localhost',
  authorization: 'Bearer any-key',
  'content-type': 'application/json',
  'content-length': String(BODY.length),
}
type Place = (typeof PLACES)[number]
/** Sends a createPet to a new mock with these options. */
type Look = (options: MockOptions) => Promise<{ mock: Mock; seeing: Promise<Seen> }>

const looks: Record<string, readonly [Place, Look]> = {
  node: ['HTTP', lookOverHttp],
  tls: ['HTTPS', lookOverTls],
  http2: ['HTTP/2', lookOverHttp2],
  fetch: ['`fetch`, MSW', (options) => lookByFetch('fetch', options)],
  msw: ['`fetch`, MSW', (options) => lookByFetch('msw', options)],
  worker: ['Workers', lookAtWorker],
}

async function lookOverHttp(options: MockOptions) {
  const mock = createMock(options)
  const { port, close } = await serve(mock)
  onTestFinished(close)
  return { mock, seeing: look(connect(port, '127.0.0.1')) }
}

async function lookOverTls(options: MockOptions) {
  const mock = createMock(options)
  const server = createTlsServer(createCertificate(), middleware(mock))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
  return { mock, seeing: look(socket) }
}

/** Sends the request, and reads until the connection closes or the response is there. */
function look(socket: Duplex): Promise<Seen> {
  const began = performance.now()
  let text = ''
  let firstMs = 0
  return new Promise((resolve) => {
    let end: Seen = 'closed'
    socket.on('error', () => {
      end = 'reset'
    })
    socket.on('data', (bytes) => {
      if (text === '') firstMs = performance.now() - began
      text += bytes
      if (isWhole(text)) socket.destroy()
    })
    socket.on('close', () => {
      if (text === '') resolve(end)
      else if (!isWhole(text)) resolve('cut')
      else resolve(nameTime(firstMs, performance.now() - began))
    })
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`POST /v1/pets HTTP/1.1\r\n${fields.join('')}\r\n${BODY}`)
  })
}

function isWhole(text: string): boolean {
  const [head = '', body] = text.split('\r\n\r\n')
  const [, length] = /content-length: (\d+)/i.exec(head) ?? []
  return body?.length === Number(length)
}

function nameTime(firstMs: number, lastMs: number): Seen {
  if (lastMs - firstMs >= SLOW_MS) return 'slowly'
  return firstMs >= LATE_MS ? 'late' : 'sent'
}

async function lookOverHttp2(options: MockOptions) {
  const mock = createMock(options)
  const { authority } = await startHttp2(mock)
  const session = connectHttp2(`http://${authority}`)
  onTestFinished(() => session.destroy())
  const { host, ...fields } = headers
  const began = performance.now()
  const stream = session.request({ ':method': 'POST', ':path': '/v1/pets', ...fields })
  const seeing = new Promise<Seen>((resolve) => {
    let firstMs = 0
    let length = 0
    stream.on('error', () => {})
    stream.on('response', () => {
      firstMs = performance.now() - began
    })
    stream.on('data', (bytes) => {
      length += bytes.length
    })
    stream.on('close', () => {
      if (stream.rstCode === 0) resolve(nameTime(firstMs, performance.now() - began))
      else resolve(length > 0 ? 'cut-stream' : 'stream-reset')
    })
  })
  stream.end(BODY)
  return { mock, seeing }
}

async function lookByFetch(name: 'fetch' | 'msw', options: MockOptions) {
  const mock = createMock(options)
  const wire = await hosts[name](mock)
  return { mock, seeing: lookByWire(wire, 'error', 'cut-body') }
}

async function lookAtWorker(options: MockOptions) {
  const { mock, wire } = await startOnWorker(options)
  return { mock, seeing: lookByWire(wire, 'closed', 'cut') }
}

async function lookByWire(
  wire: Awaited<ReturnType<(typeof hosts)['fetch']>>,
  none: Seen,
  half: Seen,
): Promise<Seen> {
  const { host, 'content-length': _, ...fields } = headers
  const began = performance.now()
  try {
    const body = new TextEncoder().encode(BODY)
    await wire({ method: 'POST', target: '/v1/pets', headers: fields, body })
  } catch (error) {
    if (!(error instanceof Dropped)) throw error
    return error.message === '' ? none : half
  }
  const spent = performance.now() - began
  return nameTime(spent, spent)
}

/** Lets a held response go, unless the client has got it before. */
async function release({ control }: Mock, seeing: Promise<Seen>): Promise<Seen> {
  let isEarly = false
  seeing.then(() => {
    isEarly = true
  })
  while (control.held().length === 0) await new Promise((resolve) => setImmediate(resolve))
  const early = isEarly
  control.release()
  await seeing
  return early ? 'sent' : 'released'
}

const chosen = (process.env.HOSTS ?? '').split(',')
if (chosen.includes('worker')) useWorkerd()
const places = Object.keys(looks).filter((name) => chosen.includes(name === 'tls' ? 'node' : name))

it.each(places)('on %s a client sees of every outcome what the docs say', async (name) => {
  const [place, see] = looks[name] as (typeof looks)[string]
  const column = PLACES.indexOf(place)
  const shown: Record<string, unknown> = {}
  const expected: Record<string, unknown> = {}
  const tries = Object.entries(OUTCOMES).map(async ([outcome, { fault, runs, seen: columns }]) => {
    const faults = [{ operation: 'createPet', ...fault } as Fault]
    const { mock, seeing } = await see({ pets: [], faults })
    const { control } = mock
    const result = fault.hold ? await release(mock, seeing) : await seeing
    const [row] = control.requests()
    const isNearest = row?.notes.some((note) => note.includes(': it cannot be '))
    // The machine may be busy: the mock knows whether it waited.
    const isLate = result === 'late' && Number(row?.durationMs) >= LATE_MS
    const seen = result === 'late' && !isLate ? 'sent' : result
    const cell: Seen | Nearest = isNearest ? `${seen}*` : seen
    shown[outcome] = [cell, control.summary().pets]
    expected[outcome] = [columns[column], runs ? 1 : 0]
  })
  await Promise.all(tries)
  expect(shown).toEqual(expected)
})
