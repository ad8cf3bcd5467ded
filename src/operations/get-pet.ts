// getPet: one animal by its id.
import { ApiError } from '../contract/errors.ts'
import type { Operation } from './operation.ts'

export const getPet: Operation<'getPet'> = ({ petId }, { world }) => {
  const text = world.catalogue.find(String(petId))
  if (text === undefined) throw new ApiError(404, `Animal ${petId} not found`)
  return text
}
