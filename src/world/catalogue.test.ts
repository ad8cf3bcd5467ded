import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Pet } from '../contract/generated/contract.ts'
import { toPetText } from '../contract/pet.ts'
import * as catalogues from './catalogue.ts'
import { createPages } from './pages.ts'
import { sliceList } from './sorted.ts'

const {
  buildCatalogue,
  compareCatalogues,
  countByStatus,
  findPetText,
  listOf,
  listWithoutStatus,
  pageOf,
  setPetTextIn,
} = catalogues
const contractual = ['available', 'pending', 'sold'] as const
const pet = (id: number, status?: Pet['status']): Pet => ({
  id,
  name: `Animal ${id}`,
  categoryId: 1,
  ...(status && { status }),
})
const put = (catalogue: catalogues.Catalogue, one: Pet) =>
  setPetTextIn(catalogue, one.id, toPetText(one))

describe('the animals of a state', () => {
  const start = [pet(1, 'sold'), pet(3), pet(5, 'available'), pet(7, 'sold')]
  const step = fc.record({
    isRemoval: fc.boolean(),
    id: fc.integer({ min: -2, max: 12 }),
    status: fc.constantFrom(undefined, ...contractual),
  })

  it('are those of a plain map in the order of their ids, in the list of their status too, whatever was done in whatever order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const first = buildCatalogue(start)
        const model = new Map(start.map((one) => [one.id as number, one]))
        let catalogue = first
        for (const { isRemoval, id, status } of steps) {
          catalogue = isRemoval
            ? setPetTextIn(catalogue, id, undefined)
            : put(catalogue, pet(id, status))
          if (isRemoval) model.delete(id)
          else model.set(id, pet(id, status))
        }
        const pets = [...model.values()].sort((left, right) => (left.id < right.id ? -1 : 1))
        const textsOf = (status: Pet['status']) =>
          pets.filter((one) => one.status === status).map(toPetText)
        expect(first).toEqual(buildCatalogue(start))
        const ids = [...new Set([...start, ...pets].map(({ id }) => id as number))].sort(
          (left, right) => left - right,
        )
        const sides = ids.map((key) => ({
          key,
          before: findPetText(first, key),
          after: findPetText(catalogue, key),
        }))
        expect(compareCatalogues(first, catalogue)).toEqual(
          sides.filter(({ before, after }) => before !== after),
        )
        for (const same of [catalogue]) {
          expect(sliceList(same.all)).toEqual(pets.map(toPetText))
          expect(sliceList(listWithoutStatus(same))).toEqual(textsOf(undefined))
          for (const status of contractual)
            expect(sliceList(listOf(same, status))).toEqual(textsOf(status))
          for (const status of contractual)
            expect(countByStatus(same)[status]).toBe(textsOf(status).length || undefined)
        }
        for (const newestFirst of [false, true]) {
          const texts = (newestFirst ? pets.toReversed() : pets).map(toPetText)
          expect(pageOf(catalogue.all, { limit: 3, offset: 2, newestFirst })).toEqual(
            texts.slice(2, 5),
          )
          expect(pageOf(catalogue.all, { limit: 99, newestFirst })).toEqual(texts)
        }
      }),
    )
  })

  it('are counted by status in the order of the contract', () => {
    expect(
      Object.keys(countByStatus(buildCatalogue([pet(1, 'sold'), pet(2, 'available')]))),
    ).toEqual(['available', 'sold'])
  })

  it.each(['__proto__', 'constructor', 'absent', ''])(
    'have no list for the status %j',
    (status) => {
      expect(listOf(buildCatalogue(start), status as 'sold').size).toBe(0)
      const query = { limit: 9, newestFirst: false, status: status as 'sold' }
      expect(createPages()(buildCatalogue(start), query)).toEqual({ text: '[]', matches: 0 })
    },
  )

  it('take a byte a character, or two beyond Latin-1, and some for their places', () => {
    expect([
      catalogues.sizeOfPet('ÿ'.repeat(1_000)),
      catalogues.sizeOfPet(`Ā${'y'.repeat(999)}`),
    ]).toEqual([1_128, 2_128])
  })
})
