import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseJson, toJson } from '../contract/int64-json.ts'
import { createRandom } from '../random.ts'
import { spell } from './kinds.ts'

it('spell writes a JSON value in another spelling with the same meaning', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.integer(), (value, seed) => {
      fc.pre(JSON.stringify(value).isWellFormed())
      const plain = JSON.stringify(value)
      const text = spell(value as never, createRandom(seed))
      expect(text).not.toBe(plain)
      expect(text.isWellFormed()).toBe(true)
      expect(JSON.parse(text)).toEqual(JSON.parse(plain))
    }),
  )
})

it('spell keeps every digit of 64-bit integers', () => {
  const value = { id: 9223372036854775807n, name: 'Rex', categoryId: -9007199254740993n }
  for (let seed = 0; seed < 20; seed++) expect(parseJson(spell(value, createRandom(seed)))).toEqual(parseJson(toJson(value)))
})
