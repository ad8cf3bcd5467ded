// Whether a scenario is valid. What `checkScenario` returns has been checked, and nothing checks it
// again.
import { throwIfAny, type Unchecked } from '../contract/options.ts'
import { isEnough, type Problem } from '../contract/problem.ts'
import { findViolations } from '../contract/schema.ts'
import { describeValue, isPlainObject } from '../contract/values.ts'
import type { ReadScenario, Scenario } from '../world/scenario.ts'
import { documentSchema, listShortcuts, type ScenarioDocument, toDocument } from './document.ts'
import {
  findWeightProblems,
  type GenerateSettings,
  type StatusWeights,
} from './generate/settings.ts'
import { findIdProblems, listIds } from './ids.ts'
import { normalizeScenario } from './normalize-scenario.ts'
import { isScenarioFile } from './scenario-names.ts'
import { findDuplicates, settingNames, settingRows } from './settings/rows.ts'

/** Checks a scenario that is given as a value. A name or a shortcut must be resolved first. */
export function checkScenario(given: unknown, caller?: string): ReadScenario {
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
