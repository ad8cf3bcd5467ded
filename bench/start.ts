// From the start of the process to its first response, and its memory then; on this Node and on one that caches compiled code.
import { execFileSync } from 'node:child_process'
import type { Setting } from './cpu.ts'
import { compared, type Figure, median } from './figure.ts'
import { ours, readCpu, readRss, type ServerCommand, startServer, withBare } from './server.ts'

interface Launch {
  readonly milliseconds: number
  /** Microseconds of processor time until the first response. */
  readonly cpu: number
  readonly rss: number
}

const ROUNDS = 21
/** The newest Node that caches compiled code between starts; 22.1 was the first. */
const CACHING_NODE = 24

/** The starts of each server, round by round, after one that warms the caches. */
export async function launchAll(commands: readonly ServerCommand[], rounds: number, program = process.execPath): Promise<Launch[][]> {
  const launches: Launch[][] = commands.map(() => [])
  for (let round = -1; round < rounds; round++) {
    for (const [index, command] of commands.entries()) {
      const server = await startServer(command, program)
      const cpu = readCpu(server.pid)
      // Leaves time to collect the garbage of the start.
      await new Promise((resolve) => setTimeout(resolve, 100))
      if (round >= 0) launches[index]?.push({ milliseconds: server.firstResponseMs, cpu, rss: readRss(server.pid) })
      await server.stop()
    }
  }
  return launches
}

export async function measureStart({ checkouts: [own = '', other] }: Setting, report: (figure: Figure) => void): Promise<void> {
  await withBare(own, [], async (bare) => {
    const commands = [ours(own), bare, ...(other ? [ours(other)] : [])]
    const measure = async (program: string, version: string, target: number) => {
      const launches = await launchAll(commands, ROUNDS, program)
      const times = launches.map((each) => each.map(({ milliseconds }) => milliseconds))
      const cpu = launches.map((each) => each.map(({ cpu }) => cpu))
      const weights = launches.map((each) => each.map(({ rss }) => rss))
      report(compared(`start to first response on Node ${version}, × bare`, times, target, middles(times, 1, 'ms')))
      report(compared(`the same in processor time, × bare`, cpu, target, middles(cpu, 1e3, 'ms')))
      report(compared(`memory after start on Node ${version}, × bare`, weights, 1.25, middles(weights, 1e6, 'MB')))
    }
    const [major] = process.versions.node.split('.')
    await measure(process.execPath, process.versions.node, Number(major) >= 22 ? 1.2 : 1.5)
    if (Number(major) >= 22) return
    const program = findNode(CACHING_NODE)
    if (program !== undefined) return measure(program, String(CACHING_NODE), 1.2)
    report({ name: `start on Node ${CACHING_NODE}`, value: Number.NaN, detail: 'npx could not install it' })
  })
}

function middles([own = [], base = []]: readonly (readonly number[])[], divisor: number, unit: string): string {
  return `${(median(own) / divisor).toFixed(0)} to ${(median(base) / divisor).toFixed(0)} ${unit}`
}

/** The program of another Node version, from the package registry. */
function findNode(major: number): string | undefined {
  try {
    return execFileSync('npx', ['-y', '-p', `node@${major}`, '--', 'node', '-p', 'process.execPath'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}
