import { expect } from 'vitest'
import { type Running, startCli } from '../support/cli-process.ts'
import { createRawClient, type RawAnswer, type RawRequest } from '../support/raw-client.ts'

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
  const running = await startCli(['--seed', '1', '--count', '50', '--now', '2026-11-15', '--frozen', '--log', log])
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
        else
          expect(line).toMatch(
            /^$|^\d\d:\d\d:\d\d\.\d{3}Z #\d+ ◆ |^\d\d:\d\d:\d\d\.\d{3}Z #\d+ \S* +.* (\d{3}|dropped|aborted) \d+(\.\d)? ms /,
          )
      }
    },
  }
}
