// No sequence of bytes, cut or reset, on any method and any path, ends the process, is answered twice or is lost count of.
import { expect, it } from 'vitest'
import { throwBytes } from './throw-bytes.ts'

const CONNECTIONS = Number(process.env.BYTES_CONNECTIONS ?? 20_000)
const seed = process.env.SPEC_SEED ? Number(process.env.SPEC_SEED) : Date.now() | 0

it(`stands ${CONNECTIONS} connections with whatever bytes on them`, { timeout: 240_000 }, async () => {
  console.log(`bytes: repeat with SPEC_SEED=${seed}`)
  const startedAt = performance.now()
  const thrown = await throwBytes({ seed, connections: CONNECTIONS, deadlineMs: 230_000 })
  console.log(`bytes: ${thrown} connections in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  expect(thrown).toBe(CONNECTIONS)
})
