// Seeded animals. Each depends on the seed and its index alone, so asking for more never changes
// the earlier ones. The build compiles the pools: values from the contract and words from faker.
import { contract, type Int64, type NewPet, type Pet } from '../../contract/generated/contract.ts'
import { isInt64, normalizeInt64 } from '../../contract/int64-json.ts'
import { INT64, type OptionSchemas, readOptions, throwIfAny } from '../../contract/options.ts'
import { ABSENT, STATUSES_OR_ABSENT } from '../../contract/pet.ts'
import type { Problem } from '../../contract/problem.ts'
import { createRandom, mix, type Random } from '../../contract/random.ts'
import { findViolations, type Schema } from '../../contract/schema.ts'
import { valuePools, words } from '../generated/pools.ts'
import {
  DEFAULT_SEED,
  findWeightProblems,
  type GenerateSettings,
  generateFields,
  type StatusWeights,
} from './settings.ts'

/** What to generate. */
export interface GenerateOptions extends GenerateSettings {
  /** The id of the first animal, from which the others count up. @default 1 */
  readonly firstId?: Int64 | undefined
}

const BREEDS = [
  words.dog,
  words.cat,
  words.bird,
  words.rabbit.map((one) => `${one} rabbit`),
  words.horse,
  words.snake,
]
const RARITY_OF_ABSENCE = 6
const CALLER = 'generatePets'
const schemas: OptionSchemas<GenerateOptions> = { ...generateFields, firstId: INT64 }

/**
 * Believable animals that are the same for the same seed, on every machine.
 *
 * @example
 * const status = { available: 3, sold: 1 }
 * const mock = createMock({ pets: generatePets({ seed: 7, count: 200, status }) })
 */
export function generatePets(options: GenerateOptions): Pet[] {
  const given = readOptions(CALLER, schemas, options, ['count'])
  const { count, seed = DEFAULT_SEED, status, firstId = 1 } = given
  if (status) throwIfAny(findWeightProblems(status, 'status'), CALLER)
  throwIfAny(findRoomProblems(firstId, count), CALLER)
  // The random sequences of neighbouring animals, and of neighbouring seeds, start far apart.
  const low = mix(seed | 0)
  const high = mix(low ^ Math.floor(seed / 2 ** 32))
  const random = createRandom(0)
  const fields = createFields(random, status && createWeighed(status, random))
  const pets: Pet[] = []
  for (let index = 0; index < count; index++) {
    const own = mix(index ^ low)
    random.reseed(mix((own + high) | 0))
    const id = normalizeInt64(BigInt(firstId) + BigInt(index))
    pets.push(drawPet(id, random, fields))
  }
  return pets
}

function findRoomProblems(firstId: Int64, count: number): Problem[] {
  const last = BigInt(firstId) + BigInt(count) - 1n
  if (isInt64(last)) return []
  return [
    {
      kind: 'mismatch',
      path: 'firstId',
      expected: `room for ${count} ids`,
      got: `a last one of ${last}`,
    },
  ]
}

/** How a field of an animal is drawn. */
interface DrawnField {
  readonly field: string
  readonly schema: Schema
  draw(): unknown
}

function drawPet(id: Int64, random: Random, fields: readonly DrawnField[]): Pet {
  const kind = Math.floor(random.next() * BREEDS.length)
  const breeds = BREEDS[kind] as readonly string[]
  // A join makes one flat text; adding to a text would keep its pieces.
  const name = [random.pick(words.pet_name), 'the', random.pick(breeds)].join(' ')
  const character = { name, categoryId: kind + 1 } satisfies Partial<NewPet>
  const preferences: Readonly<Record<string, unknown>> = character
  const pet: Record<string, unknown> = { id }
  for (const { field, schema, draw } of fields) {
    const preferred = preferences[field]
    const isValid = preferred !== undefined && findViolations(schema, preferred).length === 0
    const value = isValid ? preferred : draw()
    if (value !== undefined) pet[field] = value
  }
  return pet as Pet
}

function createFields(random: Random, drawStatus: (() => unknown) | undefined): DrawnField[] {
  const { required, properties } = contract.schemas.NewPet
  const requiredFields: readonly string[] = required
  return Object.entries<Schema>(properties).map(([field, schema]) => {
    if (drawStatus && field === ('status' satisfies keyof NewPet))
      return { field, schema, draw: drawStatus }
    const isRequired = requiredFields.includes(field)
    const draw = () => {
      // Always drawn, so that an absent field does not change the rest of the animal.
      const value = random.pick(valuePools[field] ?? [])
      if (!isRequired && random.next() * RARITY_OF_ABSENCE < 1) return undefined
      return typeof value === 'object' ? structuredClone(value) : value
    }
    return { field, schema, draw }
  })
}

function createWeighed(weights: StatusWeights, random: Random): () => unknown {
  const limits: number[] = []
  let total = 0
  for (const value of STATUSES_OR_ABSENT) {
    total += weights[value] ?? 0
    limits.push(total)
  }
  return () => {
    const drawn = random.next() * total
    const value = STATUSES_OR_ABSENT[limits.findIndex((limit) => drawn < limit)]
    return value === ABSENT ? undefined : value
  }
}
