// `calibrate` as a command: what it prints and writes, and its exit codes. What it finds out is tested in src/calibrate.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock, type MockOptions } from '../../src/index.ts'
import { toHar } from '../../src/render/to-har.ts'
import { scenarios } from '../../src/scenarios.ts'
import { createFolder } from '../support/cli-process.ts'
import { runHere } from '../support/run-here.ts'

const KEY = 'sk-live-0123456789'
const env = { ANIMAL_STORE_REAL_KEY: KEY }
let folder: string

beforeEach(() => {
  folder = createFolder()
})

async function serveMock(options: MockOptions = {}) {
  const mock = createMock(options)
  const { url, close } = await serve(mock)
  onTestFinished(close)
  return { mock, url, calibrate: (...args: string[]) => runHere(['calibrate', url, ...args], { env, cwd: folder }) }
}

it('calibrate writes a scenario with the choices of the service, and marks them as confirmed', async () => {
  const { mock, url, calibrate } = await serveMock({ assume: { 'invalid-query': 'clamp' }, apiKeys: [KEY] })
  const { code, stdout, stderr } = await calibrate('-o', 'reality.yaml', '-v')
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout).toMatch(/^differs +invalid-query +the mock has reject, the service clamp \(GET \/pets\?limit=0 → 200 with 1 animal\)$/m)
  expect(stdout).toMatch(/^as specified +GET \/pets\?limit=100 /m)
  const written = readFileSync(join(folder, 'reality.yaml'), 'utf8')
  expect(written).toMatch(/^# differs +invalid-query .*limit=0 → 200 with 1 animal/m)
  for (const text of [stdout, written]) for (const { name } of mock.control.state().pets ?? []) expect(text).not.toContain(name)
  expect(stdout + written + stderr).not.toContain(KEY)
  expect(mock.control.requests().every(({ method }) => method === 'GET')).toBe(true)

  const listed = await runHere(['assume', '--why', '--scenario', 'reality.yaml'], { cwd: folder })
  expect(listed.stdout).toContain(`* clamp `)
  expect(listed.stdout.match(/Confirmed on \d{4}-\d\d-\d\d against 127\.0\.0\.1:\d+/g)?.length).toBeGreaterThan(4)
  expect(listed.stdout).toContain(`against ${new URL(url).host}`)
  const again = await runHere(['calibrate', '--har', record(mock), '--expect', 'reality.yaml'], { cwd: folder })
  expect(again.code).toBe(0)
  const moved = createMock()
  await moved.fetch('http://localhost/v1/pets?limit=0', { headers: { authorization: 'Bearer any' } })
  expect((await runHere(['calibrate', '--har', record(moved), '--expect', 'reality.yaml'], { cwd: folder })).code).toBe(1)
})

const archive = (mock: ReturnType<typeof createMock>) => toHar(mock.control.requests(), { version: '1', origin: 'https://store.test' })

/** The requests that a mock got, as a file. */
function record(mock: ReturnType<typeof createMock>): string {
  writeFileSync(join(folder, 'recorded.har'), JSON.stringify(archive(mock)))
  return 'recorded.har'
}

describe('calibrate --har', () => {
  const ask = (mock: ReturnType<typeof createMock>, path: string, init: RequestInit = {}) =>
    mock.fetch(`http://localhost/v1${path}`, { ...init, headers: { authorization: 'Bearer any', 'content-type': 'application/json' } })

  it('reports what a recording shows, without the recorded values', async () => {
    const mock = createMock({ assume: { 'default-status': 'pending', 'list-order': 'newest-first' } })
    await ask(mock, '/pets?limit=3&secret=1')
    await ask(mock, '/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1}' })
    await mock.fetch('http://localhost/other')
    await ask(mock, '/pets/%zz')
    await ask(mock, '/pets?limit=%zz')
    const { code, stdout } = await runHere(['calibrate', '--har', record(mock), '--format', 'json'], { cwd: folder })
    expect(code).toBe(1)
    const { scenario, findings } = JSON.parse(stdout)
    expect(scenario.assume).toEqual({ 'default-status': 'pending', 'list-order': 'newest-first' })
    const requests = findings.map(({ subject }: { subject: string }) => subject).filter((subject: string) => subject.includes(' '))
    expect(requests).toEqual(['GET /pets?limit 200', 'POST /pets 201'])
    expect(stdout).not.toMatch(/secret|Rex/)
  })
})

it('calibrate --dry-run sends nothing, and prints every request', async () => {
  const { mock, calibrate } = await serveMock()
  const { code, stdout } = await calibrate('--dry-run', '--probe', 'create-animal')
  expect(code).toBe(0)
  expect(stdout.trim().split('\n')).toHaveLength(20)
  expect(stdout).toMatch(/^GET \/pets without a key$/m)
  expect(mock.control.requests()).toEqual([])
})

it.each(['outage', 'locked-out'] as const)('calibrate exits with 3 after one request and writes no file, with %s', async (name) => {
  const { mock, calibrate } = await serveMock({ scenario: scenarios[name] })
  const { code, stderr } = await calibrate('--probe', 'create-animal', '-o', 'reality.yaml')
  expect(code).toBe(3)
  expect(mock.control.requests()).toHaveLength(1)
  expect(stderr).toMatch(/could store one[\s\S]*cannot delete[\s\S]*not written/)
  expect(existsSync(join(folder, 'reality.yaml'))).toBe(false)
})

it('calibrate ends with exit code 3 if the host does not exist', async () => {
  const none = await runHere(['calibrate', 'https://store.invalid/v1'], { env })
  expect(none.code).toBe(3)
  expect(none.stdout).toMatch(/no complete response \(E\w+\)/)
})
