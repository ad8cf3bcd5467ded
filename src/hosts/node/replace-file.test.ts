import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UsageError } from '../../contract/errors.ts'
import { checkWritable, followLinks, removeOld, replaceFile } from './replace-file.ts'

let folder: string
const inFolder = (name: string) => join(folder, name)
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replace-file-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

it('followLinks finds a file that does not exist yet where it will be, through links and folders that do not exist either', async () => {
  mkdirSync(inFolder('real'))
  symlinkSync('real', inFolder('link'))
  expect(await followLinks(inFolder('link/new/a.json'))).toBe(
    join(await followLinks(folder), 'real/new/a.json'),
  )
})

describe('replaceFile', () => {
  it('creates a file with the given mode, and leaves no temporary file', async () => {
    await replaceFile(inFolder('a.json'), '{}', 0o600)
    expect([
      readdirSync(folder),
      readFileSync(inFolder('a.json'), 'utf8'),
      modeOf(inFolder('a.json')),
    ]).toEqual([['a.json'], '{}', '600'])
  })

  it.each([
    ['a file', 'real/old.json'],
    ['a file that does not exist yet', 'real/new.json'],
    ['another link', 'real/link.json'],
  ])('follows a link to %s', async (_title, target) => {
    mkdirSync(inFolder('real'))
    writeFileSync(inFolder('real/old.json'), 'old')
    symlinkSync('old.json', inFolder('real/link.json'))
    symlinkSync(target, inFolder('a.json'))
    await checkWritable(inFolder('a.json'))
    await replaceFile(inFolder('a.json'), 'http://a', 0o600)
    expect(readFileSync(inFolder(target), 'utf8')).toBe('http://a')
    await removeOld(inFolder('a.json'))
    await replaceFile(inFolder('a.json'), '[]', 0o600)
    expect(readFileSync(inFolder(target), 'utf8')).toBe('[]')
    expect(
      [lstatSync(inFolder('a.json')), lstatSync(inFolder('real/link.json'))].every((one) =>
        one.isSymbolicLink(),
      ),
    ).toBe(true)
  })

  it('replaces the temporary file that a killed process left behind', async () => {
    writeFileSync(inFolder('a.json.saving.tmp'), 'half')
    await replaceFile(inFolder('a.json'), '{}', 0o600)
    expect(readdirSync(folder)).toEqual(['a.json'])
  })

  it.each([
    ['a folder', 'folder', 'expected a regular file'],
    ['a file below another file', 'file/a.json', 'cannot be written (E'],
    ['a link to itself', 'loop', 'cannot be written (ELOOP'],
  ])('refuses %s, and so does checkWritable', async (_title, name, message) => {
    mkdirSync(inFolder('folder'))
    writeFileSync(inFolder('file'), '')
    symlinkSync('loop', inFolder('loop'))
    const before = readdirSync(folder)
    const problem = `${inFolder(name)}: ${message}`
    await expect(replaceFile(inFolder(name), 'new', 0o600)).rejects.toThrow(problem)
    await expect(checkWritable(inFolder(name))).rejects.toThrow(problem)
    expect(readdirSync(folder)).toEqual(before)
  })
})

describe('checkWritable', () => {
  it('creates no file, and does not change an existing one', async () => {
    await checkWritable(inFolder('a.json'))
    expect(readdirSync(folder)).toEqual([])
    writeFileSync(inFolder('a.json'), 'old')
    chmodSync(inFolder('a.json'), 0o640)
    await checkWritable(inFolder('a.json'))
    expect([
      readdirSync(folder),
      readFileSync(inFolder('a.json'), 'utf8'),
      modeOf(inFolder('a.json')),
    ]).toEqual([['a.json'], 'old', '640'])
  })
})

describe('removeOld', () => {
  it('removes an address if there is one', async () => {
    writeFileSync(inFolder('a.json'), 'http://127.0.0.1:7387/v1\n')
    for (let times = 1; times <= 2; times++) await removeOld(inFolder('a.json'))
    expect(readdirSync(folder)).toEqual([])
  })

  it('refuses to remove a device, or a file that is not an address', async () => {
    writeFileSync(inFolder('a.json'), '{}')
    await expect(removeOld(inFolder('a.json'))).rejects.toThrow(UsageError)
    expect(readdirSync(folder)).toEqual(['a.json'])
    await expect(removeOld('/dev/null')).rejects.toThrow(
      new UsageError('/dev/null: expected a regular file'),
    )
  })
})
