// listPets: animals in one order, at most `limit` of them, of one status if one is given.
import { dependOn } from '../world/log-entry.ts'
import type { Operation } from './operation.ts'

export const listPets: Operation<'listPets'> = ({ limit, status }, context) => {
  const { catalogue, choices } = context.world
  const { text, matches } = catalogue.list({ limit, status, newestFirst: choices['list-order'] === 'newest-first' })
  if (matches > 1) dependOn(context, 'list-order')
  return text
}
