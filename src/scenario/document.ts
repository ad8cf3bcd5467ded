// A scenario as people write it: its type, the schema that editors and `check` share, what the name of one means, and what it takes from
// the one that it extends. It can use two shortcuts, `extends` and `generate`, which are resolved before the engine sees it.
import { isPlainObject, readOwn } from '../contract/describe-value.ts'
import { isInt64, normalizeInt64 } from '../contract/int64-json.ts'
import { petSchema } from '../contract/pet.ts'
import type { Schema } from '../contract/schema.ts'
import { type GenerateSettings, generateSchema } from '../generate/settings.ts'
import { contract, type Int64 } from '../generated/contract.ts'
import { MAX_LIST_ITEMS, MAX_SCENARIO_NAME_CHARACTERS } from '../limits.ts'
import { assumeSchema, settingNames, settingRows } from '../settings/rows.ts'
import type { ReadScenario, Scenario } from '../world/scenario.ts'

/** A scenario, with the shortcuts that a file may use. */
export interface ScenarioDocument extends Scenario {
  /** Where an editor finds the document's own schema. */
  readonly $schema?: string
  /** The scenario that this one is based on: a shipped one by name, or a file in the same folder or below. */
  readonly extends?: string
  /** Animals to generate; their ids come after those of `pets`. */
  readonly generate?: GenerateSettings
}

/** The shipped scenarios, by name. */
export type Shipped = Readonly<Record<string, ReadScenario>>

/** The fields that the engine does not take. */
export const SHORTCUTS = ['extends', 'generate'] as const

const FILE_LIKE = /[\\/]|\.(?:ya?ml|json|jsonl(?:#\d+)?)$/i

const { NewPet } = contract.schemas
const text: Schema = { type: 'string' }
const calibratedSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['on', 'against', 'choices'],
  properties: { on: text, against: text, choices: assumeSchema, deviations: { type: 'array', items: text, maxItems: MAX_LIST_ITEMS } },
}

export const documentSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: text,
    name: { type: 'string', maxLength: MAX_SCENARIO_NAME_CHARACTERS },
    description: text,
    // Ids are optional.
    pets: { type: 'array', items: { ...petSchema, required: NewPet.required, additionalProperties: false } },
    nextId: { type: 'integer', format: 'int64' },
    generated: { type: 'integer', minimum: 0 },
    ...Object.fromEntries(settingNames.map((name) => [name, settingRows[name].schema])),
    calibrated: calibratedSchema,
    random: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
    extends: text,
    generate: generateSchema,
  },
}

/** Whether a scenario has to be fetched before it can be loaded: a name, a file, or a document with shortcuts. */
export function isReference(given: unknown): boolean {
  return typeof given === 'string' || SHORTCUTS.some((shortcut) => readOwn(given, shortcut) !== undefined)
}

/** Whether this means a file rather than a shipped scenario: it has a slash, or ends in .yaml, .yml, .json or, a row of a recording, .jsonl#12. */
export function isScenarioFile(nameOrFile: string): boolean {
  return FILE_LIKE.test(nameOrFile)
}

/** A file is JSON by its name; any other is YAML. */
export function isJsonFile(file: string): boolean {
  return /\.json$/i.test(file)
}

/** The shipped scenario of that name. */
export function findShipped(shipped: Shipped, name: string): ReadScenario | undefined {
  return Object.hasOwn(shipped, name) ? shipped[name] : undefined
}

/**
 * The document over its parent. A field of the document replaces the parent's, with three exceptions: `assume` is merged
 * question by question; `pets` and `generate` are one thing, the animals, so either of them replaces all of the parent's along
 * with its `nextId`; and name and description describe one scenario only, so they are not inherited.
 */
export function extendParent({ $schema, extends: _, generate, ...given }: ScenarioDocument, parent: ReadScenario = {}): ReadScenario {
  const own = toState(given)
  const { name, description, assume, ...rest } = parent
  const { pets, nextId, generated, ...others } = rest
  const inherited = own.pets || generate ? others : rest
  return { ...inherited, ...own, ...(assume || own.assume ? { assume: { ...assume, ...own.assume } } : {}) }
}

/** The scenario as a state keeps it, once it is checked: with an id for each animal, and every setting read. */
export function toState(scenario: Scenario): ReadScenario {
  const { pets } = scenario
  const state: Record<string, unknown> = { ...scenario }
  if (pets?.some(lacksId)) {
    const ids = listIds(pets)
    state.pets = pets.map((pet, index) => (lacksId(pet) ? { ...pet, id: ids[index] } : pet))
  }
  for (const name of settingNames) {
    const { read } = settingRows[name]
    if (read && state[name] !== undefined) state[name] = read(state[name] as never)
  }
  return state
}

/** The ids that animals have, or get: the lowest from 1 on that is free. A hole where the id is not valid. */
export function listIds(pets: readonly unknown[]): (Int64 | undefined)[] {
  const given = pets.map((pet) => (isPlainObject(pet) && isInt64(pet.id) ? normalizeInt64(pet.id) : undefined))
  if (!pets.some(lacksId)) return given
  const taken = new Set(given)
  let last = 0
  return pets.map((pet, index) => {
    if (!lacksId(pet)) return given[index]
    do last++
    while (taken.has(last))
    return last
  })
}

function lacksId(pet: unknown): boolean {
  return isPlainObject(pet) && pet.id === undefined
}
