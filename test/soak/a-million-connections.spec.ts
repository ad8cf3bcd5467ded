// The streams of test/robustness/bytes.spec.ts, a million of them to one process. Long, so `npm run test:soak` only; a slow
// machine stops after SOAK_MINUTES (45) and says how far it got.
import { expect, it } from 'vitest'
import { throwBytes } from '../robustness/throw-bytes.ts'

const CONNECTIONS = Number(process.env.BYTES_CONNECTIONS ?? 1_000_000)
const MINUTES = Number(process.env.SOAK_MINUTES ?? 45)
const seed = process.env.SPEC_SEED ? Number(process.env.SPEC_SEED) : Date.now() | 0

it(`stands ${CONNECTIONS} connections with whatever bytes on them`, { timeout: (MINUTES + 5) * 60_000 }, async () => {
  console.log(`bytes: repeat with SPEC_SEED=${seed}`)
  const startedAt = performance.now()
  const thrown = await throwBytes({ seed, connections: CONNECTIONS, deadlineMs: MINUTES * 60_000 })
  const minutes = (performance.now() - startedAt) / 60_000
  console.log(`bytes: ${thrown} connections in ${minutes.toFixed(1)} minutes`)
  expect(thrown === CONNECTIONS || minutes >= MINUTES).toBe(true)
})
