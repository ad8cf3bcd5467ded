// What a person can do to animals by hand. Everything can be undone as long as its message is there.
import { ControlError } from '../../client/client.ts'
import type { RemoteControl } from '../../client/remote.ts'
import { parseInt64 } from '../../contract/int64-json.ts'
import type { AddedPet, PetChanges } from '../../control/control.ts'
import type { Pet } from '../../generated/contract.ts'
import type { Talk } from './talk.ts'

type Fields = Readonly<Record<string, unknown>>

export interface AnimalActions {
  /** Null if there is none. */
  readAnimal(id: string): Promise<Pet | null>
  /** Resolves to what is wrong, if anything is. */
  addAnimal(fields: Fields): Promise<readonly string[]>
  changeAnimal(pet: Pet, changes: Fields, verb: string): Promise<readonly string[]>
  /** Resolves to whether it is gone. */
  removeAnimal(pet: Pet): Promise<boolean>
}

export function createAnimalActions(client: RemoteControl, { say, act }: Talk): AnimalActions {
  return {
    async readAnimal(id) {
      const digits = parseInt64(id)
      if (digits === undefined) return null
      return (await client.pets.get(digits)) ?? null
    },
    addAnimal: (fields) =>
      findProblems(async () => {
        const { id } = await client.pets.add(fields as unknown as AddedPet)
        say(`Added animal ${id}`, async () => {
          await client.pets.remove(id)
          return `Removed animal ${id} again`
        })
      }),
    changeAnimal: (pet, changes, verb) =>
      findProblems(async () => {
        await client.pets.update(pet.id, changes as PetChanges)
        say(`${verb} animal ${pet.id}`, async () => {
          await client.pets.update(pet.id, toBefore(pet, changes))
          return `Restored the ${Object.keys(changes).join(', ')} of animal ${pet.id}`
        })
      }),
    async removeAnimal(pet) {
      const isGone = await act(async () => {
        await client.pets.remove(pet.id)
        say(`Deleted animal ${pet.id}`, async () => {
          await client.pets.add(pet)
          return `Restored animal ${pet.id}`
        })
        return true
      })
      return isGone === true
    },
  }
}

/** The fields that were changed, as they were. */
function toBefore(pet: Pet, changes: Fields): PetChanges {
  const before = pet as unknown as Fields
  return Object.fromEntries(Object.keys(changes).map((name) => [name, before[name] ?? null])) as PetChanges
}

async function findProblems(run: () => Promise<void>): Promise<readonly string[]> {
  try {
    await run()
    return []
  } catch (error) {
    if (error instanceof ControlError) return error.message.split('\n')
    throw error
  }
}
