// The same requests to the Node server and to a worker that is killed again and again: every response must be the same in status,
// fields and body.

import { isDeepStrictEqual } from 'node:util'
import { toJson } from '../../src/contract/int64-json.ts'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock } from '../../src/mock/mock.ts'
import type { Scenario } from '../../src/world/scenario.ts'
import { launch, startWorkerd, type Workerd } from '../support/workerd.ts'
import { type Answer, type Ask, createClient, TOKEN } from './http.ts'

interface Settings {
  readonly requests: number
  readonly kills: number
  readonly seed: number
}

interface Outcome {
  readonly requests: number
  readonly kills: number
  /** Kills that came while a request was under way. */
  readonly during: number
  /** Requests that were under way and had been carried out. */
  readonly carriedOut: number
  readonly differences: readonly string[]
}

const KEYS = ['ann', 'ben', 'cyd', 'dee', 'eve']
/** With a frozen clock, so that no field depends on the time of a request. */
const SCENARIO: Scenario = {
  name: 'start',
  pets: Array.from({ length: 12 }, (_, index) => ({ id: index + 1, name: `Animal ${index}`, categoryId: index, status: 'sold' })),
  now: '2030-12-04T23:00:00Z',
  frozen: true,
}

export async function compareWithKills({ requests, kills, seed }: Settings): Promise<Outcome> {
  const random = createRandom(seed)
  const server = await serve(createMock({ scenario: SCENARIO, sandbox: true }), { controlToken: TOKEN })
  let workerd: Workerd = await startWorkerd({ bindings: { CONTROL_TOKEN: TOKEN, SCENARIO: JSON.stringify(SCENARIO) } })
  const { stop } = workerd
  const worker = createClient(() => workerd.port)
  const node = createClient(() => server.port)
  const differences: string[] = []
  const killEvery = Math.floor(requests / kills)
  let during = 0
  let carriedOut = 0
  let killed = 0

  async function restart(): Promise<void> {
    await workerd.kill()
    workerd = await launch(workerd.folder)
    killed++
  }

  /** Kills the worker during a request, which must then be carried out as a whole or not at all. */
  async function killDuring(ask: Ask): Promise<void> {
    const answer = worker.ask(ask).catch(() => undefined)
    // Somewhere between sending it and receiving the response.
    await new Promise((resolve) => setTimeout(resolve, random() * 8))
    await restart()
    during++
    const got = await answer
    const path = `/__mock/state${toSandbox(ask)}`
    const isAsBefore = await isSame({ path, key: TOKEN })
    if (got) compare(ask, got, await node.ask(ask).catch(toDrop))
    else if (!isAsBefore) await node.ask(ask).catch(toDrop)
    if (got || !isAsBefore) carriedOut++
    if (!(await isSame({ path, key: TOKEN }))) differences.push(`after a kill during ${ask.method} ${ask.path}`)
  }

  async function isSame(ask: Ask): Promise<boolean> {
    const [one, other] = await Promise.all([worker.ask(ask), node.ask(ask)])
    return isDeepStrictEqual(one, other)
  }

  function compare(ask: Ask, one: Answer, other: Answer): void {
    const [seen, expected] = [tidy(one), tidy(other)]
    if (!isDeepStrictEqual(seen, expected)) differences.push(toJson({ ask, seen, expected }))
  }

  try {
    for (let count = 0; count < requests; count++) {
      const ask = makeRequest(random)
      if (count % killEvery === killEvery - 1) {
        if (killed % 2 === 0) await restart()
        else {
          await killDuring(ask)
          continue
        }
      }
      const [one, other] = await Promise.all([worker.ask(ask).catch(toDrop), node.ask(ask).catch(toDrop)])
      compare(ask, one, other)
    }
  } finally {
    await Promise.all([workerd.kill(), server.close()])
    await stop()
  }
  return { requests, kills: killed, during, carriedOut, differences }
}

/** A broken connection is an answer too. */
function toDrop(): Answer {
  return { status: 0, headers: {}, text: '' }
}

/** The uses of an assumption are counted in the request log, which may lack its last second, and a sandbox of a worker counts itself. */
/** Each sandbox of a worker numbers its own rows. */
function tidy({ status, headers: { 'content-length': length, 'x-mock-row': _, ...headers }, text }: Answer): unknown {
  const counts = /"(uses|sandboxes)":\d+/g
  return { status, headers: text.search(counts) >= 0 ? headers : { ...headers, length }, text: text.replace(counts, '') }
}

function toSandbox({ path, key }: Ask): string {
  const sandbox = path.startsWith('/__mock') ? /sandbox=(\w+)/.exec(path)?.[1] : key
  return sandbox === undefined || !KEYS.includes(sandbox) ? '' : `?sandbox=${sandbox}`
}

/** The generator of mulberry32: the same requests for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

const NAMES = ['Rex', '', 'Zoë 🦊', '\u0000', 'שלום', '"\\/\n', 'x'.repeat(3_000)]

function makeRequest(random: () => number): Ask {
  const upTo = (count: number) => Math.floor(random() * count)
  const pick = <T>(list: readonly T[]): T => list[upTo(list.length)] as T
  const key = pick(KEYS)
  const id = pick([1, 5, 12, 13, 14, 20, 999, '9223372036854775807', 'abc', 0])
  const service = (method: string, path: string, more: Partial<Ask> = {}): Ask => ({ method, path, key, ...more })
  const control = (method: string, path: string, body?: unknown): Ask => ({
    method,
    path: `/__mock${path}?sandbox=${key}`,
    key: TOKEN,
    ...(body === undefined ? {} : { body }),
  })
  const pet = () => ({
    name: pick(NAMES),
    categoryId: pick([1, -7, 9_223_372_036_854_775_807n]),
    ...pick([{}, { status: 'available' }, { status: 'pending' }, { colour: 'red' }]),
  })
  const makers: readonly [number, () => Ask][] = [
    [30, () => service('POST', '/v1/pets', { body: pet() })],
    [18, () => service('GET', `/v1/pets?${pick(['', 'limit=3', 'limit=100', 'status=sold', 'limit=0', 'status=x&limit=7'])}`)],
    [14, () => service('GET', `/v1/pets/${id}`)],
    [3, () => service('POST', '/v1/pets', { body: pick([{}, [], 'text', { name: 1, categoryId: 'x' }]) })],
    [2, () => service(pick(['GET', 'PUT', 'HEAD', 'OPTIONS']), pick(['/v1/pets', '/v1/Pets', '/pets', '/v1/nothing']))],
    [2, () => ({ path: '/v1/pets', ...pick([{}, { key: 'invalid' }, { headers: { authorization: 'Basic x' } }]) })],
    [2, () => service('GET', '/v1/pets', { headers: { prefer: pick(['code=503', 'drop', 'delay=2']) } })],
    [4, () => control('POST', '/faults', pick(FAULTS))],
    [2, () => control('DELETE', `/faults/${1 + upTo(6)}`)],
    [1, () => control('DELETE', '/faults')],
    [3, () => control('PUT', '/assumptions', pick(CHOICES))],
    [3, () => control('PUT', '/clock', pick([{ advance: 'PT10M' }, { now: '2030-12-01' }, { advance: 'P1D' }, { now: 'soon' }]))],
    [2, () => control('POST', '/pets', { ...pet(), colour: undefined, ...pick([{}, { id: 15 + upTo(30) }]) })],
    [2, () => control('PATCH', `/pets/${id}`, pick([{ status: 'sold' }, { name: 'Renamed' }, { status: null }]))],
    [2, () => control('DELETE', `/pets/${id}`)],
    [1, () => control('POST', '/reset')],
    [1, () => control('PUT', '/state', { ...SCENARIO, name: 'loaded', nextId: 40 + upTo(9) })],
    [8, () => control('GET', pick(['/state', '/faults', '/clock', '/diff', '/assumptions', '/pets']))],
  ]
  let left = upTo(makers.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, make] of makers) {
    if (left < weight) return make()
    left -= weight
  }
  throw new Error('unreachable')
}

const FAULTS = [
  { operation: 'createPet', status: 503, times: 2, retryAfter: 1 },
  { operation: '*', status: 500, rate: 0.3 },
  { operation: 'listPets', delay: [0, 3], after: 2 },
  { operation: 'getPet', drop: true, times: 1 },
  { operation: 'none' },
]
const CHOICES = [
  { 'invalid-query': 'clamp' },
  { 'default-status': 'pending' },
  { 'list-order': 'newest-first' },
  { 'error-codes': 'snake' },
  { 'removed-answer': 'gone' },
  { nothing: 'x' },
]
