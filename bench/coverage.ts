// What counting coverage costs: our server beside the same one that counts nothing, both bundled in the same way.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'rolldown'
import { root } from './contestants.ts'
import { atLeast, type Figure, fact } from './figures.ts'
import type { Load } from './load.ts'
import { ratios } from './measure.ts'
import { operationNames } from './operations.ts'
import { type ServerCommand, startServer } from './server-process.ts'
import { type RaceSettings, type Round, race } from './throughput.ts'

const ROUNDS: RaceSettings = { rounds: 21, milliseconds: 500, warmUps: 3 }
const SERVER = `
import { serve } from '${join(root, 'src/hosts/node/index.ts')}'
import { createMock } from '${join(root, 'src/mock.ts')}'
await serve(createMock(), { port: Number(process.argv[2]) })
`
const NOTHING = 'export const createTally = () => ({ count() {}, coverage() {} })'

export async function measureCoverage(load: Load): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-coverage-'))
  const servers = [await startServer(await bundle(folder, true)), await startServer(await bundle(folder, false))]
  try {
    const figures: Figure[] = []
    for (const name of operationNames) {
      const [on = [], off = []] = await race(load, servers, name, ROUNDS)
      const pick = (rounds: readonly Round[], key: 'perSecond' | 'cpuPerAnswer') => rounds.map((round) => round[key])
      const share = ratios(pick(on, 'perSecond'), pick(off, 'perSecond'))
      const cpu = ratios(pick(on, 'cpuPerAnswer'), pick(off, 'cpuPerAnswer'))
      const shown = `${share.median.toFixed(3)} (${share.low.toFixed(2)}–${share.high.toFixed(2)})`
      figures.push(
        atLeast(`${name}: coverage counted, share of throughput without`, share.median, 0.98, shown),
        fact(`${name}: coverage counted, processor time an answer, × without`, cpu.median.toFixed(3)),
      )
    }
    return figures
  } finally {
    for (const server of servers) await server.stop()
    rmSync(folder, { recursive: true })
  }
}

async function bundle(folder: string, isCounting: boolean): Promise<ServerCommand> {
  const name = isCounting ? 'coverage counted' : 'nothing counted'
  const input = join(folder, `${isCounting}.ts`)
  const file = join(folder, `${isCounting}.mjs`)
  writeFileSync(input, SERVER)
  const nothing = {
    name: 'count-nothing',
    load: (id: string) => (!isCounting && id.endsWith('/src/coverage/tally.ts') ? NOTHING : null),
  }
  await build({
    input,
    platform: 'node',
    external: [/^node:/],
    plugins: [nothing],
    logLevel: 'silent',
    output: { file, codeSplitting: false },
  })
  return { name, args: (port) => [file, String(port)] }
}
