// From a checked document to the scenario that it describes: the parent's fields added, the animals generated.
import { UsageError } from '../contract/errors.ts'
import { generatePets } from '../generate/generate-pets.ts'
import type { Scenario, State } from '../world/start.ts'
import { findProblems, findScenarioProblems, firstGeneratedId, throwProblems } from './check.ts'
import { explainMistake, extendParent, type ScenarioDocument, toState } from './document.ts'

/**
 * The scenario that a document describes; `parent` is the one that it extends.
 *
 * @example
 * const scenario = expandScenario({ generate: { count: 40, seed: 7, status: { sold: 1 } } })
 * const slow = expandScenario({ extends: 'default', faults: [{ operation: '*', delay: 900 }] }, scenarios.default)
 */
export function expandScenario(document: ScenarioDocument, parent?: Scenario): State {
  const mistake = explainMistake(document) ?? explainMistake(parent, 'parent')
  if (mistake !== undefined) throw new UsageError(mistake)
  // A parent is a scenario that could be loaded as it is.
  const parentProblems = parent === undefined ? [] : findScenarioProblems(parent, 'parent')
  throwProblems(parentProblems.map((one) => ('path' in one && one.path !== 'parent' ? { ...one, path: `parent.${one.path}` } : one)))
  throwProblems(findProblems(document, parent))
  if (document.extends !== undefined && parent === undefined) {
    throw new UsageError(`extends: pass the scenario ${JSON.stringify(document.extends)} as the second argument`)
  }
  if (document.extends === undefined && parent !== undefined) {
    throw new UsageError('extends: a parent was passed, but the document does not say that it extends one')
  }
  return expandChecked(document, parent && toState(parent))
}

/** The same for a document that has been checked together with its parent. */
export function expandChecked(document: ScenarioDocument, parent: State | undefined): State {
  const scenario = extendParent(document, parent)
  if (!document.generate) return scenario
  // The parent's animals are replaced.
  const { pets = [] } = scenario
  const generated = generatePets({ ...document.generate, firstId: firstGeneratedId(pets.map(({ id }) => id)) })
  return { ...scenario, pets: pets.concat(generated), generated: generated.length }
}
