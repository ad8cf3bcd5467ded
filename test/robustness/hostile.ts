// What hostile clients send, and the checks that nothing has come of it.
import { connect } from 'node:net'
import { expect } from 'vitest'
import { type Running, startCli } from '../support/cli-process.ts'
import { createRawClient, parseAnswer, type RawAnswer, type RawRequest } from '../support/raw-client.ts'

/** Answers that no hostile request may change: the clock stands still, and new animals come after the first twenty. */
const PROBES: RawRequest[] = [
  { fields: [['Authorization', 'Bearer probe']] },
  { target: '/v1/pets/1', fields: [['Authorization', 'Bearer probe']] },
  { target: '/v1/pets/0', fields: [['Authorization', 'Bearer probe']] },
  { target: '/v1/pets?limit=0', fields: [['Authorization', 'Bearer probe']] },
  {
    method: 'POST',
    fields: [
      ['Authorization', 'Bearer probe'],
      ['Content-Type', 'application/json'],
    ],
    body: '{}',
  },
  { method: 'DELETE' },
  {},
  { target: '/__mock/clock' },
  { target: '/__mock/faults' },
]

/** A line of a stack trace, or what Node says before one. */
const STACK = /^\s+at .+[:)]|Uncaught|Unhandled|X-Mock-Bug/m
/** What would reach a terminal as more than text: all but the end of a line. */
const RAW = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

export interface Victim extends Running {
  readonly port: number
  /** Fails if an answer differs from what it was at the start. */
  probe(after: string): Promise<void>
  /** Fails if something of a client's has got into what is printed. */
  checkPrinted(): void
}

export async function startVictim(log: 'pretty' | 'json' = 'pretty'): Promise<Victim> {
  const running = await startCli(['--now', '2026-11-15', '--frozen', '--log', log])
  const banner = running.stderr()
  const port = Number(new URL(running.url).port)
  const client = createRawClient(port)
  const ask = async () => {
    const answers: RawAnswer[] = []
    for (const probe of PROBES) answers.push(await client.ask(probe))
    return answers
  }
  const before = await ask()
  expect(before.map(({ status }) => status)).toEqual([200, 200, 404, 400, 400, 405, 401, 200, 200])
  return {
    ...running,
    port,
    async probe(after) {
      expect(await ask(), `the answers after ${after}`).toEqual(before)
    },
    checkPrinted() {
      expect(running.child.exitCode).toBeNull()
      expect(running.stderr()).toBe(banner)
      expect(running.stdout()).not.toMatch(STACK)
      for (const line of running.stdout().split('\n')) {
        expect(line).not.toMatch(RAW)
        if (line !== '' && log === 'json') expect(JSON.parse(line)).toHaveProperty('target')
        else expect(line).toMatch(/^$|^\d\d:\d\d:\d\d\.\d{3}Z \S* +.* (\d{3}|dropped|aborted) \d+(\.\d)? ms /)
      }
    },
  }
}

/** Sends bytes as they are; what comes back, if anything, before the connection closes. Nothing may hang for long. */
export function throwAt(port: number, bytes: Uint8Array | string, { halfClose = false } = {}): Promise<RawAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let got = Buffer.alloc(0)
    const timer = setTimeout(() => finish(new Error('it neither answers nor closes')), 8_000)
    const finish = (error?: Error) => {
      clearTimeout(timer)
      socket.destroy()
      if (error) reject(error)
      else resolve(parseAnswer(got))
    }
    socket.on('data', (chunk) => {
      got = Buffer.concat([got, chunk])
      if (parseAnswer(got)) finish()
    })
    socket.on('error', () => finish())
    socket.on('close', () => finish())
    if (halfClose) socket.end(bytes)
    else socket.write(bytes)
  })
}
