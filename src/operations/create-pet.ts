// createPet: the animal as it was sent, under the next id.
import { dependOn } from '../world/log-entry.ts'
import type { Operation } from './operation.ts'

export const createPet: Operation<'createPet'> = ({ body }, context) => {
  const { world } = context
  if (body.status !== undefined) return world.store(body)
  dependOn(context, 'default-status')
  const choice = world.choices['default-status']
  return world.store(choice === 'absent' ? body : { ...body, status: choice })
}
