// The parts of a state, a row each: how it starts from a scenario, how a scenario describes it, and
// what a person would call different. The compiler asks for a row for each part, and below for a
// part for each field of a scenario.
import {
  type AssumptionChoices,
  type AssumptionId,
  assumptions,
  type Int64,
} from '../contract/generated/contract.ts'
import { idAfter, normalizeInt64 } from '../contract/int64-json.ts'
import { freezeCopy } from '../contract/values.ts'
import { buildCatalogue, type Catalogue, compareCatalogues } from './catalogue.ts'
import { type Clock, type ClockSetting, parseInstant, printInstant } from './clock.ts'
import { type CountedFault, type DelayMs, saveFault, startFaults } from './faults.ts'
import { type ReadScenario, type Scenario, usualChoices } from './scenario.ts'
import { createListBuilder, entriesOf, type Sorted } from './sorted.ts'
import type { Surprise } from './surprise.ts'

export interface StateParts {
  /** The name of the loaded scenario. */
  readonly name: string
  /** One above the highest int64 once there is none left. */
  /** Normalised, and so a number while that is exact. */
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

/** What a person would call different between two states. A setting has no id. */
export type Difference =
  | Sides<'pet', Int64, string | undefined>
  | Sides<'fault', string, CountedFault | undefined>
  | Sides<'choice', AssumptionId, string>
  | SettingDifference<'latency'>
  | SettingDifference<'apiKeys'>
  | SettingDifference<'clock'>

type Sides<Kind, Id, Value> = Readonly<{ kind: Kind; id: Id; before: Value; after: Value }>
type SettingDifference<Name extends keyof StateParts> = Sides<Name, '', StateParts[Name]>

type Compared<Name extends keyof StateParts> = Pick<StateParts, Name>

interface PartRow<Name extends keyof StateParts> {
  /** It shares nothing with the scenario that could be changed later. */
  start(scenario: ReadScenario): OriginParts[Name]
  /** The fields from which it would start again; none for the usual value. */
  describe(parts: OriginParts): Partial<ReadScenario>
  /** Null if only a load changes it, or if it follows from other parts. */
  readonly compare: ((before: Compared<Name>, after: Compared<Name>) => Difference[]) | null
}

/** The first draws from it hit a fault's rate about as often as later ones. */
const FIRST_RANDOM = 76

export const stateParts = {
  name: {
    start: (scenario) => scenario.name ?? 'unnamed',
    describe: (parts) => ({ name: parts.name }),
    compare: null,
  },

  nextId: {
    start(scenario) {
      if (scenario.nextId !== undefined) return normalizeInt64(scenario.nextId)
      const last = scenario.pets?.at(-1)
      return idAfter(last?.id)
    },
    describe: (parts) => ({ nextId: parts.nextId }),
    compare: null,
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
    compare: null,
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
    compare: null,
  },

  calibrated: {
    start: (scenario) => scenario.calibrated && freezeCopy(scenario.calibrated),
    describe: (parts) => (parts.calibrated ? { calibrated: parts.calibrated } : {}),
    compare: null,
  },

  apiKeys: {
    start: (scenario) => new Set(scenario.apiKeys),
    describe: (parts) => (parts.apiKeys.size > 0 ? { apiKeys: [...parts.apiKeys] } : {}),
    compare: compareKeys,
  },

  clock: {
    start(scenario) {
      const setting: { now?: string; frozen?: boolean } = {}
      if (scenario.now) setting.now = printInstant(parseInstant(scenario.now))
      if (scenario.frozen !== undefined) setting.frozen = scenario.frozen
      return setting
    },
    describe: (parts) => ({ ...parts.clock }),
    compare(before, after) {
      if (before.clock === after.clock) return []
      return [{ kind: 'clock', id: '', before: before.clock, after: after.clock }]
    },
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
    compare: compareChoices,
  },

  latency: {
    start: (scenario) => (scenario.latency ? freezeCopy(scenario.latency) : null),
    describe: (parts) => (parts.latency ? { latency: parts.latency } : {}),
    compare(before, after) {
      if (String(before.latency) === String(after.latency)) return []
      return [{ kind: 'latency', id: '', before: before.latency, after: after.latency }]
    },
  },

  faults: {
    start: (scenario) => startFaults((scenario.faults ?? []).map(freezeCopy)).faults,
    describe: (parts) => (parts.faults.length > 0 ? { faults: parts.faults.map(saveFault) } : {}),
    compare: compareFaults,
  },

  lastFaultId: {
    start: (scenario) => startFaults(scenario.faults ?? []).lastFaultId,
    // A scenario counts on from the highest id of its faults. A saved state keeps the number.
    describe: () => ({}),
    compare: null,
  },

  random: {
    start: (scenario) => scenario.random ?? FIRST_RANDOM,
    describe: (parts) => (parts.random === FIRST_RANDOM ? {} : { random: parts.random }),
    compare: null,
  },

  catalogue: {
    start: (scenario) => buildCatalogue(scenario.pets ?? []),
    // The animals are printed from their texts, which is faster: see `printScenario`.
    describe: () => ({}),
    compare(before, after) {
      const changed = compareCatalogues(before.catalogue, after.catalogue)
      return changed.map((pet) => ({
        kind: 'pet',
        id: pet.key,
        before: pet.before,
        after: pet.after,
      }))
    },
  },
} satisfies { readonly [Name in keyof StateParts]: PartRow<Name> }

const partNames = Object.keys(stateParts) as (keyof StateParts)[]
const rows: Readonly<Record<keyof StateParts, PartRow<keyof StateParts>>> = stateParts

type Contents = Omit<StateParts, 'clock'>

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

/** Without the clock, which runs in a state but not in an origin. */
export function compareContents(before: Contents, after: Contents): Difference[] {
  const found: Difference[] = []
  for (const name of partNames) {
    if (name === 'clock') continue
    const { compare } = rows[name]
    if (compare) found.push(...compare(before as StateParts, after as StateParts))
  }
  return found
}

function compareChoices(before: Compared<'choices'>, after: Compared<'choices'>): Difference[] {
  if (before.choices === after.choices) return []
  const found: Difference[] = []
  for (const { id } of assumptions) {
    const old = before.choices[id]
    const now = after.choices[id]
    if (old !== now) found.push({ kind: 'choice', id, before: old, after: now })
  }
  return found
}

function compareKeys(before: Compared<'apiKeys'>, after: Compared<'apiKeys'>): Difference[] {
  if (before.apiKeys === after.apiKeys) return []
  if ([...before.apiKeys].join(' ') === [...after.apiKeys].join(' ')) return []
  return [{ kind: 'apiKeys', id: '', before: before.apiKeys, after: after.apiKeys }]
}

/** By their definitions: a fault that was added again to restart its count is another one. */
function compareFaults(before: Compared<'faults'>, after: Compared<'faults'>): Difference[] {
  if (before.faults === after.faults) return []
  const old = new Map(before.faults.map((one) => [one.fault.id, one]))
  const now = new Map(after.faults.map((one) => [one.fault.id, one]))
  const found: Difference[] = []
  for (const id of new Set([...old.keys(), ...now.keys()])) {
    const was = old.get(id)
    const is = now.get(id)
    if (was?.fault !== is?.fault) found.push({ kind: 'fault', id, before: was, after: is })
  }
  return found
}
