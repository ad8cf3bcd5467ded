// The origin of a scenario value, for tests of the parts that start from one.
import { checkScenario } from '../../src/scenario/check-scenario.ts'
import type { Scenario } from '../../src/world/scenario.ts'
import { createOrigin, type Origin } from '../../src/world/state.ts'

export function parseScenario(scenario: Scenario): Origin {
  return createOrigin(checkScenario(scenario))
}
