import { expect, it } from 'vitest'
import type { Pet } from '../contract/generated/contract.ts'
import { toPetText } from '../contract/pet.ts'
import { buildCatalogue, setPetTextIn } from './catalogue.ts'
import { createPages } from './pages.ts'

const pet = (id: number, status?: Pet['status']): Pet => ({
  id,
  name: `Animal ${id}`,
  categoryId: 1,
  ...(status && { status }),
})

it('a page is made once for each state of the animals, and few and small ones only are kept', () => {
  const [pages, catalogue] = [
    createPages(),
    buildCatalogue([pet(1, 'sold'), pet(2), pet(3, 'available')]),
  ]
  const query = { limit: 2, newestFirst: false }
  const page = pages(catalogue, query)
  expect(page).toEqual({ text: `[${toPetText(pet(1, 'sold'))},${toPetText(pet(2))}]`, matches: 3 })
  expect([
    pages(catalogue, query),
    pages(catalogue, { ...query, status: 'undefined' as 'sold' }).text,
  ]).toEqual([page, '[]'])
  expect(pages(catalogue, query)).toBe(page)
  for (let index = 0; index < 100; index++)
    pages(catalogue, { ...query, status: `any ${index}` as 'sold' })
  expect(pages(catalogue, query)).toBe(page)
  const late = { ...query, status: 'any 99' as 'sold' }
  expect(pages(catalogue, late)).not.toBe(pages(catalogue, late))
  expect(pages(setPetTextIn(catalogue, 0, toPetText(pet(0))), query).text).toBe(
    `[${toPetText(pet(0))},${toPetText(pet(1, 'sold'))}]`,
  )
  expect(pages(catalogue, query)).not.toBe(page)
  const long = buildCatalogue([{ ...pet(1), name: 'x'.repeat(100_000) }])
  expect(pages(long, query)).not.toBe(pages(long, query))
})
