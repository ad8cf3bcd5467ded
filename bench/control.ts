// The tester's side: what a sandbox, a reset and the journal cost.
import { join } from 'node:path'
import type { Pet } from '../src/generated/contract.ts'
import type { createMock as CreateMock } from '../src/mock/mock.ts'
import { importBuilt } from './built.ts'
import { root } from './contestants.ts'
import { atLeast, atMost, type Figure, fact } from './figures.ts'
import type { Load } from './load.ts'
import { median, ratios } from './measure.ts'
import { measureReload } from './reload.ts'
import { type ServerCommand, startServer } from './server-process.ts'
import { type RaceSettings, type Round, race } from './throughput.ts'
import { heapInUse, timeEach } from './timing.ts'

const ANIMALS = 1_000
const SANDBOXES = 200
const ROUNDS: RaceSettings = { rounds: 15, milliseconds: 500, warmUps: 3 }

export async function measureControl(load: Load): Promise<Figure[]> {
  const { createMock } = await importBuilt<{ createMock: typeof CreateMock }>('index.js')
  return [...measureSandboxes(createMock), measureReset(createMock), ...(await measureJournal(load)), ...(await measureReload())]
}

const animals = (): Pet[] =>
  Array.from({ length: ANIMALS }, (_, index) => ({ id: index + 1, name: `Rex ${index}`, categoryId: 1, status: 'available' as const }))

/** The first request of a key forks its sandbox. */
function measureSandboxes(createMock: typeof CreateMock): Figure[] {
  const mock = createMock({ pets: animals(), sandbox: true })
  const ask = (key: string) =>
    mock.answer({ method: 'HEAD', target: '/v1/pets', header: (name) => (name === 'authorization' ? `Bearer ${key}` : undefined) })
  for (let warm = 0; warm < 256; warm++) ask(`warm-${warm}`)
  for (const key of mock.control.sandboxes()) mock.control.removeSandbox(key)
  const before = heapInUse()
  const times = Array.from({ length: SANDBOXES }, (_, index) => timeEach(1, () => ask(`key-${index}`)) / 1000)
  const bytes = (heapInUse() - before) / SANDBOXES
  if (mock.control.sandboxes().length !== SANDBOXES) throw new Error('the sandboxes were not made')
  return [
    atMost('fork of a sandbox of 1,000 animals with its first answer, ms', median(times), 1, median(times).toFixed(3)),
    atMost('fork of a sandbox of 1,000 animals, bytes', bytes, 10_000, bytes.toLocaleString('en', { maximumFractionDigits: 0 })),
  ]
}

function measureReset(createMock: typeof CreateMock): Figure {
  const mock = createMock({ pets: animals() })
  const body = new TextEncoder().encode('{"name":"Rex","categoryId":1}')
  const headers: Record<string, string> = { authorization: 'Bearer bench-key', 'content-type': 'application/json' }
  const times = Array.from({ length: 50 }, () => {
    for (let created = 0; created < ANIMALS; created++)
      mock.answer({ method: 'POST', target: '/v1/pets', header: (name) => headers[name], body })
    return timeEach(1, () => mock.control.reset()) / 1000
  })
  return atMost('reset of 1,000 animals and 1,000 added ones, ms', median(times), 1, median(times).toFixed(3))
}

async function measureJournal(load: Load): Promise<Figure[]> {
  const withJournal = (entries: number): ServerCommand => ({
    name: `journal of ${entries}`,
    args: (port) => [join(root, 'bench/journal-server.mjs'), String(port), String(entries)],
  })
  const servers = [await startServer(withJournal(1_000)), await startServer(withJournal(0))]
  try {
    const [on = [], off = []] = await race(load, servers, 'listPets', ROUNDS)
    const pick = (rounds: readonly Round[], key: 'perSecond' | 'cpuPerAnswer') => rounds.map((round) => round[key])
    const share = ratios(pick(on, 'perSecond'), pick(off, 'perSecond'))
    return [
      atLeast(
        'journal on: throughput, share of journal off',
        share.median,
        0.95,
        `${share.median.toFixed(2)} (${share.low.toFixed(2)}–${share.high.toFixed(2)})`,
      ),
      fact('journal on: processor time an answer, × off', ratios(pick(on, 'cpuPerAnswer'), pick(off, 'cpuPerAnswer')).median.toFixed(2)),
    ]
  } finally {
    for (const server of servers) await server.stop()
  }
}
