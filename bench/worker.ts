// The worker on workerd: processor time of a request next to the Node server's, and what a sandbox
// takes.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWorkerd, type Workerd } from '../test/support/workerd.ts'
import { createClient, TOKEN } from '../test/worker/http.ts'
import { createSpent, type RaceSettings, raceServers, type Spent } from './burst.ts'
import { compared, type Report } from './figure.ts'
import { cases } from './requests.ts'
import { ours, readCpu, readRss, resetMock, type Server, withServers } from './server.ts'

const SANDBOXES = 2_000
/**
 * A request costs about ten times what it costs the Node server, so a burst needs fewer of them.
 */
const COUNT = 300
const WARM_UPS = 5
/** It takes long enough with these. */
const MAX_ROUNDS = 15

export async function measureWorker(settings: RaceSettings, report: Report): Promise<void> {
  const lighter = {
    ...settings,
    rounds: Math.min(settings.rounds, MAX_ROUNDS),
    count: COUNT,
    warmUps: WARM_UPS,
    processes: 1,
  }
  await onDisk(false, (workerd) =>
    withServers([ours()], async ([node]) => {
      for (const each of cases.filter(({ name }) => name.endsWith('fixed'))) {
        const spent: [Spent, Spent] = [createSpent(), createSpent()]
        await raceServers([toServer(workerd), node as Server], each, lighter, spent)
        report(
          compared(
            `${each.name}: processor time, × the Node server`,
            spent[0].cpu,
            spent[1].cpu,
            12,
            ['µs', 1],
          ),
        )
      }
    }),
  )
  await onDisk(true, (workerd) => measureSandboxes(workerd, report))
}

/** On a disk, as in a deployment. */
async function onDisk(keepsAll: boolean, work: (workerd: Workerd) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-workerd-'))
  const workerd = await startWorkerd({ folder, keepsAll, bindings: { CONTROL_TOKEN: TOKEN } })
  try {
    await work(workerd)
  } finally {
    await workerd.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

function toServer({ port, pid, kill }: Workerd): Server {
  const reset = () =>
    resetMock(`http://127.0.0.1:${port}/__mock/reset?sandbox=bench-key`, {
      Authorization: `Bearer ${TOKEN}`,
    })
  return { name: 'workerd', port, pid, firstResponseMs: Number.NaN, reset, stop: kill }
}

async function measureSandboxes(workerd: Workerd, report: Report): Promise<void> {
  const client = createClient(() => workerd.port)
  await client.create('first', 'Rex')
  const before = { rss: readRss(workerd.pid), cpu: readCpu(workerd.pid) }
  for (let first = 0; first < SANDBOXES; first += 500) {
    const keys = Array.from({ length: 500 }, (_, index) => `key-${first + index}`)
    const responses = await Promise.all(keys.map((key) => client.create(key, 'Rex')))
    if (responses.some(({ status }) => status !== 201))
      throw new Error('a sandbox did not take its animal')
  }
  const folder = join(workerd.folder, 'sandboxes')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes('sqlite'),
  )
  const disk = files.reduce((sum, name) => sum + statSync(join(folder, name)).blocks * 512, 0)
  report({
    name: 'memory of a live sandbox, kB',
    value: (readRss(workerd.pid) - before.rss) / SANDBOXES / 1e3,
    target: 350,
  })
  report({ name: 'disk of a live sandbox, kB', value: disk / SANDBOXES / 1e3, target: 100 })
  report({
    name: 'processor time of a new sandbox, ms',
    value: (readCpu(workerd.pid) - before.cpu) / SANDBOXES / 1e3,
  })
}
