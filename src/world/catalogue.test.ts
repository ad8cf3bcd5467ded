import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalizeInt64 } from '../contract/int64-json.ts'
import { parsePetText, toPetText } from '../contract/pet.ts'
import type { Int64, Pet } from '../generated/contract.ts'
import { createCatalogue as create, createMemory, createShelf, FullError, type Shelf } from './catalogue.ts'
import { createChangeLog } from './change-log.ts'

const pet = (id: number, status?: Pet['status']): Pet => ({ id, name: `Animal ${id}`, categoryId: 1, ...(status ? { status } : {}) })
const createCatalogue = (shelf: Shelf, memory = createMemory()) => create(shelf, memory)
const ids = (text: string) => JSON.parse(text).map(({ id }: Pet) => id)

describe('a catalogue', () => {
  const shelf = createShelf([pet(1, 'sold'), pet(2), pet(3, 'available')])

  it('is full when its animals take what they may, and says so', () => {
    const catalogue = createCatalogue(shelf, createMemory(2_626))
    const big = (id: number, letter: string): Pet => ({ id, name: letter.repeat(1_000), categoryId: 1 })
    catalogue.put(big(4, 'x'))
    // Beyond Latin-1 a character takes two bytes.
    expect(() => catalogue.put(big(5, 'Ω'))).toThrowError(new FullError('The mock is full: its animals may take 2626 bytes'))
    expect(catalogue.count().all).toBe(4)
    catalogue.put(big(5, 'ÿ'))
    expect(() => catalogue.put(big(6, 'x'))).toThrowError(FullError)
    expect(catalogue.find('6')).toBeUndefined()
  })

  it('that started beyond the limit lets animals be removed, and not grow', () => {
    const memory = createMemory(10)
    memory.bytes = 11
    const catalogue = createCatalogue(shelf, memory)
    catalogue.remove('1')
    catalogue.remove('2')
    expect(ids(catalogue.list({ limit: 9, newestFirst: false }).text)).toEqual([3])
    for (const larger of [pet(3, 'pending'), pet(4)]) {
      expect(() => catalogue.put(larger)).toThrowError(FullError)
    }
    catalogue.put(pet(1, 'sold'))
    catalogue.restore({ id: '4', text: toPetText(pet(4)) })
    expect(catalogue.count().all).toBe(3)
  })

  it('makes a page once as long as nothing is added, and keeps few and small ones only', () => {
    const catalogue = createCatalogue(shelf)
    const query = { limit: 2, newestFirst: false }
    const page = catalogue.list(query)
    expect(catalogue.list(query)).toBe(page)
    expect(catalogue.list({ ...query, status: 'undefined' as 'sold' }).text).toBe('[]')
    for (let index = 0; index < 100; index++) catalogue.list({ ...query, status: `any ${index}` as 'sold' })
    expect(catalogue.list(query)).not.toBe(page)
    expect(catalogue.list(query)).toEqual(page)
    catalogue.put(pet(0))
    expect(ids(catalogue.list(query).text)).toEqual([0, 1])
    const long = createCatalogue(createShelf([{ id: 1, name: 'x'.repeat(100_000), categoryId: 1 }]))
    expect(long.list(query)).not.toBe(long.list(query))
  })
})

describe('a catalogue that a tester changes by hand', () => {
  const statuses = ['available', 'pending', 'sold', undefined] as const
  const start = [pet(1, 'sold'), pet(3), pet(5, 'available'), pet(7, 'sold')]
  const step = fc.oneof(
    fc.record({ do: fc.constant('add' as const), status: fc.constantFrom(...statuses) }),
    fc.record({ do: fc.constant('put' as const), id: fc.integer({ min: -2, max: 12 }), status: fc.constantFrom(...statuses) }),
    fc.record({ do: fc.constant('remove' as const), id: fc.integer({ min: -2, max: 12 }) }),
  )

  it('has the same animals as a plain map, in the order of their ids, whatever was done in whatever order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const shelf = createShelf(start)
        const memory = createMemory()
        const changeLog = createChangeLog()
        const catalogue = create(shelf, memory, changeLog)
        const model = new Map(start.map((one) => [one.id as number, one]))
        let nextId = 100
        for (const one of steps) {
          if (one.do === 'remove') expect(catalogue.remove(String(one.id))).toBe(model.delete(one.id))
          else {
            const added = one.do === 'add' ? pet(nextId++, one.status) : pet(one.id, one.status)
            catalogue.put(added)
            model.set(added.id as number, added)
          }
        }
        const expected = [...model.values()].sort((left, right) => (left.id < right.id ? -1 : 1))
        expect(catalogue.pets()).toEqual(expected)
        for (const status of statuses) {
          const of = expected.filter((one) => status === undefined || one.status === status)
          expect(JSON.parse(catalogue.list({ limit: 99, status, newestFirst: true }).text)).toEqual(of.toReversed())
          for (const newestFirst of [false, true]) {
            expect(catalogue.slice({ limit: 3, status, newestFirst }, 2)).toEqual({
              texts: (newestFirst ? of.toReversed() : of).slice(2, 5).map((one) => JSON.stringify(one)),
              matches: of.length,
            })
          }
          expect(catalogue.texts(status).map(parsePetText)).toEqual(of)
          if (status !== undefined) expect(catalogue.count().byStatus[status] ?? 0).toBe(of.length)
        }
        expect(catalogue.count().all).toBe(model.size)
        const before = new Map(start.map((one) => [one.id, one]))
        expect(catalogue.changes()).toEqual({
          added: expected.filter(({ id }) => !before.has(id)).map((one) => JSON.stringify(one)),
          changed: expected
            .filter((one) => before.has(one.id) && before.get(one.id)?.status !== one.status)
            .map((one) => ({ before: JSON.stringify(before.get(one.id)), after: JSON.stringify(one) })),
          removed: start.filter(({ id }) => !model.has(id as number)).map((one) => JSON.stringify(one)),
        })
        const resumed = createCatalogue(shelf)
        for (const change of catalogue.saved()) resumed.restore(change)
        const { added, changed } = catalogue.changes()
        expect(catalogue.count().changed).toBe(added.length + changed.length)
        expect([resumed.pets(), resumed.count(), resumed.changes()]).toEqual([catalogue.pets(), catalogue.count(), catalogue.changes()])
        expect(shelf).toEqual(createShelf(start))
        expect(memory.bytes).toBe(catalogue.ownBytes())
        for (const [item, text] of changeLog.between(0))
          catalogue.restore({ id: item.slice('pet '.length), text: text as string | undefined })
        expect([catalogue.pets(), catalogue.count(), catalogue.saved()]).toEqual([start, createCatalogue(shelf).count(), []])
        expect(memory.bytes).toBe(changeLog.revision > 0 ? 16 * start.length : 0)
      }),
    )
  })

  it('counts its own lists and what it changed, and is full at the limit without having changed anything', () => {
    const many = createShelf(Array.from({ length: 1_000 }, (_, index) => pet(index + 1, 'sold')))
    expect(many.bytes).toBe(many.texts.join('').length + 256 * 1_000)
    const full = createCatalogue(many, createMemory(299))
    for (const change of [() => full.put(pet(1, 'pending')), () => full.put(pet(2_000))]) {
      expect(change).toThrowError(FullError)
    }
    expect([full.changes(), full.ownBytes()]).toEqual([{ added: [], changed: [], removed: [] }, 0])
    full.remove('1')
    full.put(pet(1, 'sold'))
    expect([full.changes(), full.ownBytes()]).toEqual([{ added: [], changed: [], removed: [] }, 16_000])
  })
})

it('counts statuses in the order of the contract, and none that no animal has', () => {
  const catalogue = createCatalogue(createShelf([{ id: 1, name: 'Rex', categoryId: 1, status: 'sold' }]))
  catalogue.put({ id: 2, name: 'Mia', categoryId: 1, status: 'available' })
  expect(Object.entries(catalogue.count().byStatus)).toEqual([
    ['available', 1],
    ['sold', 1],
  ])
  catalogue.remove('1')
  expect(catalogue.count()).toEqual({ all: 1, byStatus: { available: 1 }, changed: 1 })
})

describe('the animals of a scenario', () => {
  const toPet = (id: Int64): Pet => ({ id, name: 'Rex', categoryId: 1 })
  const near = (middle: bigint) => fc.bigInt({ min: middle - 8n, max: middle + 8n })
  const anyId = fc.oneof(
    near(0n),
    near(2n ** 53n),
    near(-(2n ** 53n)),
    near(2n ** 63n - 9n),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  )

  it('are found by the digits of their ids, and no others', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyId), fc.array(anyId), (present, others) => {
        const inOrder = present.toSorted((left, right) => (left < right ? -1 : 1)).map(normalizeInt64)
        const { find } = createCatalogue(createShelf(inOrder.map(toPet)))
        for (const id of [...present, ...others]) {
          expect(find(String(id))).toBe(present.includes(id) ? toPetText(toPet(normalizeInt64(id))) : undefined)
        }
      }),
    )
  })
})
