import { describe, expect, it } from 'vitest'
import type { Pet } from '../generated/contract.ts'
import { createCatalogue, createShelf } from './catalogue.ts'

const pet = (id: number, status?: Pet['status']): Pet => ({ id, name: `Animal ${id}`, categoryId: 1, ...(status ? { status } : {}) })
const ids = (text: string) => JSON.parse(text).map(({ id }: Pet) => id)

describe('a catalogue', () => {
  const shelf = createShelf([pet(1, 'sold'), pet(2), pet(3, 'available')])

  it.each([
    [{ limit: 9, newestFirst: false }, [1, 2, 3, 4, 5]],
    [{ limit: 4, newestFirst: false }, [1, 2, 3, 4]],
    [{ limit: 4, newestFirst: true }, [5, 4, 3, 2]],
    [{ limit: 9, newestFirst: false, status: 'sold' as const }, [1, 5]],
    [{ limit: 1, newestFirst: true, status: 'sold' as const }, [5]],
    [{ limit: 9, newestFirst: false, status: 'pending' as const }, []],
  ])('lists by %j', (query, expected) => {
    const catalogue = createCatalogue(shelf)
    catalogue.add(pet(4))
    catalogue.add(pet(5, 'sold'))
    expect(ids(catalogue.list(query).text)).toEqual(expected)
  })

  it('keeps pages apart by their queries, whatever a status is', () => {
    const catalogue = createCatalogue(shelf)
    const list = (status: string | undefined, limit = 9, newestFirst = false) =>
      ids(catalogue.list({ limit, newestFirst, ...(status === undefined ? {} : { status: status as Pet['status'] }) }).text)
    for (const strange of ['undefined', '', ' ', 'null', 'true', 'false sold']) {
      expect(list(strange)).toEqual([])
      expect(list(undefined)).toEqual([1, 2, 3])
    }
    expect(list('sold', 9, true)).toEqual([1])
    expect(list(undefined, 2, true)).toEqual([3, 2])
    expect(list(undefined, 2, false)).toEqual([1, 2])
  })

  it('is full when its animals take what they may, and says so with a 507', () => {
    const catalogue = createCatalogue(shelf, shelf.bytes + 3_000)
    const big = (id: number, letter: string): Pet => ({ id, name: letter.repeat(1_000), categoryId: 1 })
    catalogue.add(big(4, 'x'))
    // Beyond Latin-1 a character takes two bytes.
    expect(() => catalogue.add(big(5, 'Ω'))).toThrowError(
      expect.objectContaining({ status: 507, message: `The world is full: its animals may take ${shelf.bytes + 3_000} bytes` }),
    )
    expect(catalogue.count().all).toBe(4)
    catalogue.add(big(5, 'ÿ'))
    expect(() => catalogue.add(big(6, 'x'))).toThrowError(expect.objectContaining({ status: 507 }))
    expect(catalogue.find('6')).toBeUndefined()
  })

  it('leaves the shelf it stands on alone, so that another can stand on it too', () => {
    const [one, two] = [createCatalogue(shelf), createCatalogue(shelf)]
    one.add(pet(4, 'sold'))
    expect(one.count()).toEqual({ all: 4, byStatus: { sold: 2, available: 1 } })
    expect(two.count()).toEqual({ all: 3, byStatus: { sold: 1, available: 1 } })
    expect(two.find('4')).toBeUndefined()
  })

  it('looks at no more animals than it lists, however many there are and however rare the status', () => {
    const many = createShelf(Array.from({ length: 10_000 }, (_, index) => pet(index + 1, index % 1_000 === 999 ? 'pending' : 'sold')))
    const reads = { count: 0 }
    const counting = <T extends object>(list: T): T =>
      new Proxy(list, {
        get(target, key) {
          if (typeof key === 'string' && /^\d+$/.test(key)) reads.count++
          return Reflect.get(target, key)
        },
      })
    const watched = {
      ...many,
      texts: counting(many.texts),
      byStatus: new Map([...many.byStatus].map(([status, texts]) => [status, counting(texts)])),
    }
    const catalogue = createCatalogue(watched)
    for (const status of [undefined, 'pending', 'sold', 'available'] as const) catalogue.list({ limit: 20, status, newestFirst: false })
    expect(reads.count).toBeLessThanOrEqual(60)
  })

  it('makes a page once as long as nothing is added, and keeps few and small ones only', () => {
    const catalogue = createCatalogue(shelf)
    const query = { limit: 2, newestFirst: false }
    const page = catalogue.list(query)
    expect(catalogue.list(query)).toBe(page)
    for (let index = 0; index < 100; index++) catalogue.list({ ...query, status: `any ${index}` as 'sold' })
    expect(catalogue.list(query)).not.toBe(page)
    expect(catalogue.list(query)).toEqual(page)
    const long = createCatalogue(createShelf([{ id: 1, name: 'x'.repeat(100_000), categoryId: 1 }]))
    expect(long.list(query)).not.toBe(long.list(query))
  })
})
