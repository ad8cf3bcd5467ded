import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../mock/mock.ts'
import { loadScenario } from '../scenario/files.ts'
import { prepareWatch } from './watch-scenario.ts'

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
  const watch = await prepareWatch(file, options)
  const stop = watch(mock, (text) => {
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

/** How many watches of this process the system knows for a folder. */
function countWatches(path: string): number {
  const mark = `ino:${statSync(path).ino.toString(16)} `
  const read = (name: string) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${name}`, 'utf8')
    } catch {
      // The one that the list itself was read from.
      return ''
    }
  }
  const lines = readdirSync('/proc/self/fdinfo').flatMap((name) => read(name).split('\n'))
  return lines.filter((line) => line.startsWith('inotify') && line.includes(mark)).length
}

describe('watchScenario', () => {
  it('loads the file again when it has changed', async () => {
    write('a.json', { pets: [pet(1, 'Rex')] })
    const { mock, noted } = await start(inFolder('a.json'))
    write('a.json', { pets: [pet(1, 'Rex'), pet(2, 'Tom')] })
    expect(await noted(/reloaded/)).toEqual([`${inFolder('a.json')} changed: reloaded with 2 animals`])
    expect(namesOf(mock)).toEqual(['Rex', 'Tom'])
  })

  it('notices a new file in the place of the old one, as editors save', async () => {
    write('a.yaml', 'pets: []')
    const { mock, noted } = await start(inFolder('a.yaml'))
    for (const name of ['Rex', 'Tom']) {
      write('a.yaml.tmp', `pets: [{ id: 1, name: ${name}, categoryId: 1 }]`)
      renameSync(inFolder('a.yaml.tmp'), inFolder('a.yaml'))
      await noted(/reloaded/)
      expect(namesOf(mock)).toEqual([name])
    }
  })

  it('keeps the last valid world while the file is invalid, and goes on once it is valid', async () => {
    write('a.json', { pets: [pet(1, 'Rex')] })
    const { mock, noted } = await start(inFolder('a.json'))
    write('a.json', { pets: [{ ...pet(1, 'Tom'), status: 'gone' }] })
    const problems = await noted(/last valid world/)
    expect(problems[0]).toMatch(/a\.json:1 pets\[0\]\.status: expected available, pending or sold, got "gone"$/)
    expect(problems[1]).toBe(`${inFolder('a.json')} is invalid: keeping the last valid world`)
    expect(namesOf(mock)).toEqual(['Rex'])
    write('a.json', { pets: [pet(1, 'Tom')] })
    await noted(/reloaded/)
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
    await noted(/reloaded/)
    expect(namesOf(mock)).toEqual([])
  })

  it('loads again what the file extends', async () => {
    write('base.json', { pets: [pet(1, 'Rex')] })
    write('a.json', { extends: './base.json' })
    const { mock, noted } = await start(inFolder('a.json'))
    write('base.json', { pets: [pet(1, 'Tom')] })
    await noted(/reloaded/)
    expect(namesOf(mock)).toEqual(['Tom'])
  })

  it('names the files that have changed', async () => {
    mkdirSync(inFolder('sub'))
    write('sub/root.json', { latency: 5 })
    write('base.json', { extends: './sub/root.json', pets: [pet(1, 'Rex')] })
    write('a.json', { extends: './base.json', description: 'one' })
    const { noted } = await start(inFolder('a.json'))
    write('a.json', { extends: './base.json', description: 'two' })
    expect(await noted(/reloaded/)).toEqual([`${inFolder('a.json')} changed: reloaded with 1 animal`])
    write('sub/root.json', { latency: 6 })
    expect(await noted(/reloaded/)).toEqual([`${inFolder('sub/root.json')} changed: reloaded with 1 animal`])
    write('base.json', '{')
    await noted(/last valid world/)
    write('base.json', { extends: './sub/root.json', pets: [pet(1, 'Pip')] })
    expect(await noted(/reloaded/)).toEqual([`${inFolder('base.json')} changed: reloaded with 1 animal`])
    rmSync(inFolder('a.json'))
    await noted(/last valid world/)
    write('a.json', { extends: './base.json', description: 'two' })
    expect(await noted(/reloaded/)).toEqual([`${inFolder('a.json')} changed: reloaded with 1 animal`])
    write('a.json', '{')
    await noted(/last valid world/)
    // Nobody reads it while the one that extends it cannot be read.
    write('base.json', { extends: './sub/root.json', pets: [] })
    write('a.json', { extends: './base.json', description: 'three' })
    expect(await noted(/reloaded/)).toEqual([`${inFolder('a.json')} and ${inFolder('base.json')} changed: reloaded with 0 animals`])
  })

  it('lets options override the new file, and resets every sandbox', async () => {
    write('a.json', { pets: [] })
    const { mock, noted } = await start(inFolder('a.json'), {
      sandbox: true,
      apiKeys: ['qa-key'],
      faults: [{ operation: '*', status: 500 }],
    })
    mock.control.sandbox('qa-key').faults.clear()
    write('a.json', { pets: [pet(1, 'Rex')], apiKeys: ['other'] })
    await noted(/reloaded/)
    expect(mock.control.state()).toMatchObject({ apiKeys: ['qa-key'], faults: [{ status: 500 }] })
    expect([namesOf(mock, 'qa-key'), mock.control.sandbox('qa-key').faults.list().length]).toEqual([['Rex'], 1])
  })

  it('reloads when a file in another folder that it extends changes, or one that this file extends', async () => {
    mkdirSync(inFolder('sub/deeper'), { recursive: true })
    write('sub/deeper/root.json', { pets: [pet(1, 'Rex')] })
    write('sub/base.yaml', 'extends: deeper/root.json')
    write('a.yaml', 'extends: sub/base.yaml')
    const { mock, noted } = await start(inFolder('a.yaml'))
    write('sub/deeper/root.json', { pets: [pet(1, 'Tom')] })
    await noted(/reloaded/)
    expect(namesOf(mock)).toEqual(['Tom'])
    write('sub/base.yaml', 'pets: []')
    await noted(/reloaded/)
    expect(namesOf(mock)).toEqual([])
  })

  it('watches a folder that the file extends into only later', async () => {
    mkdirSync(inFolder('sub'))
    write('sub/base.json', { pets: [pet(1, 'Rex')] })
    write('a.json', { pets: [] })
    const { mock, noted } = await start(inFolder('a.json'))
    write('a.json', { extends: 'sub/base.json' })
    await noted(/reloaded/)
    write('sub/base.json', { pets: [pet(1, 'Tom')] })
    await noted(/reloaded/)
    expect(namesOf(mock)).toEqual(['Tom'])
  })

  it('waits for a file that it extends and that does not exist yet', async () => {
    mkdirSync(inFolder('sub'))
    write('a.json', { pets: [] })
    const { mock, noted } = await start(inFolder('a.json'))
    write('a.json', { extends: 'sub/base.json' })
    expect((await noted(/last valid world/))[0]).toMatch(/extends: expected a file that exists, got "sub\/base\.json"$/)
    write('sub/base.json', { pets: [pet(1, 'Tom')] })
    await noted(/reloaded/)
    expect(namesOf(mock)).toEqual(['Tom'])
  })

  it.each([
    ['the folder of the file', 'inner'],
    ['a folder above it', '.'],
  ])('survives that %s is removed and made anew', async (_, removed) => {
    const home = inFolder('home')
    const file = join(home, 'inner/a.json')
    const make = (name: string) => {
      mkdirSync(join(home, 'inner'), { recursive: true })
      writeFileSync(file, JSON.stringify({ pets: [pet(1, name)] }))
    }
    make('Rex')
    const { mock, noted } = await start(file)
    for (const name of ['Tom', 'Pip']) {
      rmSync(join(home, removed), { recursive: true })
      await noted(/last valid world/)
      make(name)
      await noted(/reloaded/)
      expect(namesOf(mock)).toEqual([name])
      // And the new folder is watched as the old one was.
      make(`${name} again`)
      await noted(/reloaded/)
      expect(namesOf(mock)).toEqual([`${name} again`])
    }
  })

  it('survives that the folder is replaced in one step', async () => {
    mkdirSync(inFolder('one'))
    mkdirSync(inFolder('two'))
    write('one/a.json', { pets: [pet(1, 'Rex')] })
    write('two/a.json', { pets: [pet(1, 'Tom')] })
    const { mock, noted } = await start(inFolder('one/a.json'))
    renameSync(inFolder('one'), inFolder('old'))
    renameSync(inFolder('two'), inFolder('one'))
    await noted(/reloaded/)
    expect(namesOf(mock)).toEqual(['Tom'])
    write('one/a.json', { pets: [] })
    await noted(/reloaded/)
    expect(namesOf(mock)).toEqual([])
  })

  it.runIf(process.platform === 'linux')('watches nothing any more once it has been stopped', async () => {
    write('a.json', { pets: [] })
    const { noted, stop } = await start(inFolder('a.json'))
    write('a.json', { pets: [pet(1, 'Rex')] })
    await noted(/reloaded/)
    expect(countWatches(folder)).toBe(1)
    stop()
    expect(countWatches(folder)).toBe(0)
  })

  it('follows a link to where the file really is', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'watch-scenario-'))
    onTestFinished(() => rmSync(elsewhere, { recursive: true }))
    writeFileSync(join(elsewhere, 'real.json'), '{"pets":[]}')
    symlinkSync(join(elsewhere, 'real.json'), inFolder('a.json'))
    const { mock, noted } = await start(inFolder('a.json'))
    writeFileSync(join(elsewhere, 'real.json'), JSON.stringify({ pets: [pet(1, 'Rex')] }))
    await noted(/reloaded/)
    expect(namesOf(mock)).toEqual(['Rex'])
  })
})
