// Surprises of a state, made when it is loaded. They change generated animals and the ids that the service assigns; animals that a tester
// wrote stay as they are, since a test may name them.
import type { Int64, Pet } from '../generated/contract.ts'
import { createRandom, hash } from '../random.ts'
import { type ChangePet, petKinds } from './kinds.ts'
import { draw, type Surprise } from './setting.ts'

/** The part of a scenario that matters here. */
interface Surprising {
  readonly pets?: readonly Pet[]
  /** How many of the last animals were generated. */
  readonly generated?: number
  readonly nextId?: Int64
  readonly faults?: readonly object[]
  readonly surprise?: Surprise
}

/** Odd ids from here on lose digits in a JavaScript number. */
const BIG = 2n ** 60n
/** The part of the animals that a kind changes. */
const SHARE = 0.4

/** The scenario with the surprises that it asks for. */
export function surpriseState<T extends Surprising>(scenario: T): T {
  const { surprise, nextId, generated = 0, faults = [], pets: given = [] } = scenario
  if (!surprise) return scenario
  const writtenCount = given.length - generated
  const pets = given.map((pet, index) => (index < writtenCount ? pet : changePet(pet, given[index - 1], surprise)))
  if (nextId !== undefined || !draw(surprise, 'big-ids') || pets.some(({ id }) => id >= BIG)) return { ...scenario, pets }
  // A fault can name the id of an animal.
  const keepsIds = writtenCount === pets.length || faults.some((fault) => 'petId' in fault)
  if (keepsIds) return { ...scenario, pets, nextId: BIG + 1n }
  const enlarge = (pet: Pet) => ({ ...pet, id: BIG + 2n * BigInt(pet.id) + 1n })
  return { ...scenario, pets: pets.map((pet, index) => (index < writtenCount ? pet : enlarge(pet))) }
}

function changePet(given: Pet, before: Pet | undefined, surprise: Surprise): Pet {
  let pet = given
  for (const [kind, apply] of Object.entries<ChangePet>(petKinds)) {
    const random = createRandom(hash(`${surprise.seed} ${kind} ${pet.id}`))
    if (random.next() < SHARE && draw(surprise, kind)) pet = apply(pet, random, before)
  }
  return pet
}
