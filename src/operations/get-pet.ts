// getPet: one animal by its id.
import { ApiError } from '../contract/errors.ts'
import type { Operation } from './operation.ts'

export const getPet: Operation<'getPet'> = ({ petId }, { world }) => {
  const text = world.catalogue.find(String(petId))
  if (text === undefined) throw new ApiError(404, { kind: 'not-found', what: 'Animal', id: String(petId) })
  return text
}
