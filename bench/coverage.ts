// What counting coverage costs. Two servers cannot tell: two processes of the same code differ by more than the 2 % in question, and so
// do two copies of it in one process, by what the compiler makes of them. So several copies of the engine that counts and of one that
// does not answer in turns, and the difference is held against the processor time of a response of the whole server.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'rolldown'
import type { Mock } from '../src/mock/mock.ts'
import type { Call } from '../src/service/call.ts'
import { ours, root } from './contestants.ts'
import { atLeast, type Figure, fact } from './figures.ts'
import type { Load } from './load.ts'
import { median } from './measure.ts'
import { type OperationName, operationNames, operations } from './operations.ts'
import { startServer } from './server-process.ts'
import { type RaceSettings, race } from './throughput.ts'

const ROUNDS: RaceSettings = { rounds: 9, milliseconds: 500, warmUps: 3 }
const COPIES = 7
const TURNS = 40
const WARM_UP_TURNS = 20
const CALLS_A_TURN = 2_000
const NOTHING = 'export const createTally = () => ({ count() {}, coverage() {} })'

export async function measureCoverage(load: Load): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-coverage-'))
  const server = await startServer(ours())
  try {
    const pairs: [counting: Mock, blind: Mock][] = []
    for (let copy = 0; copy < COPIES; copy++) pairs.push([await createFrom(folder, copy, true), await createFrom(folder, copy, false)])
    const figures: Figure[] = []
    for (const name of operationNames) {
      const [rounds = []] = await race(load, [server], name, ROUNDS)
      const whole = median(rounds.map(({ cpuPerAnswer }) => cpuPerAnswer))
      const cost = median(pairs.map(([counting, blind]) => compare(counting, blind, toCall(name))))
      const share = whole / (whole + Math.max(cost, 0))
      figures.push(
        atLeast(`${name}: coverage counted, share of throughput without`, share, 0.98, share.toFixed(3)),
        fact(`${name}: counting coverage, µs of a response's`, `${cost.toFixed(2)} of ${whole.toFixed(1)}`),
      )
    }
    return figures
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

/** How many microseconds of processor time more a call takes the first. */
function compare(first: Mock, second: Mock, call: Call): number {
  const differences: number[] = []
  for (let turn = 0; turn < WARM_UP_TURNS + TURNS; turn++) {
    const isFirst = turn % 2 === 0
    const [one, other] = isFirst ? [first, second] : [second, first]
    const difference = timeCalls(one, call) - timeCalls(other, call)
    if (turn >= WARM_UP_TURNS) differences.push(isFirst ? difference : -difference)
  }
  return median(differences)
}

function timeCalls(mock: Mock, call: Call): number {
  mock.control.reset()
  const before = process.cpuUsage()
  for (let count = 0; count < CALLS_A_TURN; count++) mock.answer({ ...call }).settle?.('sent')
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CALLS_A_TURN
}

function toCall(name: OperationName): Call {
  const { method, target, headers, body } = operations[name]
  const fields = new Headers(headers)
  const bytes = body === undefined ? undefined : new TextEncoder().encode(body)
  const byName = Object.fromEntries(fields)
  return { method, target, header: (name) => byName[name], body: bytes, fields: [...fields].flat(), reportsOutcome: true }
}

/** A mock of the same code, bundled in the same way, whose calls are counted or not. */
async function createFrom(folder: string, copy: number, isCounting: boolean): Promise<Mock> {
  const input = join(folder, `${isCounting}-${copy}.ts`)
  const file = join(folder, `${isCounting}-${copy}.mjs`)
  writeFileSync(input, `export { createMock } from '${join(root, 'src/mock/mock.ts')}'\n`)
  const nothing = {
    name: 'count-nothing',
    load: (id: string) => (!isCounting && id.endsWith('/src/coverage/tally.ts') ? NOTHING : null),
  }
  await build({ input, platform: 'node', plugins: [nothing], logLevel: 'silent', output: { file, codeSplitting: false } })
  const { createMock } = (await import(file)) as typeof import('../src/mock/mock.ts')
  return createMock()
}
