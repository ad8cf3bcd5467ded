// The parts of a state, a row each: how it starts from a scenario, and how a scenario describes it.
// The compiler asks for a row for each part, and below for a part for each field of a scenario.
import type { AssumptionChoices, Int64 } from '../contract/generated/contract.ts'
import { idAfter, normalizeInt64 } from '../contract/int64-json.ts'
import { freezeCopy } from '../contract/values.ts'
import { buildCatalogue, type Catalogue } from './catalogue.ts'
import { type Clock, type ClockSetting, parseInstant, printInstant } from './clock.ts'
import { type CountedFault, type DelayMs, saveFault, startFaults } from './faults.ts'
import { type ReadScenario, type Scenario, usualChoices } from './scenario.ts'
import { createListBuilder, entriesOf, type Sorted } from './sorted.ts'
import type { Surprise } from './surprise.ts'

export interface StateParts {
  /** The name of the loaded scenario. */
  readonly name: string
  /** Normalised, so a number while that is exact; one above the highest int64 once none is left. */
  readonly nextId: Int64
  readonly surprise: Surprise | undefined
  /**
   * How often each target such as `listPets?status=sold` was called, which decides its surprises.
   */
  readonly calls: Sorted<string, number>
  readonly calibrated: Scenario['calibrated']
  readonly apiKeys: ReadonlySet<string>
  readonly clock: Clock
  readonly choices: Readonly<AssumptionChoices>
  readonly latency: DelayMs | null
  readonly faults: readonly CountedFault[]
  /**
   * The highest number that was the id of a fault, also of one that is gone: none is used again.
   */
  readonly lastFaultId: number
  /** Where the random generator stands. */
  readonly random: number
  readonly catalogue: Catalogue
}

/** A scenario says how the clock is set. It begins to run when a state begins. */
export type OriginParts = Omit<StateParts, 'clock'> & { readonly clock: ClockSetting }

interface PartRow<Name extends keyof StateParts> {
  /** It shares nothing with the scenario that could be changed later. */
  start(scenario: ReadScenario): OriginParts[Name]
  /** The fields from which it would start again; none for the usual value. */
  describe(parts: OriginParts): Partial<ReadScenario>
}

/** The first draws from it hit a fault's rate about as often as later ones. */
const FIRST_RANDOM = 76

const stateParts = {
  name: {
    start: (scenario) => scenario.name ?? 'unnamed',
    describe: (parts) => ({ name: parts.name }),
  },

  nextId: {
    start(scenario) {
      if (scenario.nextId !== undefined) return normalizeInt64(scenario.nextId)
      const last = scenario.pets?.at(-1)
      return idAfter(last?.id)
    },
    describe: (parts) => ({ nextId: parts.nextId }),
  },

  surprise: {
    start(scenario) {
      if (!scenario.surprise) return undefined
      const { calls, ...setting } = scenario.surprise
      return 'seed' in setting ? freezeCopy(setting) : undefined
    },
    describe(parts) {
      if (!parts.surprise) return {}
      if (parts.calls.size === 0) return { surprise: { ...parts.surprise } }
      const calls = Object.fromEntries(entriesOf(parts.calls))
      return { surprise: { ...parts.surprise, calls } }
    },
  },

  calls: {
    start(scenario) {
      const { calls = {} } = scenario.surprise || {}
      const list = createListBuilder<string, number>()
      for (const target of Object.keys(calls).sort()) list.add(target, calls[target] as number)
      return list.build()
    },
    // With the surprises.
    describe: () => ({}),
  },

  calibrated: {
    start: (scenario) => scenario.calibrated && freezeCopy(scenario.calibrated),
    describe: (parts) => (parts.calibrated ? { calibrated: parts.calibrated } : {}),
  },

  apiKeys: {
    start: (scenario) => new Set(scenario.apiKeys),
    describe: (parts) => (parts.apiKeys.size > 0 ? { apiKeys: [...parts.apiKeys] } : {}),
  },

  clock: {
    start(scenario) {
      const setting: { now?: string; frozen?: boolean } = {}
      if (scenario.now) setting.now = printInstant(parseInstant(scenario.now))
      if (scenario.frozen !== undefined) setting.frozen = scenario.frozen
      return setting
    },
    describe: (parts) => ({ ...parts.clock }),
  },

  choices: {
    start(scenario) {
      const hasKeys = (scenario.apiKeys ?? []).length > 0
      return { ...usualChoices(hasKeys), ...scenario.assume }
    },
    describe(parts) {
      const usual: Readonly<Record<string, string>> = { ...usualChoices(parts.apiKeys.size > 0) }
      const chosen = Object.entries(parts.choices).filter(([id, choice]) => choice !== usual[id])
      return chosen.length > 0 ? { assume: Object.fromEntries(chosen) } : {}
    },
  },

  latency: {
    start: (scenario) => (scenario.latency ? freezeCopy(scenario.latency) : null),
    describe: (parts) => (parts.latency ? { latency: parts.latency } : {}),
  },

  faults: {
    start: (scenario) => startFaults((scenario.faults ?? []).map(freezeCopy)).faults,
    describe: (parts) => (parts.faults.length > 0 ? { faults: parts.faults.map(saveFault) } : {}),
  },

  lastFaultId: {
    start: (scenario) => startFaults(scenario.faults ?? []).lastFaultId,
    // A scenario counts on from the highest id of its faults. A saved state keeps the number.
    describe: () => ({}),
  },

  random: {
    start: (scenario) => scenario.random ?? FIRST_RANDOM,
    describe: (parts) => (parts.random === FIRST_RANDOM ? {} : { random: parts.random }),
  },

  catalogue: {
    start: (scenario) => buildCatalogue(scenario.pets ?? []),
    // The animals are printed from their texts, which is faster: see `printScenario`.
    describe: () => ({}),
  },
} satisfies { readonly [Name in keyof StateParts]: PartRow<Name> }

const partNames = Object.keys(stateParts) as (keyof StateParts)[]
const rows: Readonly<Record<keyof StateParts, PartRow<keyof StateParts>>> = stateParts

type FieldsOf<Fields> = Fields extends object ? keyof Fields : never
type DescribedField = FieldsOf<ReturnType<(typeof stateParts)[keyof StateParts]['describe']>>
/** `printScenario` writes the animals. The other two are about the scenario, not about a state. */
type FieldElsewhere = 'pets' | 'description' | 'generated'
type LostField = Exclude<keyof ReadScenario, DescribedField | FieldElsewhere>
/** A scenario of which no field is lost. */
type Complete<_Lost extends never> = ReadScenario

export function startParts(scenario: ReadScenario): OriginParts {
  const parts: Partial<Record<keyof StateParts, unknown>> = {}
  for (const name of partNames) parts[name] = rows[name].start(scenario)
  return parts as unknown as OriginParts
}

/**
 * A scenario without animals. Saving a state would lose a field that no part describes: the
 * compiler names such a field here.
 */
export function describeParts(parts: OriginParts): Complete<LostField> {
  const fields: ReadScenario = {}
  for (const name of partNames) Object.assign(fields, rows[name].describe(parts))
  return fields
}
