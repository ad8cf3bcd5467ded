// Many requests to one process with a small heap: it lives, remembers no more than it promises, and
// answers the last as it did the first. MEMORY_REQUESTS sets how many; measured with half a million
// and Node 20 on linux-x64: at most 99 MiB resident.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startCli } from '../support/cli-process.ts'
import { createRawClient, type RawRequest } from '../support/raw-client.ts'

const REQUESTS = Number(process.env.MEMORY_REQUESTS ?? 10_000)
const CLIENTS = 64
/** What V8 may use for objects that live; the process as a whole takes more. */
const HEAP_MIB = 96
/** Heap, code, buffers of the connections. */
const MAX_RESIDENT_MIB = 200

const readResidentBytes = (pid: number | undefined) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

const KEY = ['Authorization', 'Bearer memory-key'] as const
const JSON_TYPE = ['Content-Type', 'application/json'] as const
const many = (count: number, field: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => field(index)).join(',')

/** What is sent, how often in a thousand, and what must come back. */
const mix: [perThousand: number, status: number, request: RawRequest][] = [
  [400, 200, { target: '/v1/pets?limit=10', fields: [KEY] }],
  [250, 200, { target: '/v1/pets/7', fields: [KEY] }],
  [60, 200, { target: '/v1/pets?status=sold&limit=100', fields: [KEY] }],
  [70, 404, { target: '/v1/pets/999999999', fields: [KEY] }],
  [60, 401, { target: '/v1/pets' }],
  [50, 400, { method: 'POST', fields: [KEY, JSON_TYPE], body: '{"name":"Nobody"}' }],
  [
    40,
    201,
    {
      method: 'POST',
      fields: [KEY, JSON_TYPE],
      body: '{"name":"Soaked","categoryId":1,"status":"pending"}',
    },
  ],
  [40, 405, { method: 'DELETE', target: '/v1/pets/1', fields: [KEY] }],
  [20, 404, { target: '/v1/nothing', fields: [KEY] }],
  // What would fill a request log that counted rows alone: long bodies, long targets, and notes by
  // the thousand.
  [4, 400, { method: 'POST', fields: [KEY, JSON_TYPE], body: `{"name":"${'x'.repeat(60_000)}"}` }],
  [3, 200, { target: `/v1/pets?limit=1&x=${'y'.repeat(8_000)}`, fields: [KEY] }],
  [
    2,
    200,
    {
      target: `/v1/pets?limit=1&${many(1_500, (index) => index.toString(36)).replaceAll(',', '&')}`,
      fields: [KEY],
    },
  ],
  [
    1,
    400,
    {
      method: 'POST',
      fields: [KEY, JSON_TYPE],
      body: `{${many(2_000, (index) => `"f${index}":0`)}}`,
    },
  ],
]

it.runIf(process.platform === 'linux')(
  `the mock answers ${REQUESTS} requests with a heap of ${HEAP_MIB} MiB and less than ${MAX_RESIDENT_MIB} MiB resident`,
  { timeout: 900_000 },
  async () => {
    const running = await startCli(['--log', 'silent', '--now', '2026-11-15', '--frozen'], {
      env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` },
    })
    const banner = running.stderr()
    const port = Number(new URL(running.url).port)
    const turns = mix.flatMap(([perThousand, status, request]) =>
      Array.from({ length: perThousand }, () => ({ status, request })),
    )
    expect(turns).toHaveLength(1_000)
    // Every kind all along, not one after another: 379 and 1,000 have no common divisor.
    const order = turns.map((_, index) => turns[(index * 379) % 1_000] as (typeof turns)[number])
    const clients = Array.from({ length: CLIENTS }, () => createRawClient(port))
    const first = await (clients[0] as (typeof clients)[number]).ask(mix[0]?.[2] as RawRequest)

    let next = 0
    let mostMemory = 0
    const wrong: string[] = []
    await Promise.all(
      clients.map(async (client) => {
        while (next < REQUESTS && wrong.length === 0) {
          const turn = next++
          const { status, request } = order[turn % 1_000] as (typeof order)[number]
          const answer = await client.ask(request)
          if (answer.status !== status)
            wrong.push(
              `${request.method ?? 'GET'} ${request.target?.slice(0, 50)}: ${answer.status} instead of ${status}`,
            )
          const memory = turn % 5_000 === 0 ? readResidentBytes(running.child.pid) : 0
          mostMemory = Math.max(mostMemory, memory)
        }
      }),
    )
    console.log(
      `memory: ${next} requests, at most ${(mostMemory / 2 ** 20).toFixed(0)} MiB resident`,
    )
    expect(wrong).toEqual([])
    expect(next).toBe(REQUESTS)
    expect(mostMemory).toBeLessThan(MAX_RESIDENT_MIB * 2 ** 20)

    const [client] = clients as [(typeof clients)[number]]
    const requestLog = await client.ask({ target: '/__mock/requests' })
    const rows = JSON.parse(requestLog.text) as { id: number }[]
    expect(rows.length).toBeLessThanOrEqual(1_000)
    expect(rows.at(-1)?.id).toBe(REQUESTS + 1)
    expect(requestLog.text.length).toBeLessThan(20 * 2 ** 20)
    expect(await client.ask(mix[0]?.[2] as RawRequest)).toEqual(first)
    const health = JSON.parse((await client.ask({ target: '/__mock/health' })).text)
    expect(health.pets).toBe(18 + (REQUESTS * 40) / 1_000)
    expect([running.child.exitCode, running.stdout(), running.stderr()]).toEqual([null, '', banner])
    for (const one of clients) one.close()
    expect((await running.stop()).code).toBe(0)
  },
)
