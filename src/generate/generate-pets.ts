// Seeded animals. Animal i depends on (seed, i) alone, so asking for more never changes the earlier ones. The build
// compiles the pools: values from the contract and words from faker.
import { isInt64, normalizeInt64 } from '../contract/int64-json.ts'
import { INT64, type OptionSchemas, readOptions, throwIfAny } from '../contract/options.ts'
import { ABSENT, STATUSES_OR_ABSENT } from '../contract/pet.ts'
import { findViolations, type Schema } from '../contract/schema.ts'
import { contract, type Int64, type NewPet, type Pet } from '../generated/contract.ts'
import { valuePools, words } from '../generated/pools.ts'
import { createRandom, mix, type Random } from '../random.ts'
import { DEFAULT_SEED, findWeightProblems, type GenerateSettings, generateSchema, type StatusWeights } from './settings.ts'

/** What to generate. */
export interface GenerateOptions extends GenerateSettings {
  /** The id of the first animal, from which the others count up. @default 1 */
  readonly firstId?: Int64
}

const BREEDS = [words.dog, words.cat, words.bird, words.rabbit.map((name) => `${name} rabbit`), words.horse, words.snake]
const RARITY_OF_ABSENCE = 6
const CALLER = 'generatePets'
const schemas = { ...generateSchema.properties, firstId: INT64 } as OptionSchemas<GenerateOptions>

/**
 * Believable animals that are the same for the same seed, on every machine.
 *
 * @example
 * const mock = createMock({ pets: generatePets({ seed: 7, count: 200, status: { available: 3, sold: 1 } }) })
 */
export function generatePets(options: GenerateOptions): Pet[] {
  const { count, seed = DEFAULT_SEED, status, firstId = 1 } = readOptions<GenerateOptions>(CALLER, schemas, options, ['count'])
  if (status) throwIfAny(findWeightProblems(status, 'status'), CALLER)
  const lastId = BigInt(firstId) + BigInt(count) - 1n
  const got = `a last one of ${lastId}`
  throwIfAny(isInt64(lastId) ? [] : [{ kind: 'mismatch', path: 'firstId', expected: `room for ${count} ids`, got }], CALLER)
  const startOf = createStarts(seed)
  const random = createRandom(0)
  const fields = createFields(random, status)
  const pets: Pet[] = []
  for (let index = 0; index < count; index++) {
    random.reseed(startOf(index))
    pets.push(drawPet(normalizeInt64(BigInt(firstId) + BigInt(index)), drawCharacter(random), fields))
  }
  return pets
}

function drawCharacter({ next, pick }: Random): Partial<NewPet> {
  const kind = Math.floor(next() * BREEDS.length)
  return { name: `${pick(words.pet_name)} the ${pick(BREEDS[kind] as readonly string[])}`, categoryId: kind + 1 }
}

function drawPet(id: Int64, character: Readonly<Record<string, unknown>>, fields: ReturnType<typeof createFields>): Pet {
  const pet: Record<string, unknown> = { id }
  for (const { name, schema, draw } of fields) {
    const wished = character[name]
    const value = wished !== undefined && findViolations(schema, wished).length === 0 ? wished : draw()
    if (value !== undefined) pet[name] = value
  }
  return pet as Pet
}

function createFields(random: Random, weights: StatusWeights | undefined) {
  const { required, properties } = contract.schemas.NewPet
  return Object.entries<Schema>(properties).map(([name, schema]) => {
    if (weights && name === ('status' satisfies keyof NewPet)) return { name, schema, draw: createWeighed(weights, random) }
    const isRequired = (required as readonly string[]).includes(name)
    const draw = () => {
      // Always drawn, so that an absent field does not change the rest of the animal.
      const value = random.pick(valuePools[name] ?? [])
      if (!isRequired && random.next() * RARITY_OF_ABSENCE < 1) return undefined
      return typeof value === 'object' ? structuredClone(value) : value
    }
    return { name, schema, draw }
  })
}

function createWeighed(weights: StatusWeights, { next }: Random): () => unknown {
  let total = 0
  const limits = STATUSES_OR_ABSENT.map((value) => (total += weights[value] ?? 0))
  return () => {
    const drawn = next() * total
    const value = STATUSES_OR_ABSENT[limits.findIndex((limit) => drawn < limit)]
    return value === ABSENT ? undefined : value
  }
}

/** The random sequences of neighbouring animals, and of neighbouring seeds, start far apart. */
function createStarts(seed: number): (index: number) => number {
  const low = mix(seed | 0)
  const high = mix(low ^ Math.floor(seed / 2 ** 32))
  return (index) => mix((mix(index ^ low) + high) | 0)
}
