import { dependOn } from '../../world/assumption-set.ts'
import type { Operation } from './operation.ts'

export const listPets: Operation<'listPets'> = ({ limit, status }, context) => {
  const { state, world, isBodySent } = context
  const newestFirst = state.choices['list-order'] === 'newest-first'
  const { text, matches } = world.pages(state.catalogue, { limit, status, newestFirst })
  if (matches > 1 && isBodySent) dependOn(context, 'list-order')
  return { body: text, state }
}
