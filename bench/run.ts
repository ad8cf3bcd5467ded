// `npm run bench [-- <parts>] [--against <checkout>] [--rounds <n>] [--connections <n>]`:
// prints our figures and their targets. README.md explains them.
import { existsSync } from 'node:fs'
import { arch, cpus, loadavg, platform } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { RACE } from './burst.ts'
import { comparePeers } from './compare.ts'
import { measureCpu, measureMillion, type Setting } from './cpu.ts'
import { type Figure, renderTable } from './figure.ts'
import { root } from './server.ts'
import { measureSize } from './size.ts'
import { measureStart } from './start.ts'
import { measureWorker } from './worker.ts'

type Part = (setting: Setting, report: (figure: Figure) => void) => Promise<void>

const parts: Readonly<Record<string, Part>> = {
  cpu: measureCpu,
  million: measureMillion,
  start: measureStart,
  size: measureSize,
  worker: measureWorker,
  peers: comparePeers,
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { against: { type: 'string' }, rounds: { type: 'string' }, connections: { type: 'string' } },
  })
  const unknown = positionals.find((name) => !(name in parts))
  if (unknown !== undefined) throw new Error(`Unknown part ${unknown}; the parts are ${Object.keys(parts).join(', ')}`)
  const checkouts = [root, ...(values.against === undefined ? [] : [resolve(values.against)])]
  for (const checkout of checkouts) {
    if (!existsSync(join(checkout, 'dist/index.js'))) throw new Error(`${checkout} is not built; run npm run build there`)
  }
  console.log(`${cpus().length} cores (load ${loadavg()[0]?.toFixed(1)}), ${platform()}-${arch()}, Node ${process.versions.node}`)
  const race = { ...RACE, rounds: Number(values.rounds ?? RACE.rounds), connections: Number(values.connections ?? RACE.connections) }
  const wanted = positionals.length > 0 ? positionals : Object.keys(parts).filter((name) => name !== 'peers')
  for (const name of wanted) {
    console.log(`\n${name}`)
    if (!existsSync('/proc/self/stat')) {
      console.log('  skipped: it needs /proc, which only Linux has')
      continue
    }
    const figures: Figure[] = []
    await parts[name]?.({ checkouts, race }, (figure) => figures.push(figure))
    if (figures.length > 0) console.log(renderTable(figures, checkouts.length > 1))
  }
}

run().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
