import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../mock.ts'
import { loadScenario } from '../scenario/files.ts'
import { watchScenario } from './watch-scenario.ts'

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
  const options = { ...more, scenario: await loadScenario(file) }
  const mock = createMock(options)
  const notes: string[] = []
  let wake = () => {}
  const stop = watchScenario(file, mock, options, (text) => {
    notes.push(text)
    wake()
  })
  onTestFinished(stop)
  const noted = async (pattern: RegExp) => {
    while (!notes.some((note) => pattern.test(note))) await new Promise<void>((resolve) => (wake = resolve))
    return notes.splice(0)
  }
  return { mock, notes, noted, stop }
}

const namesOf = (mock: Mock, key?: string) => ((key ? mock.control.sandbox(key) : mock.control).state().pets ?? []).map(({ name }) => name)

describe('watchScenario', () => {
  it('loads the file again when it has changed', async () => {
    write('a.json', { pets: [pet(1, 'Rex')] })
    const { mock, noted } = await start(inFolder('a.json'))
    write('a.json', { pets: [pet(1, 'Rex'), pet(2, 'Tom')] })
    expect(await noted(/loaded/)).toEqual([`${inFolder('a.json')} has changed and is loaded: 2 animals`])
    expect(namesOf(mock)).toEqual(['Rex', 'Tom'])
  })

  it('notices a new file in the place of the old one, as editors save', async () => {
    write('a.yaml', 'pets: []')
    const { mock, noted } = await start(inFolder('a.yaml'))
    for (const name of ['Rex', 'Tom']) {
      write('a.yaml.tmp', `pets: [{ id: 1, name: ${name}, categoryId: 1 }]`)
      renameSync(inFolder('a.yaml.tmp'), inFolder('a.yaml'))
      await noted(/loaded/)
      expect(namesOf(mock)).toEqual([name])
    }
  })

  it('keeps the last good world when the file is not in order, and goes on when it is', async () => {
    write('a.json', { pets: [pet(1, 'Rex')] })
    const { mock, noted } = await start(inFolder('a.json'))
    write('a.json', { pets: [{ ...pet(1, 'Tom'), status: 'gone' }] })
    const problems = await noted(/last good world/)
    expect(problems[0]).toMatch(/a\.json:1 pets\[0\]\.status: expected available, pending or sold, got "gone"$/)
    expect(problems[1]).toBe(`${inFolder('a.json')} is not loaded: the last good world stays`)
    expect(namesOf(mock)).toEqual(['Rex'])
    write('a.json', { pets: [pet(1, 'Tom')] })
    await noted(/has changed/)
    expect(namesOf(mock)).toEqual(['Tom'])
  })

  it('leaves the world alone when only another file has changed', async () => {
    write('a.json', { pets: [pet(1, 'Rex')] })
    const { mock, notes, noted } = await start(inFolder('a.json'))
    const headers = { authorization: 'Bearer key', 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'Tom', categoryId: 1 })
    await mock.fetch(new Request('http://localhost/v1/pets', { method: 'POST', headers, body }))
    write('b.json', {})
    write('a.json', `${JSON.stringify({ pets: [pet(1, 'Rex')] })}\n`)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect([notes, namesOf(mock)]).toEqual([[], ['Rex', 'Tom']])
    write('a.json', { pets: [] })
    await noted(/loaded/)
    expect(namesOf(mock)).toEqual([])
  })

  it('loads again what the file extends', async () => {
    write('base.json', { pets: [pet(1, 'Rex')] })
    write('a.json', { extends: './base.json' })
    const { mock, noted } = await start(inFolder('a.json'))
    write('base.json', { pets: [pet(1, 'Tom')] })
    await noted(/loaded/)
    expect(namesOf(mock)).toEqual(['Tom'])
  })

  it('lets the flags stand before the new file, and starts every sandbox anew', async () => {
    write('a.json', { pets: [] })
    const { mock, noted } = await start(inFolder('a.json'), {
      sandbox: true,
      apiKeys: ['qa-key'],
      faults: [{ operation: '*', status: 500 }],
    })
    mock.control.sandbox('qa-key').faults.clear()
    write('a.json', { pets: [pet(1, 'Rex')], apiKeys: ['other'] })
    await noted(/loaded/)
    expect(mock.control.state()).toMatchObject({ apiKeys: ['qa-key'], faults: [{ status: 500 }] })
    expect([namesOf(mock, 'qa-key'), mock.control.sandbox('qa-key').faults.list().length]).toEqual([['Rex'], 1])
  })

  it('follows a link to where the file really is', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'watch-scenario-'))
    onTestFinished(() => rmSync(elsewhere, { recursive: true }))
    writeFileSync(join(elsewhere, 'real.json'), '{"pets":[]}')
    symlinkSync(join(elsewhere, 'real.json'), inFolder('a.json'))
    const { mock, noted } = await start(inFolder('a.json'))
    writeFileSync(join(elsewhere, 'real.json'), JSON.stringify({ pets: [pet(1, 'Rex')] }))
    await noted(/loaded/)
    expect(namesOf(mock)).toEqual(['Rex'])
  })
})
