// `calibrate` as a command: what it prints and writes, and its exit codes. What it finds out is
// tested in src/calibrate.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { MAX_CALIBRATED_BODY_BYTES } from '../../src/contract/limits.ts'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock, type MockOptions } from '../../src/index.ts'
import { scenarios } from '../../src/scenario/shipped.ts'
import { createFolder } from '../support/cli-process.ts'
import { listen } from '../support/listen.ts'
import { runHere } from '../support/run-here.ts'

const KEY = 'sk-live-0123456789'
const env = { ANIMAL_STORE_REAL_KEY: KEY }
let folder: string

beforeEach(() => {
  folder = createFolder()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.setTimerTickMode('nextTimerAsync')
})
afterEach(() => void vi.useRealTimers())

async function serveMock(options: MockOptions = {}) {
  const mock = createMock(options)
  const { url, close } = await serve(mock)
  onTestFinished(close)
  return {
    mock,
    calibrate: (...args: string[]) => runHere(['calibrate', url, ...args], { env, cwd: folder }),
  }
}

it('calibrate writes a scenario with the choices of the service', async () => {
  const { mock, calibrate } = await serveMock({
    assume: { 'invalid-query': 'clamp' },
    apiKeys: [KEY],
  })
  const { code, stdout, stderr } = await calibrate('-o', 'reality.yaml')
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout).toMatch(
    /^differs +invalid-query +the mock has reject, the service clamp \(GET \/pets\?limit=0 → 200 with 1 animal\)$/m,
  )
  expect(stdout).toMatch(/^as specified +GET \/pets\?limit=100 /m)
  const written = readFileSync(join(folder, 'reality.yaml'), 'utf8')
  expect(written).toMatch(/^ {2}invalid-query: clamp$/m)
  for (const text of [stdout, written])
    for (const { name } of mock.control.state().pets ?? []) expect(text).not.toContain(name)
  expect(stdout + written + stderr).not.toContain(KEY)
  expect(mock.control.requests().every(({ method }) => method === 'GET')).toBe(true)
})

it('calibrate --dry-run sends nothing, and prints every request', async () => {
  const { mock, calibrate } = await serveMock()
  const { code, stdout } = await calibrate('--dry-run', '--probe', 'create-animal')
  expect(code).toBe(0)
  expect(stdout.trim().split('\n')).toHaveLength(20)
  expect(stdout).toMatch(/^GET \/pets without a key$/m)
  expect(mock.control.requests()).toEqual([])
})

it.each(['outage', 'locked-out'] as const)(
  'calibrate exits with 3 after one request and writes no file, with %s',
  async (name) => {
    const { mock, calibrate } = await serveMock({ scenario: scenarios[name] })
    const { code, stderr } = await calibrate('--probe', 'create-animal', '-o', 'reality.yaml')
    expect(code).toBe(3)
    expect(mock.control.requests()).toHaveLength(1)
    expect(stderr).toMatch(/could store one[\s\S]*cannot delete[\s\S]*not written/)
    expect(existsSync(join(folder, 'reality.yaml'))).toBe(false)
  },
)

it('calibrate counts the bytes of a compressed response once it is decompressed', async () => {
  const compressed = gzipSync(Buffer.alloc(MAX_CALIBRATED_BODY_BYTES + 1, ' '))
  const origin = await listen((_, response) => {
    response.setHeader('content-encoding', 'gzip').end(compressed)
  })
  const { code, stdout } = await runHere(['calibrate', `${origin}/v1`], { env, cwd: folder })
  expect(code).toBe(3)
  expect(stdout).toContain('200 with more than 4194304 bytes')
})

it('calibrate ends with exit code 3 if the host does not exist', async () => {
  const none = await runHere(['calibrate', 'https://store.invalid/v1'], { env })
  expect(none.code).toBe(3)
  expect(none.stdout).toMatch(/no complete response \(E\w+\)/)
})
