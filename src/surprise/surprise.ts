// Surprises of a state, made when it is loaded, and of a response. In a state they change generated animals and the ids
// that the service assigns, but not animals that a tester wrote, since a test may name them.
import { parseJson, toJson } from '../contract/int64-json.ts'
import type { Schema } from '../contract/schema.ts'
import type { contract, Int64, OperationId, Pet } from '../generated/contract.ts'
import { createRandom, hash } from '../random.ts'
import { type ChangePet, type ChangeResponse, type Draft, draw, petKinds, responseKinds, type Surprise } from './setting.ts'

interface Surprising {
  readonly pets?: readonly Pet[]
  /** How many of the animals, the last ones, were generated. */
  readonly generated?: number
  readonly nextId?: Int64
  readonly faults?: readonly object[]
  readonly surprise?: Surprise
}

/** Odd ids from here on lose digits in a JavaScript number. */
const BIG = 2n ** 60n
const SHARE = 0.4

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

/** Names the seed and the surprises of a response. */
export const SURPRISE_HEADER = 'X-Mock-Surprise'

export type Surprised = ReturnType<typeof surpriseResponse>

/** `call` is like `listPets#3`, and a label like `order@listPets#3`. */
export function surpriseResponse(setting: Surprise, call: string, given: string) {
  const usual = parseJson(given)
  const labels: string[] = []
  let draft: Draft = { value: usual, delay: 0 }
  for (const [kind, apply] of Object.entries<ChangeResponse>(responseKinds)) {
    const label = `${kind}@${call}`
    const random = draw(setting, label)
    const change = random && apply(draft, random)
    if (!change) continue
    labels.push(label)
    draft = { ...draft, ...change }
  }
  const { value, body = value === usual ? given : toJson(value), mediaType, delay } = draft
  return { body, mediaType, delay, labels, header: [`seed=${setting.seed}`, ...labels].join(' ') }
}

/** `listPets?status=sold`. Undocumented parameters can be secret, or different in each run. */
export function nameTarget(
  { operationId, parameters }: (typeof contract.operations)[OperationId],
  sent: { path: Readonly<Record<string, string>>; query: ReadonlyMap<string, readonly string[]> } | undefined,
): string {
  const parts = (parameters as readonly { name: string; schema: Schema }[]).flatMap(({ name, schema }) => {
    const text = sent?.path[name] ?? sent?.query.get(name)?.[0] ?? ''
    return /^-?\d{1,19}$/.test(text) || schema.enum?.includes(text) ? [`${name}=${text}`] : []
  })
  return parts.length === 0 ? operationId : `${operationId}?${parts.join('&')}`
}
