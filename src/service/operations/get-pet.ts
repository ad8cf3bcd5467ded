import { ApiError } from '../../contract/errors.ts'
import { findPetText } from '../../world/catalogue.ts'
import type { Operation } from './operation.ts'

export const getPet: Operation<'getPet'> = ({ petId }, { state }) => {
  const body = findPetText(state.catalogue, petId)
  if (body === undefined)
    throw new ApiError(404, { kind: 'not-found', what: 'Animal', id: String(petId) })
  return { body, state }
}
