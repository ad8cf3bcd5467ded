// Decides whether a scenario document is valid, and names every problem in one run: what the schema says, and what only the whole
// can show (duplicate ids, `nextId`, the clock, faults, weights). Every way of loading a scenario comes here once.
import { describeValue, isPlainObject, readOwn } from '../contract/describe-value.ts'
import { isInt64, NO_ID_LEFT, normalizeInt64 } from '../contract/int64-json.ts'
import { refuse } from '../contract/options.ts'
import { isEnough, type Problem } from '../contract/problem.ts'
import { findViolations } from '../contract/schema.ts'
import { findWeightProblems, type GenerateSettings, type StatusWeights } from '../generate/settings.ts'
import type { Int64 } from '../generated/contract.ts'
import { findDuplicates } from '../settings/fault.ts'
import { settingNames, settingRows } from '../settings/rows.ts'
import type { ReadScenario, Scenario } from '../world/scenario.ts'
import { documentSchema, isScenarioFile, listIds, type ScenarioDocument, SHORTCUTS, toState } from './document.ts'

/** Any part of a document may still be of the wrong type when the whole is looked at. */
type Unchecked<T> = { readonly [Key in keyof T]?: unknown }

/** A scenario value, checked and read; a UsageError names every problem. What has to be fetched comes through `openScenario`. */
export function readValue(given: unknown, caller?: string): ReadScenario {
  if (typeof given === 'string') refuse([explainName(given)], caller)
  // A copy, since inherited fields count as absent.
  const scenario = isPlainObject(given) ? { ...given } : given
  const shortcuts = SHORTCUTS.filter((shortcut) => readOwn(scenario, shortcut) !== undefined)
  const text = 'resolve it first, with loadScenario() or expandScenario()'
  refuse([...findProblems(scenario), ...shortcuts.map((path): Problem => ({ kind: 'text', path, text }))], caller)
  return toState(scenario as Scenario)
}

/** What to pass in place of a name. */
function explainName(name: string): Problem {
  const got = describeValue(name)
  const load = `await loadScenario(${got}) from animal-store-mock/node`
  const advice = isScenarioFile(name) ? `pass ${load}` : `pass scenarios[${got}] from animal-store-mock/scenarios, or ${load}`
  return { kind: 'mismatch', path: 'scenario', expected: 'an object', got, advice }
}

/** The problems of a document, as many as a message can name; `parent` is the scenario that it extends. */
export function findProblems(document: unknown, parent?: ReadScenario): Problem[] {
  if (!isPlainObject(document)) return findViolations(documentSchema, document, 'scenario')
  const problems = findViolations(documentSchema, withoutLastId(document))
  // What is left can be long.
  return isEnough(problems) ? problems : [...problems, ...findConflicts(document, parent)]
}

/** What only the whole can show. */
export function findConflicts(document: Unchecked<ScenarioDocument>, parent: ReadScenario = {}): Problem[] {
  const { pets, nextId, generate } = document
  const { count, status }: Unchecked<GenerateSettings> = isPlainObject(generate) ? generate : {}
  const animals = pets !== undefined || generate !== undefined ? pets : parent.pets
  const ids = Array.isArray(animals) ? listIds(animals) : []
  const problems = [...findDuplicates(ids, 'pets'), ...findIdProblems(nextId, count, ids)]
  if (isPlainObject(status)) problems.push(...findWeightProblems(status as StatusWeights, 'generate.status'))
  for (const name of settingNames) problems.push(...(settingRows[name].findProblems?.(document[name], name) ?? []))
  return problems
}

/** The one `nextId` beyond int64 is right: a saved world whose last id was given out must not give it out again, not even if it was removed. */
function withoutLastId(document: Readonly<Record<string, unknown>>): unknown {
  return document.nextId === NO_ID_LEFT ? { ...document, nextId: undefined } : document
}

/** Ids that are used up, or that would be given out twice. */
function findIdProblems(nextId: unknown, count: unknown, ids: readonly (Int64 | undefined)[]): Problem[] {
  const generated = Number.isInteger(count) ? Number(count) : 0
  const last = generated > 0 ? BigInt(firstGeneratedId(ids)) + BigInt(generated) - 1n : findHighest(ids)
  if (last === undefined) return []
  if (!isInt64(last)) return [{ kind: 'text', path: 'generate.count', text: `too many: the last id would be ${last}, beyond 64 bits` }]
  if (!isInt64(nextId) || nextId > last) return []
  return [{ kind: 'mismatch', path: 'nextId', expected: `an id above all others (the last is ${last})`, got: String(nextId) }]
}

function findHighest(ids: readonly (Int64 | undefined)[]): Int64 | undefined {
  let highest: Int64 | undefined
  for (const id of ids) if (id !== undefined && (highest === undefined || id > highest)) highest = id
  return highest
}

/** Generated animals come after those that the document spells out, which have these ids. */
export function firstGeneratedId(ids: readonly (Int64 | undefined)[]): Int64 {
  const highest = findHighest(ids) ?? 0
  return highest < 0 ? 1 : normalizeInt64(BigInt(highest) + 1n)
}
