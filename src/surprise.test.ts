import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseJson, toJson } from './contract/int64-json.ts'
import { createRandom, hash } from './random.ts'
import { draw, kindNames, spell } from './surprise.ts'

const places = Array.from({ length: 40 }, (_, index) => `@listPets#${index + 1}`)
const labels = kindNames.flatMap((kind) => places.map((place) => kind + place))
const all = { seed: 7, kinds: ['all'] } as const
const on = (setting: Parameters<typeof draw>[0]) => labels.filter((label) => draw(setting, label))

it('the hash of a text is the same on every machine', () => {
  expect([hash(''), hash('7 order@listPets#3'), hash('ü€')]).toEqual([3770332432, 3549536223, 1369205159])
})

it('a seed turns about half of the surprises on, and another seed turns on other ones', () => {
  expect(on(all).length / labels.length).toBeCloseTo(0.5, 1)
  expect(on({ ...all, seed: 8 })).not.toEqual(on(all))
})

it('a surprise stays the same when other surprises are left out', () => {
  for (const kind of kindNames) expect(on({ seed: 7, kinds: [kind] })).toEqual(on(all).filter((label) => label.startsWith(`${kind}@`)))
  const [first = '', second = ''] = on(all)
  expect(on({ ...all, only: [first, second] })).toEqual([first, second])
  expect(draw({ ...all, only: [first] }, first)?.next()).toBe(draw(all, first)?.next())
})

it('surprises are of the mild kinds by default, and of every kind that "only" names', () => {
  const kindsOf = (found: string[]) => [...new Set(found.map((label) => label.split('@')[0]))]
  expect(kindsOf(on({ seed: 7 }))).toEqual(kindNames.filter((kind) => kind !== 'short-page' && kind !== 'delay'))
  expect(kindsOf(on({ seed: 7, only: ['delay'] }))).toEqual(['delay'])
})

it('"only" names surprises by the first whole parts of their labels', () => {
  const setting = { seed: 7, only: ['order@listPets#1'] }
  expect(draw(setting, 'order@listPets#10')).toBeUndefined()
  expect(on({ seed: 7, only: ['order@list'] })).toEqual([])
  expect(on({ seed: 7, only: ['order@listPets'] })).toEqual(on({ seed: 7, only: ['order'] }))
})

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
