// The entry point `animal-store-mock/scenarios`: the shipped scenarios as plain values, for Node and browsers.
import { deepFreeze } from './contract/values.ts'
import { defaultScenario } from './generated/default-scenario.ts'
import { documents, type ScenarioName } from './generated/scenarios.ts'
import { expandChecked } from './scenario/expand.ts'
import type { ReadScenario, Scenario } from './world/scenario.ts'

export type { ScenarioName }

/**
 * The shipped scenarios, by their names. They are frozen; spread one to make another: `{ ...scenarios.default, now }`.
 *
 * @example
 * const mock = createMock({ scenario: scenarios['sold-out'] })
 */
export const scenarios: Readonly<Record<ScenarioName, ReadScenario>> = /* @__PURE__ */ expandAll()

function expandAll(): Record<ScenarioName, ReadScenario> {
  const expanded = Object.entries(documents).map(([name, document]): [string, Scenario] => [
    name,
    { name, ...expandChecked(document, document.extends === undefined ? undefined : defaultScenario) },
  ])
  return deepFreeze({ default: defaultScenario, ...Object.fromEntries(expanded) } as Record<ScenarioName, ReadScenario>)
}
