import { describe, expect, it } from 'vitest'
import type { PetFilter } from '../../control/control.ts'
import { type AnimalFilter, everyAnimal, toAnimalFilter, toAnimalQuery, toPetFilter } from './filter-animals.ts'

describe('the filter of the animals', () => {
  it.each<[query: Record<string, string>, filter: Partial<AnimalFilter>]>([
    [{}, {}],
    [
      { status: 'sold', q: 'rex', sort: 'name', page: '3' },
      { status: 'sold', search: 'rex', sort: 'name', isDescending: false, page: 2 },
    ],
    [{ sort: '-categoryId' }, { sort: 'categoryId' }],
  ])('is %j in an address', (query, filter) => {
    expect(toAnimalFilter(query)).toEqual({ ...everyAnimal, ...filter })
    const kept = Object.entries(toAnimalQuery({ ...everyAnimal, ...filter })).filter(([, value]) => value !== '')
    expect(Object.fromEntries(kept)).toEqual(query)
  })

  it.each([{ sort: 'nothing' }, { page: '0' }, { page: 'x' }, { page: '99999999' }])('is the usual one for %j', (query) => {
    expect(toAnimalFilter(query)).toEqual(everyAnimal)
  })

  it.each<[filter: Partial<AnimalFilter>, asked: PetFilter]>([
    [{}, { sort: '-id', limit: 50 }],
    [
      { status: 'absent', page: 2 },
      { status: 'absent', sort: '-id', offset: 100, limit: 50 },
    ],
    [
      { status: 'marked', search: ' ' },
      { changed: true, sort: '-id', limit: 50 },
    ],
    [
      { search: 'rex', sort: 'name', isDescending: false },
      { search: 'rex', sort: 'name', limit: 50 },
    ],
    [{ status: 'no such status' }, { sort: '-id', limit: 50 }],
  ])('%j asks the mock for %j', (filter, asked) => {
    expect(toPetFilter({ ...everyAnimal, ...filter }, ['sold'])).toEqual(asked)
  })
})
