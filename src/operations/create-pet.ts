// createPet: the animal as it was sent, under the next id.
import { toNewPet } from '../contract/pet.ts'
import type { Operation } from './operation.ts'

export const createPet: Operation<'createPet'> = ({ body }, { world, assumptions }) => {
  const pet = toNewPet(body)
  if (pet.status === undefined) {
    assumptions.push('default-status')
    const choice = world.choices['default-status']
    if (choice !== 'absent') pet.status = choice
  }
  return world.store(pet)
}
