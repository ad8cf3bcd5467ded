// From the start of the process to its first response, and its memory then.
import type { RaceSettings } from './burst.ts'
import { compared, type Report } from './figure.ts'
import { ours, readCpu, readRss, type ServerCommand, startServer, withBare } from './server.ts'

/** Start by start. */
interface Launches {
  readonly milliseconds: number[]
  /** Microseconds of processor time until the first response. */
  readonly cpu: number[]
  readonly rss: number[]
}

const ROUNDS = 21

/** Starts each server in turn, after one start that warms the caches. */
export async function launchAll(
  commands: readonly ServerCommand[],
  rounds: number,
): Promise<Launches[]> {
  const launches = commands.map((): Launches => ({ milliseconds: [], cpu: [], rss: [] }))
  for (let round = -1; round < rounds; round++) {
    for (const [index, command] of commands.entries()) {
      const server = await startServer(command)
      const cpu = readCpu(server.pid)
      // Leaves time to collect the garbage of the start.
      await new Promise((resolve) => setTimeout(resolve, 100))
      if (round >= 0) {
        launches[index]?.milliseconds.push(server.firstResponseMs)
        launches[index]?.cpu.push(cpu)
        launches[index]?.rss.push(readRss(server.pid))
      }
      await server.stop()
    }
  }
  return launches
}

export async function measureStart(_: RaceSettings, report: Report): Promise<void> {
  const [mine, bare] = (await withBare([], (command) => launchAll([ours(), command], ROUNDS))) as [
    Launches,
    Launches,
  ]
  const keepsCode = Number.parseInt(process.versions.node, 10) >= 22
  const expected = keepsCode
    ? {}
    : { expected: { most: 2.25, why: 'before version 22 Node compiles all code at every start' } }
  const target = keepsCode ? 1.2 : 1.5
  report({
    ...compared('start to first response, × bare', mine.milliseconds, bare.milliseconds, target, [
      'ms',
      1,
    ]),
    ...expected,
  })
  report({
    ...compared('the same in processor time, × bare', mine.cpu, bare.cpu, target, ['ms', 1e3]),
    ...expected,
  })
  report(compared('memory after start, × bare', mine.rss, bare.rss, 1.25, ['MB', 1e6]))
}
