import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { createFolder } from '../../test/support/cli-process.ts'
import { describeRequests } from '../control/rows/describe-request.ts'
import { createMock } from '../mock/mock.ts'
import { reportSurprises } from './environment.ts'
import { readStoreOptions } from './kit-options.ts'

afterEach(() => vi.unstubAllEnvs())

it('a kit takes the surprises of a store from the environment, unless its options name some', () => {
  expect(readStoreOptions({}).surprise).toBeUndefined()
  vi.stubEnv('ANIMAL_STORE_SURPRISE', '7')
  vi.stubEnv('ANIMAL_STORE_KINDS', 'order,delay')
  vi.stubEnv('ANIMAL_STORE_ONLY', 'order@listPets#1')
  expect(readStoreOptions({}).surprise).toEqual({
    seed: 7,
    kinds: ['order', 'delay'],
    only: ['order@listPets#1'],
  })
  expect(readStoreOptions({ surprise: { seed: 1 } }).surprise).toEqual({ seed: 1 })
  vi.stubEnv('ANIMAL_STORE_SURPRISE', 'seven')
  expect(() => readStoreOptions({})).toThrow('expected an integer')
  vi.stubEnv('ANIMAL_STORE_SURPRISE', '')
  expect(() => readStoreOptions({})).toThrow(
    'ANIMAL_STORE_KINDS needs a seed; set --surprise or ANIMAL_STORE_SURPRISE too',
  )
})

it('a kit writes surprises to the report of the surprise command, and names the seed when a test fails', async () => {
  const file = join(createFolder(), 'surprises')
  vi.stubEnv('ANIMAL_STORE_SURPRISE_REPORT', file)
  const mock = createMock({ surprise: { seed: 17, only: ['order', 'extra-field'] } })
  reportSurprises(mock.control)
  for (let call = 0; call < 8; call++)
    await mock.fetch('/v1/pets', { headers: { authorization: 'Bearer k' } })
  const rows = mock.control.requests()
  const all = rows.flatMap(({ surprises }) => surprises)
  expect(all.length).toBeGreaterThan(2)
  expect(readFileSync(file, 'utf8').trim().split('\n')).toEqual(all)
  expect(describeRequests('a test', rows)).toMatch(
    /^Request log of "a test": 8 requests \(.*seed 17.*ANIMAL_STORE_SURPRISE=17\b/,
  )
  expect(describeRequests('a test', rows)).toContain(`surprise ${all[0]}`)
})
