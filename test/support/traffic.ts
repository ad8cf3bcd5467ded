// Traffic for tests: services as plain functions, requests of an app to them, and a HAR of what they
// answered.
import { tryJson } from '../../src/contract/int64-json.ts'
import type { Random } from '../../src/contract/random.ts'
import { createMock, type MockOptions } from '../../src/index.ts'
import { toCall } from '../../src/service/call.ts'

export interface Sent {
  readonly method: string
  /** Below `/v1`, with its query. */
  readonly path: string
  readonly type?: string
  readonly body?: string
  /** Null for none. */
  readonly key?: string | null
}

export interface Got {
  readonly status: number
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Service = (sent: Sent) => Got

export const KEY = 'traffic-key-0123456789'
const BASE = 'https://store.test/v1'

export function createMockService(options: MockOptions): Service {
  const mock = createMock(options)
  return (sent) => {
    const headers = headersOf(sent)
    const { method, path, body } = sent
    const reply = mock.answer(toCall({ method, target: `/v1${path}`, headers, body }))
    const fields = Object.entries(reply.headers).map(([name, value]) => [name.toLowerCase(), value])
    return { status: reply.status, headers: Object.fromEntries(fields), body: reply.body }
  }
}

function headersOf({ key = KEY, type }: Sent): Record<string, string> {
  return {
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(type === undefined ? {} : { 'content-type': type }),
  }
}

/** One request after the other, with a clock of its own. */
export function createRecorder(service: Service) {
  const entries: object[] = []
  let now = Date.parse('2026-11-20T12:00:00Z')
  return {
    entries,
    send(sent: Sent): unknown {
      const got = service(sent)
      entries.push(toEntry(sent, got, now))
      now += 20
      return tryJson(got.body)
    },
    har: () => ({ log: { version: '1.2', entries } }),
  }
}

export function toEntry(sent: Sent, got: Got, startedAt: number, time = 10) {
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time,
    request: {
      method: sent.method,
      url: BASE + sent.path,
      headers: listFields(headersOf(sent)),
      ...(sent.body === undefined ? {} : { postData: { text: sent.body } }),
    },
    response: {
      status: got.status,
      headers: listFields(got.headers),
      content: { size: got.body.length, mimeType: 'application/json', text: got.body },
    },
  }
}

const listFields = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }))

/**
 * A request of an app that reads and adds animals, and now and then does something odd. It knows
 * the ids up to a bit above the highest.
 */
export function drawRequest(random: Random, highest: number): Sent {
  const draw = random.next()
  if (draw < 0.38) return { method: 'GET', path: `/pets${random.pick(QUERIES)}` }
  if (draw < 0.68) return { method: 'GET', path: `/pets/${1 + below(random, highest + 3)}` }
  if (draw < 0.92) return drawCreation(random)
  if (draw < 0.97) return create(random.pick(INVALID))
  return { method: 'GET', path: random.pick(ODD) }
}

const QUERIES = [
  '',
  '?limit=5',
  '?limit=100',
  '?status=sold',
  '?status=available&limit=3',
  '?limit=2',
]
const ODD = ['/pets?limit=0', '/pets?status=gone', '/pets/x', '/pets?page=2', '/animals']
const INVALID = ['{}', '{', '[]', '{"name":"Rex"}', '{"name":1,"categoryId":"x"}', 'null']

function drawCreation(random: Random): Sent {
  const status = random.pick(['available', 'pending', 'sold', undefined])
  const extra = random.next() < 0.05 ? { colour: 'red' } : {}
  const name = `Animal ${below(random, 1000)}`
  const body = JSON.stringify({ name, categoryId: below(random, 4), status, ...extra })
  return create(body, random.next() < 0.05 ? 'text/plain' : 'application/json')
}

export function create(body: string, type = 'application/json'): Sent {
  return { method: 'POST', path: '/pets', type, body }
}

export const below = (random: Random, end: number) => Math.floor(random.next() * end)
