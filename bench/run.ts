// `npm run bench [-- <parts>] [--rounds <n>] [--connections <n>]` prints our figures and their
// targets; `npm run bench -- against <commit> [<parts>]` compares with an earlier commit. README.md
// explains them.
import { existsSync } from 'node:fs'
import { arch, cpus, loadavg, platform } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildBoth, comparisons } from './against.ts'
import { RACE, type RaceSettings } from './burst.ts'
import { comparePeers } from './compare.ts'
import { measureCpu, measureLog, measureMillion } from './cpu.ts'
import { measureEngine } from './engine.ts'
import { type Figure, type Report, renderTable } from './figure.ts'
import { measureGrowth } from './growth.ts'
import { Mistake } from './mistake.ts'
import { measureNpx } from './npx.ts'
import { root } from './server.ts'
import { measureSize } from './size.ts'
import { measureStart } from './start.ts'
import { measureWorker } from './worker.ts'

type Part = (settings: RaceSettings, report: Report) => Promise<void>

const AGAINST = 'against'

const parts: Readonly<Record<string, Part>> = {
  engine: measureEngine,
  cpu: measureCpu,
  log: measureLog,
  million: measureMillion,
  start: measureStart,
  npx: measureNpx,
  size: measureSize,
  worker: measureWorker,
  growth: measureGrowth,
  peers: comparePeers,
}

try {
  await run()
} catch (error) {
  if (!(error instanceof Mistake)) throw error
  console.error(error.message)
  process.exitCode = 2
}

async function run(): Promise<void> {
  const { settings, positionals } = readArguments()
  if (!existsSync('/proc/self/stat'))
    throw new Mistake('The measurements need /proc, which only Linux has')
  const [first, commit, ...names] = positionals
  if (first !== AGAINST) {
    const usual = Object.keys(parts).filter((part) => part !== 'peers')
    const chosen = choose(parts, positionals, usual)
    if (!existsSync(join(root, 'dist/index.js'))) throw new Mistake('Run npm run build first')
    await measure(chosen, settings)
    return
  }
  if (commit === undefined)
    throw new Mistake('Name a commit to compare with: npm run bench -- against <commit>')
  const chosen = choose(comparisons, names, Object.keys(comparisons))
  const folder = buildBoth(commit)
  const bound = chosen.map(([name, compare]): [string, Part] => [name, compare.bind(null, folder)])
  await measure(bound, settings)
}

function readArguments() {
  const { values, positionals } = parse()
  const rounds = readCount('rounds', values.rounds) ?? RACE.rounds
  const connections = readCount('connections', values.connections) ?? RACE.connections
  return { settings: { ...RACE, rounds, connections }, positionals }
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { rounds: { type: 'string' }, connections: { type: 'string' } },
    })
  } catch (error) {
    throw new Mistake((error as Error).message)
  }
}

function readCount(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1)
    throw new Mistake(`--${name} must be a whole number above 0, got ${JSON.stringify(text)}`)
  return count
}

/** The named rows of a table, with their names. */
function choose<T>(
  table: Readonly<Record<string, T>>,
  names: readonly string[],
  usual: readonly string[],
): (readonly [string, T])[] {
  const wanted = names.length > 0 ? names : usual
  return wanted.map((name) => {
    const found = Object.hasOwn(table, name) ? table[name] : undefined
    if (found === undefined) {
      const known = Object.keys(table).join(', ')
      throw new Mistake(`Unknown part ${JSON.stringify(name)}; the parts are ${known}`)
    }
    return [name, found]
  })
}

async function measure(
  chosen: readonly (readonly [string, Part])[],
  settings: RaceSettings,
): Promise<void> {
  const load = loadavg()[0]?.toFixed(1)
  const machine = `${platform()}-${arch()}, Node ${process.versions.node}`
  console.log(`${cpus().length} cores (load ${load}), ${machine}`)
  for (const [name, part] of chosen) {
    console.log(`\n${name}`)
    const figures: Figure[] = []
    await part(settings, (figure) => figures.push(figure))
    if (figures.length > 0) console.log(renderTable(figures))
  }
}
