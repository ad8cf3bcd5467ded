import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../../mock/mock.ts'
import { openStart } from '../../mock/mock-options.ts'
import { readScenarioFile } from './scenario-files.ts'
import { createWatch } from './watch-scenario.ts'

let folder: string
let seconds = 0

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watch-scenario-'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

const inFolder = (name: string) => join(folder, name)
const pet = (id: number, name: string) => ({ id, name, categoryId: 1 })

/** Each time with another date, however coarse those of the file system are. */
function write(name: string, value: unknown): void {
  mkdirSync(dirname(inFolder(name)), { recursive: true })
  writeFileSync(inFolder(name), typeof value === 'string' ? value : JSON.stringify(value))
  utimesSync(inFolder(name), ++seconds, seconds)
}

/** A mock of that file, and the notes of some rounds. */
async function start(name: string, more: MockOptions = {}) {
  const file = inFolder(name)
  const notes: string[] = []
  const watch = createWatch(file, (line) => notes.push(line.replaceAll(file, name)))
  let opened: ReturnType<typeof openStart> | undefined
  const open = () => {
    opened = openStart({ ...more, scenario: file }, 'test', () =>
      readScenarioFile(file, watch.follow),
    )
    return opened
  }
  const scenario = await open()
  const mock = createMock({ sandbox: more.sandbox ?? false, scenario })
  watch.start(mock, open, scenario)
  onTestFinished(watch.stop)
  const pass = async (rounds = 3) => {
    for (let round = 0; round < rounds; round++) {
      await vi.advanceTimersByTimeAsync(100)
      await Promise.allSettled([opened])
      await vi.advanceTimersByTimeAsync(0)
    }
    return notes.splice(0)
  }
  return { mock, pass, stop: watch.stop }
}

const namesOf = (mock: Mock, key?: string) =>
  ((key ? mock.control.sandbox(key) : mock.control).state().pets ?? []).map(({ name }) => name)

it('a mock that watches its scenario loads the file again when it has changed', async () => {
  write('a.json', { pets: [pet(1, 'Rex')], surprise: { seed: 7 } })
  const { mock, pass } = await start('a.json')
  write('a.json', { pets: [pet(1, 'Rex'), pet(2, 'Tom')] })
  expect(await pass()).toEqual([expect.stringMatching(/^a\.json .* 2 animals$/)])
  expect(namesOf(mock)).toEqual(['Rex', 'Tom'])
  expect(mock.control.state().surprise).toBeUndefined()
})

it('a mock that watches its scenario keeps the last valid state while the file is invalid, reports that once, and loads the file once it is valid', async () => {
  write('a.json', { pets: [pet(1, 'Rex')] })
  const { mock, pass } = await start('a.json')
  write('a.json', { pets: [{ ...pet(1, 'Tom'), status: 'gone' }] })
  expect(await pass()).toEqual([
    expect.stringMatching(/^a\.json: pets\[0\]\.status: /),
    expect.stringMatching(/^a\.json .*invalid/),
  ])
  expect([await pass(), namesOf(mock)]).toEqual([[], ['Rex']])
  write('a.json', { pets: [pet(1, 'Rex')] })
  expect([await pass(), await pass()]).toEqual([
    [expect.stringMatching(/^a\.json .*valid again/)],
    [],
  ])
  write('a.json', { pets: [pet(1, 'Tom')] })
  expect([await pass(), namesOf(mock)]).toEqual([[expect.stringContaining('1 animal')], ['Tom']])
})

it('a mock that watches its scenario reads a file once it has stayed the same for a round, until it stops', async () => {
  write('a.json', { pets: [] })
  const { mock, pass, stop } = await start('a.json')
  for (let length = 1; length <= 5; length++) {
    write('a.json', { pets: [pet(1, 'x'.repeat(length))] })
    await pass(1)
  }
  expect(namesOf(mock)).toEqual([])
  await pass(1)
  expect(namesOf(mock)).toEqual(['xxxxx'])
  write('a.json', { pets: [] })
  await pass(1)
  // The next round reads the file, and stops meanwhile.
  vi.advanceTimersByTime(100)
  stop()
  expect([await pass(), namesOf(mock), vi.getTimerCount()]).toEqual([[], ['xxxxx'], 0])
})

it('a mock that watches its scenario loads the scenario again when a file that it extends has changed', async () => {
  write('base.json', { pets: [pet(1, 'Rex')] })
  write('a.json', { extends: './base.json' })
  const { mock, pass } = await start('a.json')
  write('base.json', { pets: [pet(1, 'Tom')] })
  await pass()
  expect(namesOf(mock)).toEqual(['Tom'])
})

it('a mock that watches its scenario lets options override the new file, keeps the sandboxes and says so', async () => {
  write('a.json', { pets: [] })
  const { mock, pass } = await start('a.json', {
    sandbox: true,
    apiKeys: ['qa-key'],
    faults: [{ operation: '*', status: 500 }],
  })
  mock.control.sandbox('qa-key').faults.clear()
  write('a.json', { pets: [pet(1, 'Rex')], apiKeys: ['other'] })
  expect(await pass()).toEqual([expect.stringMatching(/^a\.json .* 1 animal; sandboxes /)])
  expect(mock.control.state()).toMatchObject({
    pets: [{ name: 'Rex' }],
    apiKeys: ['qa-key'],
    faults: [{ status: 500 }],
  })
  expect([namesOf(mock, 'qa-key'), mock.control.sandbox('qa-key').faults.list()]).toEqual([[], []])
})

it('a mock that watches its scenario keeps its state when the file is written with the same content', async () => {
  write('a.json', { pets: [pet(1, 'Rex')] })
  const { mock, pass } = await start('a.json')
  mock.control.pets.add({ name: 'Tom', categoryId: 1 })
  write('a.json', { pets: [pet(1, 'Rex')] })
  expect([await pass(), namesOf(mock)]).toEqual([[], ['Rex', 'Tom']])
  write('a.json', { pets: [] })
  await pass()
  write('a.json', { pets: [] })
  expect([await pass(), namesOf(mock)]).toEqual([[], []])
})

it('a mock that watches its scenario loads the file again after its folder is removed and created again', async () => {
  write('home/inner/a.json', { pets: [] })
  const { mock, pass } = await start('home/inner/a.json')
  for (const name of ['Tom', 'Pip']) {
    rmSync(inFolder('home'), { recursive: true })
    expect(await pass()).toContainEqual(expect.stringMatching(/^home\/inner\/a\.json .*invalid/))
    for (const written of [name, `${name} again`]) {
      write('home/inner/a.json', { pets: [pet(1, written)] })
      await pass()
      expect(namesOf(mock)).toEqual([written])
    }
  }
})
