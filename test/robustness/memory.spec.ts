// What a client chooses to send must not become what the mock keeps: a process with little memory stands the worst of it.
import { expect, it } from 'vitest'
import { startCli } from '../support/cli-process.ts'
import { createRawClient, type RawRequest } from '../support/raw-client.ts'
import { readRss } from './rss.ts'

const HEAP = 96
/** Heap, code, buffers of the connections. */
const RSS_LIMIT = 300 * 2 ** 20
const KEY = ['Authorization', 'Bearer memory-key'] as const
const JSON_TYPE = ['Content-Type', 'application/json'] as const

async function start(flags: readonly string[]) {
  const running = await startCli([...flags, '--log', 'silent'], { env: { NODE_OPTIONS: `--max-old-space-size=${HEAP}` } })
  const client = createRawClient(Number(new URL(running.url).port))
  return {
    client,
    async send(status: number, request: RawRequest) {
      const answer = await client.ask({ ...request, fields: [KEY, JSON_TYPE] })
      if (answer.status !== status) expect(answer).toMatchObject({ status })
    },
    async check() {
      expect(running.child.exitCode).toBeNull()
      expect(await readRss(running)).toBeLessThan(RSS_LIMIT)
      client.close()
    },
  }
}

const many = (count: number, mark: string, field: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => field(index)).join(mark)
const worst: [title: string, status: number, request: RawRequest][] = [
  ['long bodies', 400, { method: 'POST', body: `{"name":"${'x'.repeat(60_000)}"}` }],
  ['long targets', 200, { target: `/v1/pets?limit=1&x=${'y'.repeat(8_000)}` }],
  ['parameters by the thousand', 200, { target: `/v1/pets?limit=1&${many(2_000, '&', (index) => index.toString(36))}` }],
  ['fields by the thousand', 400, { method: 'POST', body: `{${many(3_000, ',', (index) => `"f${index}":0`)}}` }],
  ['a field a thousand times', 400, { method: 'POST', body: `{${many(3_000, ',', () => '"a":0')}}` }],
]

it.each(worst)('remembers no more than it may of %s', async (_, status, request) => {
  const { send, client, check } = await start([])
  // More than the request log holds, so that all of it is of this.
  for (let turn = 0; turn < 1_100; turn++) await send(status, request)
  const { text } = await client.ask({ target: '/__mock/requests' })
  expect(JSON.parse(text).length).toBeLessThanOrEqual(1_000)
  expect(text.length).toBeLessThan(16 * 2 ** 20)
  await check()
})

it('keeps no more of long lists than the animals themselves', async () => {
  const { send, check } = await start(['--scenario', 'empty'])
  for (let index = 0; index < 100; index++)
    await send(201, { method: 'POST', body: JSON.stringify({ name: 'x'.repeat(40_000), categoryId: index, status: 'sold' }) })
  for (const status of ['', '&status=sold'])
    for (let limit = 1; limit <= 100; limit++) await send(200, { target: `/v1/pets?limit=${limit}${status}` })
  await check()
})

it('keeps nothing of questions that nobody asked before', async () => {
  const { send, check } = await start(['--assume', 'invalid-query=clamp'])
  for (let index = 0; index < 14_000; index++) await send(200, { target: `/v1/pets?status=${index}-${'z'.repeat(7_900)}` })
  await check()
})
