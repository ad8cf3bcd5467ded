// Ours and bare beside other mocks in one run: speed, start, memory, what is installed, and what each answers to the probes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ours, root } from './contestants.ts'
import type { Load } from './load.ts'
import { median, ratios } from './measure.ts'
import { type OperationName, operationNames } from './operations.ts'
import { pack } from './package-size.ts'
import { install, peers } from './peers/index.ts'
import { type Animal, toCommand } from './peers/peer.ts'
import { sendTo, type Verdict } from './probe.ts'
import { probes } from './probes.ts'
import { type ServerCommand, type ServerProcess, startServer } from './server-process.ts'
import { launch } from './start.ts'
import { type RaceSettings, race } from './throughput.ts'

export interface Standing {
  readonly name: string
  readonly versions: Readonly<Record<string, string>>
  readonly configured: string
  readonly throughput: Readonly<Record<OperationName, Speed>>
  /** As multiples of bare, and as they are. */
  readonly start: { readonly times: number; readonly milliseconds: number }
  readonly memory: { readonly times: number; readonly bytes: number }
  readonly installed: { readonly packages: number; readonly bytes: number }
  /** One for each probe; none for bare, which only replays. */
  readonly verdicts: readonly Verdict[]
}

interface Speed {
  readonly shareOfBare: number
  readonly perSecond: number
  readonly p99: number
}

interface Contestant {
  readonly command: ServerCommand
  readonly versions: Readonly<Record<string, string>>
  readonly configured: string
  readonly installed: { readonly packages: number; readonly bytes: number }
}

const ROUNDS: RaceSettings = { rounds: 5, milliseconds: 1_000, warmUps: 2 }
const LAUNCHES = 7

/** The standings of all, ours first and bare last. */
export async function compare(load: Load, bare: ServerCommand, version: string, say: (line: string) => void): Promise<Standing[]> {
  const animals = await readAnimals()
  const installed = peers.map((peer) => {
    say(`installing ${peer.name}`)
    return install(peer, animals)
  })
  const contestants: Contestant[] = [
    {
      command: ours(),
      versions: { 'animal-store-mock': version },
      configured: 'as it comes, log silent, journal on',
      installed: weighOurs(),
    },
    ...installed.map(({ peer, folder, packages, bytes }) => ({
      command: toCommand(peer, folder),
      versions: peer.packages,
      configured: peer.configured,
      installed: { packages, bytes },
    })),
    { command: bare, versions: {}, configured: 'replays the bytes of our answers', installed: { packages: 0, bytes: 0 } },
  ]
  say('starting each a few times')
  const launches = await launch(
    contestants.map(({ command }) => command),
    LAUNCHES,
  )
  const speeds = await measureSpeeds(load, contestants, say)
  say('sending the probes')
  const baseLaunches = launches.at(-1) ?? []
  const standings: Standing[] = []
  for (const [index, { command, versions, configured, installed }] of contestants.entries()) {
    const own = launches[index] ?? []
    const times = own.map(({ milliseconds }) => milliseconds)
    const weights = own.map(({ rss }) => rss)
    standings.push({
      name: command.name,
      versions,
      configured,
      installed,
      throughput: speeds[index] as Record<OperationName, Speed>,
      start: {
        times: ratios(
          times,
          baseLaunches.map(({ milliseconds }) => milliseconds),
        ).median,
        milliseconds: median(times),
      },
      memory: {
        times: ratios(
          weights,
          baseLaunches.map(({ rss }) => rss),
        ).median,
        bytes: median(weights),
      },
      verdicts: command === bare ? [] : await judge(command),
    })
  }
  return standings
}

/** The share of bare of each contestant on each operation; creating ones start afresh, so that none drags its animals along. */
async function measureSpeeds(
  load: Load,
  contestants: readonly Contestant[],
  say: (line: string) => void,
): Promise<Record<string, Speed>[]> {
  const speeds: Record<string, Speed>[] = contestants.map(() => ({}))
  for (const name of operationNames) {
    say(`racing ${name}`)
    const servers: ServerProcess[] = []
    try {
      for (const { command } of contestants) servers.push(await startServer(command))
      const rounds = await race(load, servers, name, ROUNDS)
      const bareRates = (rounds.at(-1) ?? []).map(({ perSecond }) => perSecond)
      for (const [index, own] of rounds.entries()) {
        const rates = own.map(({ perSecond }) => perSecond)
        const speed = speeds[index] as Record<string, Speed>
        speed[name] = { shareOfBare: ratios(rates, bareRates).median, perSecond: median(rates), p99: median(own.map(({ p99 }) => p99)) }
      }
    } finally {
      for (const server of servers) await server.stop()
    }
  }
  return speeds
}

async function judge(command: ServerCommand): Promise<Verdict[]> {
  const server = await startServer(command)
  try {
    const send = sendTo(server.port)
    const verdicts: Verdict[] = []
    for (const probe of probes)
      verdicts.push(await probe.run(send).catch((error) => ({ right: false, answered: `no answer (${error.code ?? error.message})` })))
    return verdicts
  } finally {
    await server.stop()
  }
}

/** The animals that our server starts with, for the others to start with too. */
async function readAnimals(): Promise<Animal[]> {
  const server = await startServer(ours())
  try {
    const answer = await fetch(`http://127.0.0.1:${server.port}/v1/pets?limit=100`, { headers: { authorization: 'Bearer bench-key' } })
    return (await answer.json()) as Animal[]
  } finally {
    await server.stop()
  }
}

function weighOurs(): { packages: number; bytes: number } {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-pack-'))
  try {
    return { packages: 1, bytes: pack(root, folder).unpackedSize }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
