// Another's judgement on the wire: the requests of the transcripts go to the mock through a real `prism proxy`, which holds every response
// against the contract. Left out is what Prism does not carry (odd targets end it, HEAD, OPTIONS, drops) and numbers beyond 2^53,
// which it reads as others.
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Serving, serve } from '../../src/hosts/node/serve.ts'
import { createMock, type MockOptions } from '../../src/index.ts'
import { UNDOCUMENTED } from '../support/judge.ts'
import { PETS, parseRequest } from '../support/play.ts'
import { type Prism, type PrismViolation, startPrism } from '../support/prism.ts'
import { createRawClient, type RawClient } from '../support/raw-client.ts'

const folder = new URL('../transcripts/', import.meta.url)
const mock = createMock()
let server: Serving
let prism: Prism
let client: RawClient
let judged = 0

beforeAll(async () => {
  server = await serve(mock)
  prism = await startPrism(server.url)
  client = createRawClient(prism.port)
}, 60_000)

afterAll(async () => {
  client?.close()
  await prism?.stop()
  await server?.close()
})

const isCarried = (line: string) =>
  /^> (GET|POST|PUT|PATCH|DELETE) \/v1\/(pets|store)[\w/?=&.-]* ?/.test(line) && !/\d{16}|drop|⟨/.test(line)
const transcripts = readdirSync(folder)
  .filter((name) => name.endsWith('.txt') && !name.startsWith('targets'))
  .map((name) => {
    const [first = '', ...lines] = readFileSync(new URL(name, folder), 'utf8').split('\n')
    const { faults, ...options } = JSON.parse(first.replace(/^# */, '')) as MockOptions
    return { name, options, requests: lines.filter(isCarried) }
  })
  .filter(({ requests, options }) => requests.length > 0 && options.sandbox !== true)

/** Prism's objections to the response; an undocumented status is one only where nothing explains it. */
function readObjections(header: string | undefined, status: number, isFaulty: boolean): PrismViolation[] {
  const violations: PrismViolation[] = JSON.parse(header ?? '[]')
  return violations.filter(({ location, message }) => {
    const isAboutStatus = message.startsWith('Unable to match the returned status code')
    return location[0] === 'response' && !(isAboutStatus && (isFaulty || status in UNDOCUMENTED))
  })
}

it.each(transcripts)('has nothing to object to in $name', async ({ options, requests }) => {
  const { corsOrigins, requestLog, sandbox, scenario, ...settings } = options
  const pets = PETS.filter(({ id, categoryId }) => id < 2 ** 53 && categoryId < 2 ** 53)
  mock.control.load({ pets, now: '2026-11-15T08:00:00Z', frozen: true, ...(scenario as object), ...settings } as never)
  for (const line of requests) {
    const { method, target, fields, text: body } = parseRequest(line)
    const before = mock.control.requests().at(-1)?.id
    const answer = await client.ask({ method, target: target.slice('/v1'.length), fields: Object.entries(fields), body })
    const own = mock.control.requests().at(-1)
    // Prism answers some by itself, and writes some targets in another way.
    if (own?.id === before || own?.target !== target) continue
    judged++
    expect(answer.status, line).toBe(own.status)
    expect(answer.text, line).toBe(own.response.body)
    expect(readObjections(answer.headers['sl-violations'], answer.status, 'prefer' in fields), line).toEqual([])
  }
})

it('is awake: it judges most of them, and finds fault with a bad request, too', async () => {
  expect(judged).toBeGreaterThan(transcripts.flatMap(({ requests }) => requests).length * 0.8)
  const fields = [['authorization', 'Bearer k'] as const, ['content-type', 'application/json'] as const]
  const answer = await client.ask({ method: 'POST', target: '/pets', fields, body: '{}' })
  expect(answer.headers['sl-violations']).toContain('"request"')
})
