// `npm run bench [-- <parts>] [--rounds <n>] [--connections <n>]`: prints our figures and their
// targets. README.md explains them.
import { existsSync } from 'node:fs'
import { arch, cpus, loadavg, platform } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { RACE, type RaceSettings } from './burst.ts'
import { comparePeers } from './compare.ts'
import { measureCpu, measureMillion } from './cpu.ts'
import { type Figure, type Report, renderTable } from './figure.ts'
import { measureGrowth } from './growth.ts'
import { measureNpx } from './npx.ts'
import { root } from './server.ts'
import { measureSize } from './size.ts'
import { measureStart } from './start.ts'
import { measureWorker } from './worker.ts'

const parts: Readonly<Record<string, (settings: RaceSettings, report: Report) => Promise<void>>> = {
  cpu: measureCpu,
  million: measureMillion,
  start: measureStart,
  npx: measureNpx,
  size: measureSize,
  worker: measureWorker,
  growth: measureGrowth,
  peers: comparePeers,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, connections: { type: 'string' } },
})
const unknown = positionals.find((name) => !(name in parts))
if (unknown !== undefined)
  throw new Error(`Unknown part ${unknown}; the parts are ${Object.keys(parts).join(', ')}`)
if (!existsSync(join(root, 'dist/index.js'))) throw new Error('Run npm run build first')
if (!existsSync('/proc/self/stat'))
  throw new Error('The measurements need /proc, which only Linux has')
console.log(
  `${cpus().length} cores (load ${loadavg()[0]?.toFixed(1)}), ${platform()}-${arch()}, Node ${process.versions.node}`,
)
const settings = {
  ...RACE,
  rounds: Number(values.rounds ?? RACE.rounds),
  connections: Number(values.connections ?? RACE.connections),
}
for (const name of positionals.length > 0
  ? positionals
  : Object.keys(parts).filter((part) => part !== 'peers')) {
  console.log(`\n${name}`)
  const figures: Figure[] = []
  await parts[name]?.(settings, (figure) => figures.push(figure))
  if (figures.length > 0) console.log(renderTable(figures))
}
