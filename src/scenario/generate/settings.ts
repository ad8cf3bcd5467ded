// The settings of the generator. Apart from its pools, so that checking a document stays cheap.
import { MAX_GENERATED_PETS, MAX_STATUS_WEIGHT } from '../../contract/limits.ts'
import { COUNT, type OptionSchemas } from '../../contract/options.ts'
import { STATUSES_OR_ABSENT } from '../../contract/pet.ts'
import type { Problem } from '../../contract/problem.ts'
import { objectOf, type Schema } from '../../contract/schema.ts'

/**
 * How often each status occurs, in proportion; `absent` means none. A status that is not listed
 * does not occur.
 */
export type StatusWeights = Readonly<Partial<Record<(typeof STATUSES_OR_ABSENT)[number], number>>>

/** Animals to generate. */
export interface GenerateSettings {
  /** How many: 0 to 10,000,000. */
  readonly count: number
  /** The same seed gives the same animals. @default 1 */
  readonly seed?: number | undefined
  /**
   * How often each status occurs, e.g. `{ available: 3, sold: 1 }`. @default all of them, and some
   * without
   */
  readonly status?: StatusWeights | undefined
}

const weightSchema: Schema = { type: 'number', minimum: 0, maximum: MAX_STATUS_WEIGHT }
export const animalCount = { ...COUNT, maximum: MAX_GENERATED_PETS }
export const animalSeed = {
  type: 'integer',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
}
export const DEFAULT_SEED = 1
export const DEFAULT_COUNT = 18
export const generateFields: OptionSchemas<GenerateSettings> = {
  count: animalCount,
  seed: animalSeed,
  status: objectOf(
    [],
    Object.fromEntries(STATUSES_OR_ABSENT.map((value) => [value, weightSchema])),
  ),
}
export const generateSchema: Schema = /* @__PURE__ */ objectOf(['count'], generateFields)

/** Products with tiny weights lose digits. */
export function findWeightProblems(weights: StatusWeights, path: string): Problem[] {
  if (Object.values(weights).some((weight = 0) => weight >= 0.001)) return []
  return [{ kind: 'mismatch', path, expected: 'a weight of 0.001 or more', got: 'none' }]
}
