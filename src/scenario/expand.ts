// Turns a scenario document into the scenario that the engine takes: the parent worked in, the animals generated.
import { UsageError } from '../contract/errors.ts'
import { toSentences } from '../contract/schema.ts'
import { generatePets } from '../generate/generate-pets.ts'
import type { Scenario } from '../world/scenario.ts'
import { findDocumentProblems, firstGeneratedId, layOver, type ScenarioDocument } from './document.ts'

/**
 * The scenario that a document stands for; `parent` is the one that it extends.
 *
 * @example
 * const scenario = expandScenario({ generate: { count: 40, seed: 7, status: { sold: 1 } } })
 * const slow = expandScenario({ extends: 'default', faults: [{ operation: '*', delay: 900 }] }, scenarios.default)
 */
export function expandScenario(document: ScenarioDocument, parent?: Scenario): Scenario {
  const problems = findDocumentProblems(document)
  if (problems.length > 0) throw new UsageError(toSentences(problems))
  if (document.extends !== undefined && !parent) {
    throw new UsageError(`extends: expected the scenario ${JSON.stringify(document.extends)} beside the document, got nothing`)
  }
  const { generate, pets = [] } = document
  const scenario = layOver(document, parent)
  if (!generate) return scenario
  return { ...scenario, pets: pets.concat(generatePets({ ...generate, firstId: firstGeneratedId(pets) })) }
}
