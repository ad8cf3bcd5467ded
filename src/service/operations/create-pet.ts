import { dependOn } from '../../world/assumption-set.ts'
import { addPet } from '../../world/state.ts'
import type { Operation } from './operation.ts'

export const createPet: Operation<'createPet'> = ({ body }, context) => {
  const { state } = context
  dependOn(context, 'unknown-category')
  if (body.status !== undefined) return addPet(state, body)
  dependOn(context, 'default-status')
  const choice = state.choices['default-status']
  return addPet(state, choice === 'absent' ? body : { ...body, status: choice })
}
