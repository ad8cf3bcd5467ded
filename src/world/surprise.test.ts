import { expect, it } from 'vitest'
import { hash } from '../contract/random.ts'
import { draw, kindNames } from './surprise.ts'

const places = Array.from({ length: 40 }, (_, index) => `@listPets#${index + 1}`)
const labels = kindNames.flatMap((kind) => places.map((place) => kind + place))
const all = { seed: 7, kinds: ['all'] } as const
const on = (setting: Parameters<typeof draw>[0]) => labels.filter((label) => draw(setting, label))

it('the hash of a text is the same on every machine', () => {
  expect([hash(''), hash('7 order@listPets#3'), hash('ü€')]).toEqual([
    3770332432, 3549536223, 1369205159,
  ])
})

it('a seed turns about half of the surprises on, and another seed turns on other ones', () => {
  expect(on(all).length / labels.length).toBeCloseTo(0.5, 1)
  expect(on({ ...all, seed: 8 })).not.toEqual(on(all))
})

it('a surprise stays the same when other surprises are left out', () => {
  for (const kind of kindNames)
    expect(on({ seed: 7, kinds: [kind] })).toEqual(
      on(all).filter((label) => label.startsWith(`${kind}@`)),
    )
  const [first = '', second = ''] = on(all)
  expect(on({ ...all, only: [first, second] })).toEqual([first, second])
  expect(draw({ ...all, only: [first] }, first)?.next()).toBe(draw(all, first)?.next())
})

it('surprises are of the mild kinds by default, and of every kind that "only" names', () => {
  const kindsOf = (found: string[]) => [...new Set(found.map((label) => label.split('@')[0]))]
  expect(kindsOf(on({ seed: 7 }))).toEqual(
    kindNames.filter((kind) => kind !== 'short-page' && kind !== 'delay'),
  )
  expect(kindsOf(on({ seed: 7, only: ['delay'] }))).toEqual(['delay'])
})

it('"only" names surprises by the first whole parts of their labels', () => {
  const setting = { seed: 7, only: ['order@listPets#1'] }
  expect(draw(setting, 'order@listPets#10')).toBeUndefined()
  expect(on({ seed: 7, only: ['order@list'] })).toEqual([])
  expect(on({ seed: 7, only: ['order@listPets'] })).toEqual(on({ seed: 7, only: ['order'] }))
})
