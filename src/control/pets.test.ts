import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Pet } from '../contract/generated/contract.ts'
import { createOrigin } from '../world/state.ts'
import { browseAnimals } from './pets.ts'

function browse(pets: readonly Pet[], filter: Parameters<typeof browseAnimals>[1]) {
  const origin = createOrigin({ pets })
  return browseAnimals({ origin, catalogue: origin.catalogue }, filter).pets
}

it('gives the same page as if all animals were sorted', () => {
  const animals = fc.array(
    fc.tuple(fc.constantFrom('a', 'B', 'b', 'c', ''), fc.integer({ min: -2, max: 2 })),
    { maxLength: 40 },
  )
  const sorts = fc.constantFrom('name', '-name', 'categoryId', '-categoryId')
  fc.assert(
    fc.property(animals, fc.nat(45), fc.nat(45), sorts, (given, offset, limit, sort) => {
      const pets = given.map(([name, categoryId], index) => ({ id: index + 1, name, categoryId }))
      const column = sort.replace('-', '') as 'name' | 'categoryId'
      const key = (pet: Pet) => (column === 'name' ? pet.name.toLowerCase() : pet.categoryId)
      const sorted = pets.toSorted((one, other) =>
        key(one) === key(other) ? one.id - other.id : key(one) < key(other) ? -1 : 1,
      )
      const expected = sort.startsWith('-') ? sorted.toReversed() : sorted
      expect(browse(pets, { sort: sort as 'name', offset, limit })).toEqual(
        expected.slice(offset, offset + limit),
      )
    }),
  )
})
