// A scenario as people write it: what the engine takes, and two short cuts that are worked in before the engine sees it,
// `extends` and `generate`. Reading files is the host's business; faker stays out, so that checking a document is cheap.

import { isInt64, normalizeInt64 } from '../contract/int64-json.ts'
import { findViolations, type Schema, type Violation } from '../contract/schema.ts'
import { contract, type Int64, type PetStatus } from '../generated/contract.ts'
import { MAX_GENERATED_PETS } from '../limits.ts'
import { findProblems, type Scenario, scenarioSchema } from '../world/scenario.ts'

/** How often each status is to come, in proportion; `absent` stands for none. What is not named does not come at all. */
export type StatusWeights = Readonly<Partial<Record<PetStatus | typeof ABSENT, number>>>

/** Animals to be generated. */
export interface GenerateSettings {
  readonly count: number
  /** The same seed gives the same animals; 1 if none is given. */
  readonly seed?: number
  readonly status?: StatusWeights
}

/** A scenario, with the short cuts that a file may take. */
export interface ScenarioDocument extends Scenario {
  /** Where an editor finds the document's own schema. */
  readonly $schema?: string
  /** The scenario that this one differs from: a shipped one by its name, or a file beside this one. */
  readonly extends?: string
  /** Animals to be generated; their ids follow on those of `pets`. */
  readonly generate?: GenerateSettings
}

/** The word of the assumption `default-status` for an animal without a status. */
export const ABSENT = 'absent'

export const generateSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['count'],
  properties: {
    count: { type: 'integer', minimum: 0, maximum: MAX_GENERATED_PETS },
    seed: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    status: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries([...contract.schemas.PetStatus.enum, ABSENT].map((value) => [value, { type: 'number', minimum: 0 }])),
    },
  },
}

export const documentSchema: Schema = {
  ...scenarioSchema,
  properties: { ...scenarioSchema.properties, extends: { type: 'string' }, generate: generateSchema },
}

/** What is wrong with the document by itself. */
export function findDocumentProblems(document: unknown): Violation[] {
  const problems = findViolations(documentSchema, document)
  if (problems.length > 0) return problems
  const { generate, nextId, pets } = document as ScenarioDocument
  if (!generate) return problems
  problems.push(...findWeightProblems(generate, 'generate.'))
  const lastId = BigInt(firstGeneratedId(pets)) + BigInt(generate.count) - 1n
  if (!isInt64(lastId)) problems.push({ path: 'generate.count', expected: 'an int64 for every id', got: `a last id of ${lastId}` })
  else if (nextId !== undefined && lastId >= nextId) {
    problems.push({ path: 'nextId', expected: `an id above all others (the last generated one is ${lastId})`, got: String(nextId) })
  }
  return problems
}

export function findWeightProblems({ status }: GenerateSettings, prefix = ''): Violation[] {
  if (!status || Object.values(status).some((weight) => weight > 0)) return []
  return [{ path: `${prefix}status`, expected: 'at least one weight above 0', got: 'none' }]
}

/** Generated animals come after those that the document spells out. */
export function firstGeneratedId(pets: ScenarioDocument['pets'] = []): Int64 {
  let highest = 0n
  for (const { id } of pets) if (id > highest) highest = BigInt(id)
  return normalizeInt64(highest + 1n)
}

/**
 * The document laid over the scenario that it extends. A field of the document replaces the parent's, with three exceptions:
 * `assume` is merged question by question; `pets` and `generate` are one thing, the animals, so either of them replaces all of
 * the parent's along with its `nextId`; and a name and a description speak of one scenario only, so they are not inherited.
 */
export function layOver({ $schema, extends: _, generate, ...own }: ScenarioDocument, parent: Scenario = {}): Scenario {
  const { name, description, pets, nextId, assume, ...rest } = parent
  const inherited = own.pets || generate ? rest : { ...rest, ...(pets ? { pets } : {}), ...(nextId === undefined ? {} : { nextId }) }
  return { ...inherited, ...own, ...(assume || own.assume ? { assume: { ...assume, ...own.assume } } : {}) }
}

/** What is wrong with the whole that a faultless document makes of its parent; generated animals are right by themselves. */
export function findWholeProblems(document: ScenarioDocument, parent: Scenario | undefined): Violation[] {
  return findProblems(layOver(document, parent))
}
