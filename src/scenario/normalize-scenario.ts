// From a checked scenario to one that a state can start from, alone or over another.
import { withoutUndefined } from '../contract/values.ts'
import type { ReadScenario, Scenario } from '../world/scenario.ts'
import { lacksId, listIds } from './ids.ts'
import { settingNames, settingRows } from './settings/rows.ts'

/**
 * The scenario as a state keeps it, once it is checked: with an id for each animal, and every
 * setting read.
 */
export function normalizeScenario(scenario: Scenario): ReadScenario {
  const { pets } = scenario
  const normal: Record<string, unknown> = { ...scenario }
  if (pets?.some(lacksId)) {
    const ids = listIds(pets)
    normal.pets = pets.map((pet, index) => ({ ...pet, id: ids[index] }))
  }
  for (const name of settingNames) {
    const { read } = settingRows[name]
    if (read && normal[name] !== undefined) normal[name] = read(normal[name] as never)
  }
  return normal
}

/**
 * A scenario over another: animals replace the parent's and its `nextId`, and `assume` is merged by
 * question.
 */
export function changeScenario(parent: ReadScenario, own: ReadScenario): ReadScenario {
  const { pets, nextId, generated, ...withoutPets } = parent
  const inherited = own.pets ? withoutPets : parent
  const changed = { ...inherited, ...withoutUndefined(own) }
  if (!parent.assume && !own.assume) return changed
  return { ...changed, assume: { ...parent.assume, ...own.assume } }
}
