// From the start of the process to its first answer, and what it weighs then.
import { atMost, type Figure, fact } from './figures.ts'
import { interleave, median, ratios } from './measure.ts'
import { type ServerCommand, startServer } from './server-process.ts'

export interface Launch {
  readonly milliseconds: number
  /** Seconds of processor time up to then. */
  readonly cpu: number
  readonly rss: number
}

const ROUNDS = 21

/** The starts of each server, round by round. */
export function launch(commands: readonly ServerCommand[], rounds: number): Promise<Launch[][]> {
  return interleave(commands, rounds, async (command) => {
    const server = await startServer(command)
    const cpu = server.cpu()
    // What the start leaves to be collected is no part of it.
    await new Promise((resolve) => setTimeout(resolve, 100))
    const rss = server.rss()
    await server.stop()
    return { milliseconds: server.firstAnswerMs, cpu, rss }
  })
}

export async function measureStart(ours: ServerCommand, bare: ServerCommand): Promise<Figure[]> {
  await launch([ours, bare], 1)
  const [own = [], base = []] = await launch([ours, bare], ROUNDS)
  const times = (launches: readonly Launch[]) => launches.map(({ milliseconds }) => milliseconds)
  const weights = (launches: readonly Launch[]) => launches.map(({ rss }) => rss)
  const time = ratios(times(own), times(base))
  // A sum, since the system counts this in steps too coarse for a single start.
  const cpu = sum(own) / sum(base)
  const weight = ratios(weights(own), weights(base))
  return [
    atMost(
      'start to first answer, × bare',
      time.median,
      1.5,
      `${time.median.toFixed(2)} (${time.low.toFixed(2)}–${time.high.toFixed(2)}); ${median(times(own)).toFixed(0)} to ${median(times(base)).toFixed(0)} ms`,
    ),
    fact('start to first answer: processor time, × bare', cpu.toFixed(2)),
    atMost(
      'memory after start, × bare',
      weight.median,
      1.25,
      `${weight.median.toFixed(2)} (${weight.low.toFixed(2)}–${weight.high.toFixed(2)}); ${megabytes(median(weights(own)))} to ${megabytes(median(weights(base)))} MB`,
    ),
  ]
}

const sum = (launches: readonly Launch[]) => launches.reduce((total, { cpu }) => total + cpu, 0)

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0)
