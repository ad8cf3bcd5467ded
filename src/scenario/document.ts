// A scenario as people write it: its type, its schema, what its name means, and whether it is
// valid. It can use two shortcuts, `extends` and `generate`. What `readValue` returns has been
// checked, and nothing checks it again.
import { UsageError } from '../contract/errors.ts'
import type { Int64 } from '../contract/generated/contract.ts'
import type { JsonLimits } from '../contract/int64-json.ts'
import {
  failAt,
  idAfter,
  isInt64,
  JsonError,
  NO_ID_LEFT,
  normalizeInt64,
  parseJson,
} from '../contract/int64-json.ts'
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
export const toDocument = (given: unknown): unknown =>
  Array.isArray(given) ? { pets: given } : given

const listShortcuts = (given: unknown) =>
  SHORTCUTS.filter((shortcut) => readOwn(given, shortcut) !== undefined)
export const isReference = (given: unknown): boolean =>
  typeof given === 'string' || listShortcuts(given).length > 0

/** No shipped name has a slash, a dot, or the `#` before a row of a recording. */
export const isScenarioFile = (name: string): boolean => /[\\/.#]/.test(name)
export const isJsonFile = (file: string): boolean => /\.json$/i.test(file)
export const isYamlFile = (file: string): boolean => /\.ya?ml$/i.test(file)

export const nameOfFile = (file: string): string =>
  /([^\\/]+?)(?:\.[^.\\/]*)?$/.exec(file)?.[1]?.slice(0, MAX_SCENARIO_NAME_CHARACTERS) ?? ''

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

export function readValue(given: unknown, caller?: string): ReadScenario {
  if (typeof given === 'string') throwIfAny([explainName(given)], caller)
  const document = toDocument(given)
  // A copy, since inherited fields count as absent.
  const scenario = isPlainObject(document) ? { ...document } : document
  const text = 'resolve it first, with loadScenario() or expandScenario()'
  const unresolved = listShortcuts(scenario).map((path): Problem => ({ kind: 'text', path, text }))
  throwIfAny([...findProblems(scenario), ...unresolved], caller)
  return normalizeScenario(scenario as Scenario)
}

function explainName(name: string): Problem {
  const got = describeValue(name)
  const load = `await loadScenario(${got}) from animal-store-mock/node`
  const shipped = isScenarioFile(name)
    ? ''
    : `scenarios[${got}] from animal-store-mock/scenarios, or `
  return {
    kind: 'mismatch',
    path: 'scenario',
    expected: 'an object',
    got,
    advice: `pass ${shipped}${load}`,
  }
}

export function findProblems(document: unknown, parent?: ReadScenario): Problem[] {
  if (!isPlainObject(document)) return findViolations(documentSchema, document, 'scenario')
  const problems = findViolations(documentSchema, document)
  return isEnough(problems) ? problems : [...problems, ...findConflicts(document, parent)]
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
  const { count, status }: Unchecked<GenerateSettings> = isPlainObject(generate) ? generate : {}
  const animals = pets !== undefined || generate !== undefined ? pets : parent.pets
  const ids = Array.isArray(animals) ? listIds(animals) : []
  return [
    ...findDuplicates(ids, 'pets'),
    ...findIdProblems(nextId, count, ids),
    ...(isPlainObject(status)
      ? findWeightProblems(status as StatusWeights, 'generate.status')
      : []),
    ...settingNames.flatMap((name) => settingRows[name].findProblems?.(document[name], name) ?? []),
  ]
}

function findIdProblems(
  nextId: unknown,
  count: unknown,
  ids: readonly (Int64 | undefined)[],
): Problem[] {
  const generated = Number.isInteger(count) ? Number(count) : 0
  const last =
    generated > 0 ? BigInt(firstGeneratedId(ids)) + BigInt(generated) - 1n : findHighest(ids)
  if (last === undefined) return []
  const text = `too many: the last id would be ${last}, beyond 64 bits`
  if (!isInt64(last)) return [{ kind: 'text', path: 'generate.count', text }]
  const expected = `an id above all others (the last is ${last})`
  return !isInt64(nextId) || nextId > last
    ? []
    : [{ kind: 'mismatch', path: 'nextId', expected, got: String(nextId) }]
}

function findHighest(ids: readonly (Int64 | undefined)[]): Int64 | undefined {
  return ids.reduce(
    (last, id) => (last === undefined || (id !== undefined && id > last) ? id : last),
    undefined,
  )
}

/** Generated animals come after those that the document spells out, which have these ids. */
export const firstGeneratedId = (ids: readonly (Int64 | undefined)[]) =>
  normalizeInt64(idAfter(findHighest(ids)))

/**
 * The scenario as a state keeps it, once it is checked: with an id for each animal, and every
 * setting read.
 */
export function normalizeScenario(scenario: Scenario): ReadScenario {
  const { pets } = scenario
  const state: Record<string, unknown> = { ...scenario }
  if (pets?.some(lacksId)) state.pets = listIds(pets).map((id, index) => ({ ...pets[index], id }))
  for (const name of settingNames) {
    const { read } = settingRows[name]
    if (read && state[name] !== undefined) state[name] = read(state[name] as never)
  }
  return state
}

/**
 * A scenario over another: animals replace the parent's and its `nextId`, and `assume` is merged by
 * question.
 */
export function changeScenario(parent: ReadScenario, own: ReadScenario): ReadScenario {
  const { pets, nextId, generated, ...others } = parent
  const assume = (parent.assume || own.assume) && { ...parent.assume, ...own.assume }
  return { ...(own.pets ? others : parent), ...withoutUndefined(own), ...(assume && { assume }) }
}

/**
 * The ids that animals have, or get: the lowest from 1 on that is free. Undefined where the id is
 * not valid.
 */
function listIds(pets: readonly unknown[]): (Int64 | undefined)[] {
  const given = pets.map((pet) =>
    isPlainObject(pet) && isInt64(pet.id) ? normalizeInt64(pet.id) : undefined,
  )
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

const lacksId = (pet: unknown): boolean => isPlainObject(pet) && pet.id === undefined

type Source = Pick<Problem, 'at'> & { readonly of?: 'body' }
/**
 * Reads a JSON document. A repeated key is an error, as it is in YAML: one of the two values would
 * be lost.
 */
export function readJsonDocument(text: string, { at, ...of }: Source = {}, max?: JsonLimits) {
  const onDuplicate = (key: string, at: number) =>
    failAt({ text, at }, `the key ${describeValue(key)} is repeated`)
  try {
    return parseJson(text, onDuplicate, { keys: MAX_DOCUMENT_KEYS, ...max })
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    const { line, ...problem } = error.problem
    throw new UsageError(at ? { ...problem, at: { line, ...at } } : { ...error.problem, ...of })
  }
}
