// A scenario that has been checked and indexed. Any number of states start from it, and share what they do not change.
import { freezeCopy, withoutUndefined } from '../contract/describe-value.ts'
import { type AssumptionChoices, assumptions, type Pet } from '../generated/contract.ts'
import type { Surprise } from '../surprise/setting.ts'
import { surpriseState } from '../surprise/surprise.ts'
import { buildCatalogue, type Catalogue, sizeOfPet } from './catalogue.ts'
import type { ClockSetting } from './clock.ts'
import { type CountedFault, type DelayMs, sizeOfFault, startFaults } from './faults.ts'
import type { ReadScenario, Scenario } from './scenario.ts'
import { buildList, type Sorted, sliceList } from './sorted.ts'

interface Loaded {
  readonly name: string
  readonly apiKeys: ReadonlySet<string>
  readonly surprise: Surprise | undefined
  readonly calibrated: Scenario['calibrated']
}

export interface Origin {
  readonly loaded: Loaded
  readonly description: string
  readonly catalogue: Catalogue
  /** One above the highest int64 once there is none left. */
  readonly nextId: bigint
  /** A setting, not a running clock: it begins when the scenario is loaded, and again at each reset. */
  readonly clock: ClockSetting
  readonly choices: Readonly<AssumptionChoices>
  readonly faults: readonly CountedFault[]
  /** The highest number that was the id of a fault, also of one that is gone: none is used again. */
  readonly lastFaultId: number
  readonly latency: DelayMs | undefined
  readonly random: number
  /** How often each target such as `listPets?status=sold` was called, which decides the surprises of a response. */
  readonly calls: Sorted<string, number>
  readonly bytes: number
}

const defaultChoices = Object.fromEntries(assumptions.map(({ id, default: choice }) => [id, choice])) as unknown as AssumptionChoices

/** It shares nothing with the scenario that could be changed later. */
export function createOrigin(given: ReadScenario): Origin {
  const scenario = surpriseState(given)
  const pets = inIdOrder(scenario.pets ?? [])
  const { name = 'unnamed', description = '', apiKeys = [], now, frozen, latency, random = 0, calibrated } = scenario
  const { calls = {}, ...surprise } = scenario.surprise ?? {}
  const targets = Object.keys(calls).sort()
  const counts = targets.map((target) => calls[target] as number)
  const catalogue = buildCatalogue(pets)
  const faults = startFaults((scenario.faults ?? []).map(freezeCopy))
  return {
    loaded: {
      name,
      apiKeys: new Set(apiKeys),
      surprise: 'seed' in surprise ? freezeCopy(surprise) : undefined,
      calibrated: calibrated && freezeCopy(calibrated),
    },
    description,
    catalogue,
    nextId: BigInt(scenario.nextId ?? BigInt(pets.at(-1)?.id ?? 0) + 1n),
    clock: { ...(now !== undefined && { now }), ...(frozen !== undefined && { frozen }) },
    choices: toChoices(scenario),
    ...faults,
    latency: latency === undefined ? undefined : freezeCopy(latency),
    random,
    calls: buildList(targets, counts),
    bytes: sum(sliceList(catalogue.all).map(sizeOfPet)) + sum(faults.faults.map(({ fault }) => sizeOfFault(fault))),
  }
}

export function sum(sizes: readonly number[]): number {
  return sizes.reduce((all, size) => all + size, 0)
}

/** Listing keys answers `valid-keys`, so it chooses `listed`, unless the scenario makes that choice itself. */
function toChoices({ assume = {}, apiKeys }: Scenario): AssumptionChoices {
  return { ...defaultChoices, ...(apiKeys && { 'valid-keys': 'listed' }), ...withoutUndefined(assume) }
}

function inIdOrder(pets: readonly Pet[]): readonly Pet[] {
  const isAscending = pets.every((pet, index) => index === 0 || (pets[index - 1] as Pet).id < pet.id)
  return isAscending ? pets : pets.toSorted((left, right) => (left.id < right.id ? -1 : 1))
}
