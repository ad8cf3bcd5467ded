// listPets: animals in one order, at most `limit` of them, of one status if one is given.
import type { Operation } from './operation.ts'

export const listPets: Operation<'listPets'> = ({ limit, status }, { world, assumptions }) => {
  const newestFirst = world.choices['list-order'] === 'newest-first'
  const { text, matches } = world.catalogue.list({ limit, status, newestFirst })
  if (matches > 1) assumptions.push('list-order')
  return text
}
