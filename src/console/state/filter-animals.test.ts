import { describe, expect, it } from 'vitest'
import type { Pet } from '../../generated/contract.ts'
import { type AnimalFilter, everyAnimal, filterAnimals, type Marks } from './filter-animals.ts'

const pets: Pet[] = [
  { id: -5, name: 'Rex', categoryId: 2, status: 'sold' },
  { id: 2, name: 'bella', categoryId: 9007199254740993n },
  { id: 10, name: 'Bello', categoryId: 10, status: 'available' },
  { id: 9007199254740993n, name: '', categoryId: 1, status: 'available' },
]
const marks: Marks = new Map([['10', 'new']])

describe('filterAnimals', () => {
  it.each<[filter: Partial<AnimalFilter>, ids: (number | bigint)[]]>([
    [{}, [9007199254740993n, 10, 2, -5]],
    [{ isDescending: false }, [-5, 2, 10, 9007199254740993n]],
    [{ status: 'available' }, [9007199254740993n, 10]],
    [{ status: 'absent' }, [2]],
    [{ status: 'marked' }, [10]],
    [{ search: ' BELL ' }, [10, 2]],
    [{ search: '9007199254740993' }, [9007199254740993n, 2]],
    [{ search: '10' }, [10]],
    [{ search: 'nothing' }, []],
    [{ sort: 'name', isDescending: false }, [9007199254740993n, 2, 10, -5]],
    [{ sort: 'categoryId', isDescending: false }, [9007199254740993n, -5, 10, 2]],
    [{ sort: 'status', isDescending: false }, [2, 10, 9007199254740993n, -5]],
  ])('%j', (filter, ids) => {
    expect(filterAnimals(pets, marks, { ...everyAnimal, ...filter }).map(({ id }) => id)).toEqual(ids)
  })

  it('leaves the catalogue as it is', () => {
    const before = [...pets]
    filterAnimals(pets, marks, everyAnimal)
    expect(pets).toEqual(before)
  })
})
