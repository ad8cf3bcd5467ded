// How the cost of a request grows with its size: every place that a client can write to, half full
// and full, with every unit. Twice the size may cost twice as much, and a little more.

import { createRawClient } from '../test/support/raw-client.ts'
import type { RaceSettings } from './burst.ts'
import type { Report } from './figure.ts'
import { createOwnTime } from './own-time.ts'
import { DOCUMENT_PLACES, fill, PLACES, UNITS } from './places.ts'
import { ours, withServers } from './server.ts'

/** Below this there is more noise than cost, since the kernel counts in hundredths of a second. */
const FLOOR_MS = 100
const MAX_GROWTH = 3

export async function measureGrowth(_settings: RaceSettings, report: Report): Promise<void> {
  await withServers([ours()], async ([server]) => {
    if (!server) return
    const client = createRawClient(server.port)
    const ownTime = createOwnTime(server.pid)
    for (const [name, { bytes, request }] of Object.entries({ ...PLACES, ...DOCUMENT_PLACES })) {
      let growth = 0
      let most = 0
      for (const unit of UNITS) {
        const measure = async (size: number) => {
          const before = ownTime()
          await client.ask(request(fill(unit, size))).catch(() => undefined)
          return ownTime() - before
        }
        const half = await measure(bytes / 2)
        const full = await measure(bytes)
        most = Math.max(most, full)
        if (full >= FLOOR_MS) growth = Math.max(growth, full / Math.max(half, FLOOR_MS / 4))
      }
      report({ name, value: growth, target: MAX_GROWTH, detail: `at most ${most} ms` })
    }
    client.close()
  })
}
