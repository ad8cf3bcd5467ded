// Decides whether a scenario document is valid, and names every problem in one run: what the schema says, and what only the whole
// can show (duplicate ids, `nextId`, the clock, faults, weights). Every way of loading a scenario comes here once.
import { isPlainObject, readOwn } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { isInt64, NO_ID_LEFT, normalizeInt64 } from '../contract/int64-json.ts'
import { isEnough, type Problem } from '../contract/problem.ts'
import { findViolations } from '../contract/schema.ts'
import { findWeightProblems, type GenerateSettings, type StatusWeights } from '../generate/settings.ts'
import type { Int64 } from '../generated/contract.ts'
import { settingNames, settingRows } from '../settings/rows.ts'
import type { Surprise } from '../surprise/setting.ts'
import { createStart, type Scenario, type Start } from '../world/start.ts'
import { documentSchema, listIds, type ScenarioDocument, SHORTCUTS, toState } from './document.ts'

/** Any part of a document may still be of the wrong type when the whole is looked at. */
type Unchecked<T> = { readonly [Key in keyof T]?: unknown }

/** The start of a scenario value; a UsageError names every problem. If it has no surprise, it gets this one. */
export function parseScenario(given: Scenario, surprise?: Surprise): Start {
  // A copy, since inherited fields count as absent.
  const scenario: Scenario = isPlainObject(given) ? { ...given } : given
  throwProblems(findScenarioProblems(scenario))
  return createStart({ ...(surprise && { surprise }), ...toState(scenario) })
}

/** The problems of a value that must be a scenario as the engine takes it, without the shortcuts of a document. */
export function findScenarioProblems(scenario: Scenario, whole?: string): Problem[] {
  const problems = findProblems(scenario, undefined, whole)
  for (const shortcut of SHORTCUTS) {
    if (readOwn(scenario, shortcut) === undefined) continue
    problems.push({ kind: 'text', path: shortcut, text: 'resolve it first, with loadScenario() or expandScenario()' })
  }
  return problems
}

export function throwProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new UsageError(problems)
}

/** The problems of a document, as many as a message can name; `parent` is the scenario that it extends. */
export function findProblems(document: unknown, parent: Scenario = {}, whole = 'scenario'): Problem[] {
  if (!isPlainObject(document)) return findViolations(documentSchema, document, whole)
  const problems = findViolations(documentSchema, withoutLastId(document))
  // What is left can be long.
  if (isEnough(problems)) return problems
  const { pets, nextId, generate }: Unchecked<ScenarioDocument> = document
  const { count, status }: Unchecked<GenerateSettings> = isPlainObject(generate) ? generate : {}
  const animals = pets !== undefined || generate !== undefined ? pets : parent.pets
  const ids = Array.isArray(animals) ? listIds(animals) : []
  problems.push(...findDuplicates(ids), ...findIdProblems(nextId, count, ids))
  if (isPlainObject(status)) problems.push(...findWeightProblems(status as StatusWeights, 'generate.status'))
  for (const name of settingNames) problems.push(...(settingRows[name].findProblems?.(document[name], name) ?? []))
  return problems
}

/** The one `nextId` beyond int64 is right: a saved world whose last id was given out must not give it out again, not even if it was removed. */
function withoutLastId(document: Readonly<Record<string, unknown>>): unknown {
  return document.nextId === NO_ID_LEFT ? { ...document, nextId: undefined } : document
}

function findDuplicates(ids: readonly (Int64 | undefined)[]): Problem[] {
  // In ascending order no id comes twice, and a million need not be remembered.
  if (ids.every((id, index) => id !== undefined && (index === 0 || id > (ids[index - 1] as Int64)))) return []
  const problems: Problem[] = []
  const indexOf = new Map<Int64, number>()
  for (const [index, id] of ids.entries()) {
    if (id === undefined) continue
    const twin = indexOf.get(id)
    if (twin === undefined) indexOf.set(id, index)
    else problems.push({ kind: 'duplicate-id', path: `pets[${index}].id`, id: String(id), also: `pets[${twin}]` })
    if (isEnough(problems)) break
  }
  return problems
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
