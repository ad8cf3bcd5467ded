import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { toEntries } from './doors.ts'

it('package.json has the entries that follow from the table of doors', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const expected = toEntries()
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, manifest[name]]))).toEqual(expected)
})
