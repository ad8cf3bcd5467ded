// From a checked document to the scenario that it describes: the parent's fields added, the animals
// generated. Apart from open.ts, since it brings the words of generated animals.
import { misuse } from '../contract/errors.ts'
import { throwIfAny } from '../contract/options.ts'
import type { ReadScenario, Scenario } from '../world/scenario.ts'
import { checkScenario, findProblems } from './check-scenario.ts'
import type { ScenarioDocument } from './document.ts'
import { generatePets } from './generate/generate-pets.ts'
import { firstGeneratedId } from './ids.ts'
import { changeScenario, normalizeScenario } from './normalize-scenario.ts'

/**
 * The scenario that a document describes; `parent` is the one that it extends.
 *
 * @example
 * const scenario = expandScenario({ generate: { count: 40, seed: 7, status: { sold: 1 } } })
 * const faults = [{ operation: '*', delay: 900 }] as const
 * const slow = expandScenario({ extends: 'default', faults }, scenarios.default)
 */
export function expandScenario(document: ScenarioDocument, parent?: Scenario): ReadScenario {
  const base = parent === undefined ? undefined : checkScenario(parent, 'parent')
  throwIfAny(findProblems(document, base))
  if (base && document.extends === undefined) {
    const problem = 'a parent was passed, but the document does not say that it extends one'
    throw misuse('extends', problem)
  }
  if (!base && document.extends !== undefined) {
    const name = JSON.stringify(document.extends)
    throw misuse('extends', `pass the scenario ${name} as the second argument`)
  }
  return expandChecked(document, base)
}

/**
 * The same for a document that has been checked with its parent. Name and description are not
 * inherited.
 */
export function expandChecked(document: ScenarioDocument, parent: ReadScenario = {}): ReadScenario {
  const { $schema, extends: _, generate, ...given } = document
  const { name, description, ...inherited } = parent
  const own = normalizeScenario(given)
  if (!generate) return changeScenario(inherited, own)

  const written = own.pets ?? []
  const firstId = firstGeneratedId(written.map((pet) => pet.id))
  const added = generatePets({ ...generate, firstId })
  const pets = written.concat(added)
  return changeScenario(inherited, { ...own, pets, generated: added.length })
}
