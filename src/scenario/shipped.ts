// The entry point `animal-store-mock/scenarios`: the shipped scenarios as plain values, for Node
// and browsers.
import { deepFreeze } from '../contract/values.ts'
import type { ReadScenario } from '../world/scenario.ts'
import type { ScenarioDocument } from './document.ts'
import { expandChecked } from './expand.ts'
import { defaultScenario } from './generated/default-scenario.ts'
import { documents, type ScenarioName } from './generated/scenarios.ts'

export type { ScenarioName }

type Documents = Readonly<Record<Exclude<ScenarioName, 'default'>, ScenarioDocument>>

/**
 * The shipped scenarios, by their names. They are frozen; spread one to make another: `{
 * ...scenarios.default, now }`.
 *
 * @example
 * const mock = createMock({ scenario: scenarios['sold-out'] })
 */
export const scenarios: Readonly<Record<ScenarioName, ReadScenario>> = /* @__PURE__ */ expandAll()

function expandAll(): Record<ScenarioName, ReadScenario> {
  const checked: Readonly<Record<string, ScenarioDocument>> = documents satisfies Documents
  const all: Record<string, ReadScenario> = { default: defaultScenario }
  for (const [name, document] of Object.entries(checked)) {
    const parent = document.extends === undefined ? undefined : defaultScenario
    all[name] = { name, ...expandChecked(document, parent) }
  }
  return deepFreeze(all as Record<ScenarioName, ReadScenario>)
}
