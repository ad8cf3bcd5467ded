// Clients that begin and never finish: they are dropped in time, however many there are, and the others do not notice.
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { startCli } from '../support/cli-process.ts'
import { createRawClient } from '../support/raw-client.ts'

const SLOW = 4_000
/** Node gives a process all the descriptors that the system allows it; each connection takes one at both ends. */
const NEEDED = SLOW + 500

/** What each kind sends, and by when it must have been dropped: the limit for it, a second until the check, and some slack. */
const kinds = [
  { bytes: 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', limit: 5_000 },
  { bytes: '', limit: 5_000, isSilent: true },
  {
    bytes:
      'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer k\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na',
    limit: 10_000,
  },
  {
    bytes:
      'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer k\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"na',
    limit: 10_000,
  },
]
const SLACK = 4_000

interface Slow {
  readonly limit: number
  readonly isSilent: boolean
  readonly openedAt: number
  closedAt?: number
  text: string
}

function findDescriptors(): number {
  const report = process.report.getReport() as unknown as { userLimits: { open_files: { soft: number | string } } }
  const { soft } = report.userLimits.open_files
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY
}

it(`drops ${SLOW} clients that do not get their requests across, and answers others meanwhile`, { timeout: 60_000 }, async () => {
  expect(findDescriptors(), 'open files that this machine allows: raise it (ulimit -n)').toBeGreaterThan(NEEDED)
  const running = await startCli(['--scenario', 'empty', '--log', 'silent'])
  const banner = running.stderr()
  const port = Number(new URL(running.url).port)
  const sockets: Socket[] = []
  const slow: Slow[] = []

  async function open(index: number): Promise<void> {
    const { bytes, limit, isSilent = false } = kinds[index % kinds.length] as (typeof kinds)[number]
    const socket = connect(port, '127.0.0.1')
    const one: Slow = { limit, isSilent, openedAt: performance.now(), text: '' }
    sockets.push(socket)
    slow.push(one)
    socket.on('data', (chunk) => {
      one.text += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      one.closedAt = performance.now()
    })
    await new Promise<void>((resolve) => socket.once('connect', () => socket.write(bytes, () => resolve())).once('close', resolve))
  }

  // Some at a time: the backlog of a listening socket has an end too.
  for (let index = 0; index < SLOW; index += 200) await Promise.all(Array.from({ length: 200 }, (_, offset) => open(index + offset)))

  const client = createRawClient(port)
  const waits: number[] = []
  const deadline = performance.now() + 25_000
  while (slow.some(({ closedAt }) => closedAt === undefined) && performance.now() < deadline) {
    const before = performance.now()
    const { status } = await client.ask({
      method: 'POST',
      fields: [
        ['Authorization', 'Bearer k'],
        ['Content-Type', 'application/json'],
      ],
      body: '{"name":"Quick","categoryId":1}',
    })
    expect(status).toBe(201)
    waits.push(performance.now() - before)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  for (const socket of sockets) socket.destroy()
  client.close()

  const late = slow.filter(({ openedAt, closedAt, limit }) => closedAt === undefined || closedAt - openedAt > limit + 1_000 + SLACK)
  expect(late).toHaveLength(0)
  // Each is told why, in the Error shape, but for those that have not even sent a request line.
  expect(slow.filter(({ isSilent, text }) => isSilent && text !== '')).toHaveLength(0)
  for (const { text } of slow.filter(({ isSilent }) => !isSilent)) {
    expect(text).toMatch(/^HTTP\/1\.1 408 /)
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))).toMatchObject({ code: 'RequestTimeout', status: 408 })
  }
  const early = slow.filter(({ openedAt, closedAt = 0, limit }) => closedAt - openedAt < limit - 1_500)
  expect(early).toHaveLength(0)
  waits.sort((one, other) => one - other)
  console.log(
    `slow clients: ${waits.length} answers to others, the slowest after ${waits.at(-1)?.toFixed(0)} ms, half of them within ${waits[waits.length >> 1]?.toFixed(1)} ms`,
  )
  expect(waits.length).toBeGreaterThan(50)
  expect(waits.at(-1)).toBeLessThan(2_000)
  expect([running.child.exitCode, running.stderr(), running.stdout()]).toEqual([null, banner, ''])
})
