import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../../mock/mock.ts'
import { openStart } from '../../mock/mock-options.ts'
import { readScenarioFile } from '../../scenario/files.ts'
import { createWatch } from './watch-scenario.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watch-scenario-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

const inFolder = (name: string) => join(folder, name)
const pet = (id: number, name: string) => ({ id, name, categoryId: 1 })
const write = (name: string, value: unknown) => writeFileSync(inFolder(name), typeof value === 'string' ? value : JSON.stringify(value))

/** A mock of that file, the notes about it, and a way to wait for one. */
async function start(file: string, more: MockOptions = {}) {
  const notes: string[] = []
  let wake = () => {}
  const watch = createWatch(file, (line) => {
    notes.push(line)
    wake()
  })
  const open = () => openStart({ ...more, scenario: file }, 'test', () => readScenarioFile(file, { onFile: watch.follow }))
  const scenario = await open()
  const mock = createMock({ sandbox: more.sandbox ?? false, scenario })
  watch.start(mock, open, scenario)
  onTestFinished(watch.stop)
  const noted = async (pattern: RegExp) => {
    while (!notes.some((note) => pattern.test(note))) await new Promise<void>((resolve) => (wake = resolve))
    return notes.splice(0)
  }
  return { mock, notes, noted, stop: watch.stop }
}

const namesOf = (mock: Mock, key?: string) => ((key ? mock.control.sandbox(key) : mock.control).state().pets ?? []).map(({ name }) => name)

describe('a mock that watches its scenario', () => {
  it('loads the file again when it has changed', async () => {
    write('a.json', { pets: [pet(1, 'Rex')], surprise: { seed: 7 } })
    const { mock, noted } = await start(inFolder('a.json'))
    write('a.json', { pets: [pet(1, 'Rex'), pet(2, 'Tom')] })
    expect(await noted(/replaced/)).toEqual([`${inFolder('a.json')} changed: replaced the state with 2 animals`])
    expect(namesOf(mock)).toEqual(['Rex', 'Tom'])
    expect(mock.control.state().surprise).toBeUndefined()
  })

  it('keeps the last valid state while the file is invalid, and loads the file once it is valid', async () => {
    write('a.json', { pets: [pet(1, 'Rex')] })
    const { mock, noted } = await start(inFolder('a.json'))
    write('a.json', { pets: [{ ...pet(1, 'Tom'), status: 'gone' }] })
    const problems = await noted(/last valid state/)
    expect(problems[0]).toMatch(/a\.json: pets\[0\]\.status: expected available, pending or sold, got "gone"$/)
    expect(problems[1]).toBe(`${inFolder('a.json')} is invalid: keeping the last valid state`)
    expect(namesOf(mock)).toEqual(['Rex'])
    write('a.json', { pets: [pet(1, 'Tom')] })
    await noted(/replaced/)
    expect(namesOf(mock)).toEqual(['Tom'])
  })

  it('reads a file once it has stayed the same, reports an invalid one once, and stops', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    write('a.json', { pets: [] })
    const { mock, notes, noted, stop } = await start(inFolder('a.json'))
    for (let length = 1; length <= 5; length++) {
      write('a.json', { pets: [pet(1, 'x'.repeat(length))] })
      vi.advanceTimersByTime(100)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(namesOf(mock)).toEqual([])
    write('a.json', '{')
    vi.advanceTimersByTime(500)
    expect(await noted(/last valid state/)).toHaveLength(2)
    vi.advanceTimersByTime(500)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(notes).toEqual([])
    stop()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('loads the scenario again when a file that it extends has changed', async () => {
    write('base.json', { pets: [pet(1, 'Rex')] })
    write('a.json', { extends: './base.json' })
    const { mock, noted } = await start(inFolder('a.json'))
    write('base.json', { pets: [pet(1, 'Tom')] })
    await noted(/replaced/)
    expect(namesOf(mock)).toEqual(['Tom'])
  })

  it('lets options override the new file, keeps the sandboxes and says so', async () => {
    write('a.json', { pets: [] })
    const { mock, noted } = await start(inFolder('a.json'), {
      sandbox: true,
      apiKeys: ['qa-key'],
      faults: [{ operation: '*', status: 500 }],
    })
    mock.control.sandbox('qa-key').faults.clear()
    write('a.json', { pets: [pet(1, 'Rex')], apiKeys: ['other'] })
    expect(await noted(/replaced/)).toEqual([
      `${inFolder('a.json')} changed: replaced the state with 1 animal; sandboxes keep their states`,
    ])
    expect(mock.control.state()).toMatchObject({ pets: [{ name: 'Rex' }], apiKeys: ['qa-key'], faults: [{ status: 500 }] })
    expect([namesOf(mock, 'qa-key'), mock.control.sandbox('qa-key').faults.list()]).toEqual([[], []])
  })

  it('keeps its state when the file is written with the same content', async () => {
    write('a.json', { pets: [pet(1, 'Rex')] })
    const { mock, noted } = await start(inFolder('a.json'))
    mock.control.pets.add({ name: 'Tom', categoryId: 1 })
    write('a.json', { pets: [pet(1, 'Rex')] })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(namesOf(mock)).toEqual(['Rex', 'Tom'])
    write('a.json', { pets: [] })
    await noted(/replaced/)
    expect(namesOf(mock)).toEqual([])
  })

  it('loads the file again after its folder is removed and created again', async () => {
    const file = inFolder('home/inner/a.json')
    const make = (name: string) => {
      mkdirSync(inFolder('home/inner'), { recursive: true })
      writeFileSync(file, JSON.stringify({ pets: [pet(1, name)] }))
    }
    make('Rex')
    const { mock, noted } = await start(file)
    for (const name of ['Tom', 'Pip']) {
      rmSync(inFolder('home'), { recursive: true })
      await noted(/last valid state/)
      make(name)
      await noted(/replaced/)
      expect(namesOf(mock)).toEqual([name])
      // And the new folder is watched as the old one was.
      make(`${name} again`)
      await noted(/replaced/)
      expect(namesOf(mock)).toEqual([`${name} again`])
    }
  })
})
