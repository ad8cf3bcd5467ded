// No sequence of bytes, cut or reset, on any method and any path, ends the process, is answered twice or is lost count of.
import { expect, it } from 'vitest'
import { throwBytes } from './throw-bytes.ts'

const CONNECTIONS = Number(process.env.BYTES_CONNECTIONS ?? 1_500)
const TIMEOUT_MS = 120_000 + 10 * CONNECTIONS
const seed = process.env.SPEC_SEED ? Number(process.env.SPEC_SEED) : Date.now() | 0

it(`the server survives ${CONNECTIONS} connections with any bytes on them`, { timeout: TIMEOUT_MS }, async () => {
  console.log(`bytes: repeat with SPEC_SEED=${seed}`)
  expect(await throwBytes({ seed, connections: CONNECTIONS, deadlineMs: TIMEOUT_MS - 10_000 })).toBe(CONNECTIONS)
})
