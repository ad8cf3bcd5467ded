// What a mock starts from: the default scenario or another one, with the fields that the options change. Not in open.ts, which the build
// uses before there is a default scenario.
import { isPromise, withoutUndefined } from '../contract/describe-value.ts'
import { refuse } from '../contract/options.ts'
import { defaultScenario } from '../generated/default-scenario.ts'
import { findFaultProblems } from '../settings/fault.ts'
import type { ReadScenario, Scenario } from '../world/scenario.ts'
import { findConflicts } from './check.ts'
import { documentSchema, toState } from './document.ts'

/** Options whose schemas have been checked: the fields of a scenario change the one that `scenario` names, or the default one. */
export function openStart<Opened extends ReadScenario | Promise<ReadScenario>>(
  options: { readonly scenario?: unknown },
  caller: string,
  open: (given: unknown) => Opened,
): ReadScenario | Opened {
  const given = Object.entries(options).filter(([name]) => Object.hasOwn(documentSchema.properties ?? {}, name))
  const changes: Scenario = Object.fromEntries(given)
  refuse(findConflicts(changes), caller)
  if (options.scenario === undefined) return changeScenario(defaultScenario, changes, caller)
  const base = open(options.scenario)
  const change = (found: ReadScenario) => changeScenario(found, changes, caller)
  return isPromise(base) ? (base.then(change) as Opened) : change(base as ReadScenario)
}

function changeScenario(whole: ReadScenario, changes: Scenario, caller: string): ReadScenario {
  const own = toState(changes)
  const { nextId, generated, ...others } = whole
  const { pets, apiKeys, assume } = own
  // Other animals bring their own ids, so the scenario's next one need not hold for them.
  const base = pets ? others : whole
  const faults = own.faults && [...own.faults, ...(base.faults ?? [])]
  const conflicts = changes.nextId === undefined ? [] : findConflicts({ nextId: changes.nextId }, own.pets ? own : base)
  refuse([...conflicts, ...findFaultProblems(faults, 'faults')], caller)
  return {
    ...base,
    ...own,
    // Naming keys answers `valid-keys`, also over a snapshot, which spells every choice out.
    ...((assume || apiKeys) && {
      assume: { ...base.assume, ...(apiKeys && { 'valid-keys': 'listed' }), ...(assume && withoutUndefined(assume)) },
    }),
    ...(faults && { faults }),
  }
}
