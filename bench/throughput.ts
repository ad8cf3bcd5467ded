// How many requests a second, beside a bare node:http server that sends the same bytes.
import { atLeast, type Figure, fact } from './figures.ts'
import { CONNECTIONS, type Load } from './load.ts'
import type { LoadResult } from './load-client.ts'
import { interleave, median, ratios } from './measure.ts'
import { type OperationName, operationNames, operations, toWire } from './operations.ts'
import type { ServerProcess } from './server-process.ts'

export interface Round extends LoadResult {
  /** Microseconds of the server's processor time for each answer. */
  readonly cpuPerAnswer: number
}

export interface RaceSettings {
  readonly rounds: number
  readonly milliseconds: number
  /** At most so many seconds for each server to get warm. */
  readonly warmUps: number
}

const ROUNDS: RaceSettings = { rounds: 15, milliseconds: 700, warmUps: 4 }
/** After so many answers the compiler of a server has seen what there is to see. */
const WARM = 20_000

/** The rounds of each server on one operation, after a warm-up. */
export async function race(load: Load, servers: readonly ServerProcess[], name: OperationName, settings: RaceSettings): Promise<Round[][]> {
  const run = async (server: ServerProcess, milliseconds: number): Promise<Round> => {
    // Otherwise the animals of the rounds before would count too.
    if (name === 'createPet') await server.reset()
    const cpuBefore = server.cpu()
    const wire = toWire(operations[name], server.port)
    const result = await load.run({ port: server.port, wire, connections: CONNECTIONS, milliseconds })
    if (result.failed > result.answered / 1000) throw new Error(`${server.name} failed on ${result.failed} of ${result.answered} ${name}`)
    return { ...result, cpuPerAnswer: ((server.cpu() - cpuBefore) * 1e6) / result.answered }
  }
  for (const server of servers) {
    let answered = 0
    for (let second = 0; second < settings.warmUps && answered < WARM; second++) answered += (await run(server, 1_000)).answered
  }
  return interleave(servers, settings.rounds, (server) => run(server, settings.milliseconds))
}

export async function measureThroughput(load: Load, ours: ServerProcess, bare: ServerProcess): Promise<Figure[]> {
  const figures: Figure[] = []
  let busiest = 0
  for (const name of operationNames) {
    const [own = [], base = []] = await race(load, [ours, bare], name, ROUNDS)
    const pick = (rounds: readonly Round[], key: keyof Round) => rounds.map((round) => round[key])
    const { median: share, low, high } = ratios(pick(own, 'perSecond'), pick(base, 'perSecond'))
    const cpu = ratios(pick(own, 'cpuPerAnswer'), pick(base, 'cpuPerAnswer'))
    busiest = Math.max(busiest, ...pick([...own, ...base], 'ownCpu'))
    figures.push(
      atLeast(
        `${name}: throughput, share of bare`,
        share,
        0.9,
        `${share.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)}); ${thousands(pick(own, 'perSecond'))} to ${thousands(pick(base, 'perSecond'))} a second`,
      ),
      fact(`${name}: processor time an answer, × bare`, cpu.median.toFixed(2)),
      fact(`${name}: p50 and p99, ms`, `${times(own)} to ${times(base)}`),
    )
  }
  figures.push(fact('load generator at its busiest, of a core', busiest.toFixed(2)))
  return figures
}

const thousands = (rates: readonly number[]) => `${(median(rates) / 1000).toFixed(1)}k`

const times = (rounds: readonly Round[]) =>
  `${median(rounds.map(({ p50 }) => p50)).toFixed(1)}/${median(rounds.map(({ p99 }) => p99)).toFixed(1)}`
