// `npm run bench`: our own figures against their targets; `-- <parts>` for some of them, `-- peers` for the comparison with
// other mocks, `-- all` for both, which also writes the report and its chart.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkBuilt } from './built.ts'
import { toChart } from './chart.ts'
import { measureConsole } from './console.ts'
import { ours, recordBare, root } from './contestants.ts'
import { measureControl } from './control.ts'
import { measureCoverage } from './coverage.ts'
import { type Figure, toLines } from './figures.ts'
import { measureHandlers } from './handlers.ts'
import { type Load, startLoad } from './load.ts'
import { describeMachine } from './machine.ts'
import { measurePackage, weighBundle } from './package-size.ts'
import { toReport } from './report.ts'
import { measureScale } from './scale.ts'
import { type ServerCommand, startServer } from './server-process.ts'
import { compare } from './side-by-side.ts'
import { measureStart } from './start.ts'
import { measureThroughput } from './throughput.ts'
import { measureWorker } from './worker.ts'

interface Tools {
  readonly load: Load
  readonly bare: ServerCommand
}

const parts: Readonly<Record<string, (tools: Tools) => Promise<Figure[]>>> = {
  async throughput({ load, bare }) {
    const servers = [await startServer(ours()), await startServer(bare)] as const
    try {
      return await measureThroughput(load, ...servers)
    } finally {
      for (const server of servers) await server.stop()
    }
  },
  start: ({ bare }) => measureStart(ours(), bare),
  scale: measureScale,
  handlers: measureHandlers,
  package: measurePackage,
  control: ({ load }) => measureControl(load),
  worker: ({ load }) => measureWorker(load),
  coverage: ({ load }) => measureCoverage(load),
  console: measureConsole,
}

async function run(wanted: readonly string[]): Promise<void> {
  const known = [...Object.keys(parts), 'peers', 'all']
  const unknown = wanted.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`there is no part ${unknown}; there are ${known.join(', ')}`)
  const all = wanted.includes('all')
  const own = all || wanted.length === 0 ? Object.keys(parts) : wanted.filter((name) => name in parts)
  checkBuilt()
  const machine = describeMachine()
  console.log(machine)
  const load = startLoad()
  const bare = await recordBare()
  try {
    const figures: Figure[] = []
    for (const name of own) {
      console.log(`\n${name}`)
      const found = (await parts[name]?.({ load, bare: bare.command })) ?? []
      console.log(toLines(found))
      figures.push(...found)
    }
    if (all || wanted.includes('peers')) {
      console.log('\npeers')
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
      const standings = await compare(load, bare.command, version, (line) => console.log(`  ${line}`))
      const date = new Date().toISOString().slice(0, 10)
      writeFileSync(join(root, 'bench/report.md'), toReport({ date, machine }, standings, figures, await weighBundle()))
      writeFileSync(join(root, 'bench/chart.svg'), toChart(standings, `${date}, ${machine}`))
      console.log('  wrote bench/report.md and bench/chart.svg')
    }
  } finally {
    load.stop()
    bare.remove()
  }
}

run(process.argv.slice(2)).catch((error) => {
  console.error(error)
  process.exitCode = 1
})
