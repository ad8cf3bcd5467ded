// What surprises do when a scenario is loaded: odd animals, and ids that lose digits in a
// JavaScript number. They change generated animals and the ids that the service assigns, but
// nothing that a tester wrote.
import type { Pet } from '../contract/generated/contract.ts'
import type { ReadScenario } from './scenario.ts'
import { draw } from './surprise.ts'
import { surprisePet } from './surprise-pet.ts'

/** Odd ids from here on lose digits. */
const BIG = 2n ** 60n

export function surpriseScenario(scenario: ReadScenario): ReadScenario {
  const { surprise, pets: given = [] } = scenario
  if (!surprise) return scenario
  const writtenCount = given.length - (scenario.generated ?? 0)
  const pets = given.map((pet, index) => {
    return index < writtenCount ? pet : surprisePet(pet, given[index - 1], surprise)
  })
  const isIdSet = scenario.nextId !== undefined || pets.some(({ id }) => id >= BIG)
  if (isIdSet || !draw(surprise, 'big-ids')) return { ...scenario, pets }
  // A fault can name the id of an animal.
  const hasNamedPet = scenario.faults?.some(({ petId }) => petId !== undefined)
  const keepsIds = writtenCount === pets.length || hasNamedPet
  if (keepsIds) return { ...scenario, pets, nextId: BIG + 1n }
  return {
    ...scenario,
    pets: [...pets.slice(0, writtenCount), ...pets.slice(writtenCount).map(enlargeId)],
  }
}

const enlargeId = (pet: Pet): Pet => ({ ...pet, id: BIG + 2n * BigInt(pet.id) + 1n })
