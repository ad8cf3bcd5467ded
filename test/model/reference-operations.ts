// What the three operations do to a world of the reference model, for every choice of the open questions.
import {
  because,
  choiceOf,
  type Expected,
  type ModelPet,
  type ModelWorld,
  refuse,
  type Status,
  succeed,
  toText,
  withHeader,
} from './reference-model.ts'

/** The body of a creation, and what is strange about it. */
export interface Creation {
  readonly pet: Omit<ModelPet, 'id'>
  readonly hasUnknownField?: boolean | undefined
  readonly isPlainText?: boolean | undefined
}

const LAST_ID = 2n ** 63n - 1n

export function createPet(world: ModelWorld, { pet, hasUnknownField, isPlainText }: Creation): Expected {
  if (isPlainText) return refuseMediaType(world)
  if (hasUnknownField && choiceOf(world, 'unknown-fields') === 'reject') return because(['unknown-fields'], refuse(world, 400))
  const assumptions = [...(hasUnknownField ? ['unknown-fields'] : []), ...(pet.status ? [] : ['default-status'])]
  return because(assumptions, store(world, pet))
}

function refuseMediaType(world: ModelWorld): Expected {
  if (choiceOf(world, 'media-type') === 'bad-request') return because(['media-type'], refuse(world, 400))
  return because(['media-type'], withHeader(refuse(world, 415), 'x-mock-assumption', 'media-type'))
}

function store(world: ModelWorld, pet: Omit<ModelPet, 'id'>): Expected {
  if (world.nextId > LAST_ID) return refuse(world, 507)
  const choice = choiceOf(world, 'default-status')
  const status = pet.status ?? (choice === 'absent' ? undefined : choice)
  const added: ModelPet = { id: world.nextId, name: pet.name, categoryId: pet.categoryId, ...(status ? { status } : {}) }
  world.nextId++
  world.pets.push(added)
  return succeed(world, 201, toText(added))
}

/** The query as it was sent: every value of each parameter, in order. */
export interface ListQuery {
  readonly limit: readonly string[]
  readonly status: readonly string[]
}

export function listPets(world: ModelWorld, query: ListQuery): Expected {
  const choice = choiceOf(world, 'invalid-query')
  const isLimitBad = query.limit.length > 1 || (query.limit.length === 1 && !isLimit(query.limit[0] as string))
  const isStatusBad = query.status.length > 1 || (query.status.length === 1 && !isStatus(query.status[0] as string))
  if (choice === 'reject' && (isLimitBad || isStatusBad)) {
    return because(['invalid-query'], withHeader(refuse(world, 400), 'x-mock-assumption', 'invalid-query'))
  }
  const limit = isLimitBad ? (choice === 'clamp' ? clamp(query.limit[0] as string) : 20) : Number(query.limit[0] ?? 20)
  const status = isStatusBad && choice === 'ignore' ? undefined : query.status[0]
  const matching = world.pets.filter((pet) => status === undefined || pet.status === status)
  if (choiceOf(world, 'list-order') === 'newest-first') matching.reverse()
  const assumptions = [...(isLimitBad || isStatusBad ? ['invalid-query'] : []), ...(matching.length > 1 ? ['list-order'] : [])]
  return because(assumptions, succeed(world, 200, `[${matching.slice(0, limit).map(toText).join(',')}]`))
}

const isStatus = (text: string): text is Status => ['available', 'pending', 'sold'].includes(text)
const isLimit = (text: string) => /^[1-9][0-9]{0,2}$/.test(text) && Number(text) <= 100

/** The nearest bound of a number; anything else counts as absent. */
function clamp(text: string): number {
  return /^[+-]?\d+(\.\d+)?$/.test(text) ? Math.min(100, Math.max(1, Math.trunc(Number(text)))) : 20
}

/** `id` as it was sent: digits, or something that is no int64. */
export function getPet(world: ModelWorld, id: string): Expected {
  if (!isInt64(id)) {
    if (choiceOf(world, 'invalid-pet-id') === 'not-found') return because(['invalid-pet-id'], refuse(world, 404))
    return because(['invalid-pet-id'], withHeader(refuse(world, 400), 'x-mock-assumption', 'invalid-pet-id'))
  }
  const pet = world.pets.find((one) => String(one.id) === id)
  return pet ? succeed(world, 200, toText(pet)) : refuse(world, 404)
}

function isInt64(text: string): boolean {
  return /^(0|-?[1-9]\d*)$/.test(text) && BigInt(text) >= -(2n ** 63n) && BigInt(text) <= LAST_ID
}
