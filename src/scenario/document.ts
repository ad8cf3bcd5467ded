// A scenario as people write it: its type, its schema, what its name means, and whether it is
// valid. It can use two shortcuts, `extends` and `generate`. What `readValue` returns has been
// checked, and nothing checks it again.
import { UsageError } from '../contract/errors.ts'
import type { JsonLimits } from '../contract/int64-json.ts'
import { failAt, JsonError, NO_ID_LEFT, parseJson } from '../contract/int64-json.ts'
import { MAX_DOCUMENT_KEYS, MAX_SCENARIO_NAME_CHARACTERS } from '../contract/limits.ts'
import { COUNT, INT64, type OptionSchemas, TEXT, throwIfAny } from '../contract/options.ts'
import { addedPetSchema } from '../contract/pet.ts'
import { isEnough, joinWords, type Problem } from '../contract/problem.ts'
import { findViolations, objectOf, type Schema } from '../contract/schema.ts'
import { describeValue, isPlainObject, readOwn, withoutUndefined } from '../contract/values.ts'
import type { ReadScenario, Scenario, Settings } from '../world/scenario.ts'
import {
  findWeightProblems,
  type GenerateSettings,
  generateSchema,
  type StatusWeights,
} from './generate/settings.ts'
import { findIdProblems, lacksId, listIds } from './ids.ts'
import type { Unchecked } from './settings/fault.ts'
import { assumeSchema, findDuplicates, settingNames, settingRows } from './settings/rows.ts'

/** A scenario, with the shortcuts that a file may use. */
export interface ScenarioDocument extends Scenario {
  /** The schema, for your editor. @default none */
  readonly $schema?: string
  /**
   * The scenario that this one changes: a shipped name; in a file, also one in its folder or below;
   * in a kit, any file; not in `createMock`. @default none
   */
  readonly extends?: string
  /** Animals to generate, with ids after the ids of `pets`. @default none */
  readonly generate?: GenerateSettings
}

export type Shipped = Readonly<Record<string, ReadScenario>>
const SHORTCUTS = ['extends', 'generate'] as const

const settingSchemas = /* @__PURE__ */ Object.fromEntries(
  settingNames.map((name) => [name, settingRows[name].schema]),
)
const calibrated: OptionSchemas<Scenario['calibrated']> = {
  on: TEXT,
  against: TEXT,
  choices: assumeSchema,
}
export const documentFields: OptionSchemas<ScenarioDocument> = {
  $schema: TEXT,
  name: { ...TEXT, maxLength: MAX_SCENARIO_NAME_CHARACTERS },
  description: TEXT,
  pets: { type: 'array', items: addedPetSchema },
  // Once the last id is given out, it must not be given out again.
  nextId: { ...INT64, maximum: Number(NO_ID_LEFT), title: 'a 64-bit integer' },
  generated: COUNT,
  ...(settingSchemas as OptionSchemas<Settings>),
  calibrated: objectOf(['on', 'against', 'choices'], calibrated),
  random: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  extends: TEXT,
  generate: generateSchema,
}
export const documentSchema: Schema = /* @__PURE__ */ objectOf([], documentFields)

/** A list is a saved response: the animals alone. */
export function toDocument(given: unknown): unknown {
  return Array.isArray(given) ? { pets: given } : given
}

function listShortcuts(given: unknown): string[] {
  return SHORTCUTS.filter((shortcut) => readOwn(given, shortcut) !== undefined)
}

export function isReference(given: unknown): boolean {
  return typeof given === 'string' || listShortcuts(given).length > 0
}

/** No shipped name has a slash, a dot, or the `#` before a row of a recording. */
export const isScenarioFile = (name: string): boolean => /[\\/.#]/.test(name)
export const isJsonFile = (file: string): boolean => /\.json$/i.test(file)
export const isYamlFile = (file: string): boolean => /\.ya?ml$/i.test(file)

/** Without its folder and its ending. */
export function nameOfFile(file: string): string {
  const [, name = ''] = /([^\\/]+?)(?:\.[^.\\/]*)?$/.exec(file) ?? []
  return name.slice(0, MAX_SCENARIO_NAME_CHARACTERS)
}

/**
 * The shipped scenario of that name, or the problem with the field at `path`, which may have one of
 * `others` too.
 */
export function findShipped(
  shipped: Shipped,
  name: unknown,
  path: string,
  others = '',
): ReadScenario | Problem {
  const choices = Object.keys(shipped)
  const found = choices.find((one) => one === name)
  if (found !== undefined) return shipped[found] as ReadScenario
  return {
    kind: 'mismatch',
    path,
    expected: joinWords(choices, 'or') + others,
    got: describeValue(name),
    choices,
  }
}

/** The scenario in a value, which cannot use a name or a shortcut. */
export function readValue(given: unknown, caller?: string): ReadScenario {
  if (typeof given === 'string') throwIfAny([explainName(given)], caller)
  const document = toDocument(given)
  // A copy, since inherited fields count as absent.
  const scenario = isPlainObject(document) ? { ...document } : document
  const problems = findProblems(scenario)
  for (const path of listShortcuts(scenario)) {
    const text = 'resolve it first, with loadScenario() or expandScenario()'
    problems.push({ kind: 'text', path, text })
  }
  throwIfAny(problems, caller)
  return normalizeScenario(scenario as Scenario)
}

function explainName(name: string): Problem {
  const got = describeValue(name)
  const ways = [`await loadScenario(${got}) from animal-store-mock/node`]
  if (!isScenarioFile(name)) ways.unshift(`scenarios[${got}] from animal-store-mock/scenarios`)
  return {
    kind: 'mismatch',
    path: 'scenario',
    expected: 'an object',
    got,
    advice: `pass ${ways.join(', or ')}`,
  }
}

export function findProblems(document: unknown, parent?: ReadScenario): Problem[] {
  if (!isPlainObject(document)) return findViolations(documentSchema, document, 'scenario')
  const problems = findViolations(documentSchema, document)
  if (isEnough(problems)) return problems
  return [...problems, ...findConflicts(document, parent)]
}

/**
 * What only the whole can show: duplicate ids, `nextId`, weights, and problems that a setting finds
 * in its value.
 */
export function findConflicts(
  document: Unchecked<ScenarioDocument>,
  parent: ReadScenario = {},
): Problem[] {
  const { pets, nextId, generate } = document
  const generated: Unchecked<GenerateSettings> = isPlainObject(generate) ? generate : {}
  const hasOwnPets = pets !== undefined || generate !== undefined
  const listed = hasOwnPets ? pets : parent.pets
  const ids = Array.isArray(listed) ? listIds(listed) : []

  const problems = findDuplicates(ids, 'pets')
  problems.push(...findIdProblems(nextId, generated.count, ids))
  if (isPlainObject(generated.status))
    problems.push(...findWeightProblems(generated.status as StatusWeights, 'generate.status'))
  for (const name of settingNames) {
    const found = settingRows[name].findProblems?.(document[name], name)
    if (found) problems.push(...found)
  }
  return problems
}

/**
 * The scenario as a state keeps it, once it is checked: with an id for each animal, and every
 * setting read.
 */
export function normalizeScenario(scenario: Scenario): ReadScenario {
  const { pets } = scenario
  const normal: Record<string, unknown> = { ...scenario }
  if (pets?.some(lacksId)) {
    const ids = listIds(pets)
    normal.pets = pets.map((pet, index) => ({ ...pet, id: ids[index] }))
  }
  for (const name of settingNames) {
    const { read } = settingRows[name]
    if (read && normal[name] !== undefined) normal[name] = read(normal[name] as never)
  }
  return normal
}

/**
 * A scenario over another: animals replace the parent's and its `nextId`, and `assume` is merged by
 * question.
 */
export function changeScenario(parent: ReadScenario, own: ReadScenario): ReadScenario {
  const { pets, nextId, generated, ...withoutPets } = parent
  const inherited = own.pets ? withoutPets : parent
  const changed = { ...inherited, ...withoutUndefined(own) }
  if (!parent.assume && !own.assume) return changed
  return { ...changed, assume: { ...parent.assume, ...own.assume } }
}

/** Where the text is from: its file, or the body of a request. */
type Source = Pick<Problem, 'at'> & { readonly of?: 'body' }

/**
 * Reads a JSON document. A repeated key is an error, as it is in YAML: one of the two values would
 * be lost.
 */
export function readJsonDocument(text: string, source: Source = {}, max?: JsonLimits): unknown {
  const { at } = source
  const onDuplicate = (key: string, offset: number) =>
    failAt({ text, at: offset }, `the key ${describeValue(key)} is repeated`)
  try {
    return parseJson(text, onDuplicate, { keys: MAX_DOCUMENT_KEYS, ...max })
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    const { line, ...problem } = error.problem
    if (at) throw new UsageError({ ...problem, at: { line, ...at } })
    throw new UsageError({ ...error.problem, ...source })
  }
}
