// The worker on workerd beside the Node server: processor time of a request, and what a world takes in memory and on disk.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWorkerd, type Workerd } from '../test/support/workerd.ts'
import { createClient, TOKEN } from '../test/worker/http.ts'
import { ours, reset } from './contestants.ts'
import { atLeast, atMost, type Figure, fact } from './figures.ts'
import type { Load } from './load.ts'
import { ratios } from './measure.ts'
import { operationNames } from './operations.ts'
import { readCpu, readRss, type ServerProcess, startServer } from './server-process.ts'
import { type Round, race } from './throughput.ts'

const ROUNDS = { rounds: 9, milliseconds: 1_000, warmUps: 4 }
const LIVE_WORLDS = 6_000
const MAX_RATIO = 12
const RESTING_WORLDS = 20
/** A world is evicted after ten seconds without a request. */
const MAX_REST_SECONDS = 60

export async function measureWorker(load: Load): Promise<Figure[]> {
  return [...(await measureRequests(load)), ...(await measureWorlds())]
}

/** On a disk, as a deployment has it. */
async function onDisk<T>(keepsAll: boolean, run: (workerd: Workerd) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-workerd-'))
  const workerd = await startWorkerd({ folder, keepsAll, bindings: { CONTROL_TOKEN: TOKEN } })
  try {
    return await run(workerd)
  } finally {
    await workerd.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

function measureRequests(load: Load): Promise<Figure[]> {
  return onDisk(false, async (workerd) => {
    const node = await startServer(ours())
    const worker: ServerProcess = {
      name: 'workerd',
      port: workerd.port,
      firstAnswerMs: Number.NaN,
      rss: () => readRss(workerd.pid),
      cpu: () => readCpu(workerd.pid),
      reset: () => reset(`http://127.0.0.1:${workerd.port}/__mock/reset?sandbox=bench-key`, { Authorization: `Bearer ${TOKEN}` }),
      stop: workerd.kill,
    }
    const figures: Figure[] = []
    try {
      for (const name of operationNames) {
        const [own = [], base = []] = await race(load, [worker, node], name, ROUNDS)
        const cpu = (rounds: readonly Round[]) => rounds.map(({ cpuPerAnswer }) => cpuPerAnswer)
        const { median, low, high } = ratios(cpu(own), cpu(base))
        const shown = `${median.toFixed(1)} (${low.toFixed(1)}–${high.toFixed(1)}); ${middle(cpu(own))} to ${middle(cpu(base))} µs`
        figures.push(atMost(`${name}: processor time a response, × the Node server`, median, MAX_RATIO, shown))
      }
    } finally {
      await node.stop()
    }
    return figures
  })
}

function measureWorlds(): Promise<Figure[]> {
  return onDisk(true, async (workerd) => {
    const client = createClient(() => workerd.port)
    await client.create('first', 'Rex')
    const before = { rss: readRss(workerd.pid), cpu: readCpu(workerd.pid) }
    let created = 0
    for (let first = 0; first < LIVE_WORLDS; first += 500) {
      const keys = Array.from({ length: 500 }, (_, index) => `key-${first + index}`)
      const answers = await Promise.all(keys.map((key) => client.create(key, 'Rex')))
      created += answers.filter(({ status }) => status === 201).length
    }
    const cpuMs = ((readCpu(workerd.pid) - before.cpu) * 1_000) / created
    // Whoever was created is still awake, and answers.
    const again = await Promise.all(
      Array.from({ length: 100 }, (_, index) => client.ask({ path: '/v1/pets/51', key: `key-${index * 60}` })),
    )
    const rss = (readRss(workerd.pid) - before.rss) / created
    const disk = await measureRest(workerd, created)
    return [
      atLeast('worlds live at once', again.every(({ status }) => status === 200) ? created : 0, LIVE_WORLDS, created.toLocaleString('en')),
      atMost('memory of a live world, kB', rss / 1_000, 350, (rss / 1_000).toFixed(0)),
      atMost(
        'disk of a world at rest, kB',
        disk.rest / 1_000,
        50,
        `${(disk.rest / 1_000).toFixed(0)}; ${(disk.live / 1_000).toFixed(0)} while it is awake`,
      ),
      fact('processor time of a new world, ms', cpuMs.toFixed(1)),
    ]
  })
}

/** The disk that worlds take while they are awake, and once they are evicted: their log of writes is part of their file by then. */
async function measureRest(workerd: Workerd, worlds: number): Promise<{ live: number; rest: number }> {
  const folder = join(workerd.folder, 'worlds')
  const live = sizeOf(folder) / worlds
  await workerd.kill()
  // The same worlds in a process that evicts them; a few of them stand for all.
  const again = await startWorkerd({ folder: workerd.folder, bindings: { CONTROL_TOKEN: TOKEN } })
  const client = createClient(() => again.port)
  const before = logsOf(folder)
  await Promise.all(Array.from({ length: RESTING_WORLDS }, (_, index) => client.ask({ path: '/v1/pets?limit=1', key: `key-${index}` })))
  let asleep: string[] = []
  for (let second = 0; second < MAX_REST_SECONDS && asleep.length < RESTING_WORLDS; second++) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const awake = new Set(logsOf(folder))
    asleep = before.filter((log) => !awake.has(log))
  }
  await again.kill()
  if (asleep.length < RESTING_WORLDS) throw new Error(`${asleep.length} of ${RESTING_WORLDS} worlds were evicted`)
  const rest = asleep.map((log) => blocks(join(folder, log.replace(/-wal$/, ''))))
  return { live, rest: rest.reduce((sum, bytes) => sum + bytes, 0) / rest.length }
}

function logsOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('-wal'))
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /sqlite/.test(name))
    .reduce((sum, name) => sum + blocks(join(folder, name)), 0)
}

function blocks(file: string): number {
  return statSync(file).blocks * 512
}

function middle(values: readonly number[]): string {
  return (values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] as number).toFixed(0)
}
