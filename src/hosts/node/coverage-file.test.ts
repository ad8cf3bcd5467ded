import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createMock } from '../../mock/mock.ts'
import { addToCoverageFile } from './coverage-file.ts'

const home = process.cwd()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coverage-file-'))
  process.chdir(folder)
})
afterEach(() => {
  process.chdir(home)
  rmSync(folder, { recursive: true })
})

function cover(requests: number) {
  const { answer, control } = createMock({ pets: [] })
  for (let index = 0; index < requests; index++) answer({ method: 'GET', target: '/v1/pets', header: () => undefined, body: undefined })
  return control.coverage()
}

it('is one file for this process, and has what every store of it counted', () => {
  addToCoverageFile(cover(2))
  addToCoverageFile(cover(3))
  const files = readdirSync('coverage/store')
  expect(files).toEqual([expect.stringMatching(new RegExp(`^${process.pid}-0-[0-9a-z]+\\.json$`))])
  const text = readFileSync(`coverage/store/${files[0]}`, 'utf8')
  expect(text).toBe(`${JSON.stringify(cover(5), null, 2)}\n`)
})

it('says what is in its way', () => {
  writeFileSync('coverage', '')
  expect(() => addToCoverageFile(cover(1))).toThrow(/^coverage\/store\/\S+\.json: coverage cannot be written \((?:EEXIST|ENOTDIR)\)$/)
})

it('says so where an older file is no coverage', () => {
  addToCoverageFile(cover(1))
  const [file] = readdirSync('coverage/store')
  writeFileSync(`coverage/store/${file}`, '{')
  expect(() => addToCoverageFile(cover(1))).toThrow(/: coverage cannot be written \(.*JSON.*\)$/)
})
