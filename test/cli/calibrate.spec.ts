// `calibrate` as a command: what it prints and writes, and its exit codes. What it finds out is
// tested in src/calibrate.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
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
import { create, createMockService, createRecorder } from '../support/traffic.ts'

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
    /^differs +differs\/invalid-query +the mock has reject, the service clamp \(#4 GET \/v1\/pets\?limit=0 → 200 with 1 animal\)$/m,
  )
  expect(stdout).toMatch(/\d+ of \d+ responses explained; differs$/m)
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

it('calibrate reads a HAR, writes its world, and is quiet when it compares with that world', async () => {
  const assume = { 'default-status': 'sold' } as const
  const { entries, har, send } = createRecorder(createMockService({ assume }))
  send(create('{"name":"Sir Secret","categoryId":1}'))
  send({ method: 'GET', path: '/pets' })
  expect(entries).toHaveLength(2)
  writeFileSync(join(folder, 'traffic.har'), JSON.stringify(har()))
  const calibrate = (...args: string[]) =>
    runHere(['calibrate', 'traffic.har', ...args], { cwd: folder })
  expect((await calibrate('-o', 'world.yaml')).code).toBe(1)
  const written = readFileSync(join(folder, 'world.yaml'), 'utf8')
  expect(written).toContain('default-status: sold')
  expect(written).not.toContain('Secret')
  expect((await calibrate('--scenario', 'world.yaml')).code).toBe(0)
  expect((await calibrate('--accept', 'differs/default-status')).code).toBe(0)
  writeFileSync(
    join(folder, 'calibrate.accept.yaml'),
    '# known\n- differs/default-status # since May\n',
  )
  expect((await calibrate()).code).toBe(0)
  writeFileSync(join(folder, 'calibrate.accept.yaml'), 'known: yes\n')
  const refused = await calibrate()
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('calibrate.accept.yaml:1 expected the id of a finding')
})

it('calibrate names a file that is not a HAR', async () => {
  writeFileSync(join(folder, 'other.har'), '{}')
  const { code, stderr } = await runHere(['calibrate', 'other.har'], { cwd: folder })
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'animal-store-mock: other.har: expected a HAR file with log.entries\n',
  })
})
