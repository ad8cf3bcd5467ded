// What differs between two states, as data: what a row changed, what was touched since, how a state
// left its scenario. And how a difference is taken back.
import { type AssumptionId, assumptions, type Int64 } from '../contract/generated/contract.ts'
import { compareCatalogues } from './catalogue.ts'
import { type CountedFault, checkFaultLimit } from './faults.ts'
import { type State, setPetText } from './state.ts'
import type { StateParts } from './state-parts.ts'

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

/** Without the clock, which runs in a state but not in an origin. */
type Contents = Omit<StateParts, 'clock'>
type Compared<Name extends keyof StateParts> = Pick<StateParts, Name>
type Compare<Name extends keyof StateParts> = (
  before: Compared<Name>,
  after: Compared<Name>,
) => Difference[]

/** By part; null if only a load changes it, or if it follows from other parts. */
const comparisons: { readonly [Name in keyof Contents]: Compare<Name> | null } = {
  name: null,
  nextId: null,
  surprise: null,
  calls: null,
  calibrated: null,
  apiKeys: compareKeys,
  choices: compareChoices,
  latency: compareLatencies,
  faults: compareFaults,
  lastFaultId: null,
  random: null,
  catalogue: comparePets,
}

/** Random numbers, counts and ids that were given out follow from what is compared. */
export function compareStates(before: State, after: State): Difference[] {
  if (before === after) return []
  return [...compareContents(before, after), ...compareClocks(before, after)]
}

export function compareContents(before: Contents, after: Contents): Difference[] {
  const found: Difference[] = []
  for (const compare of Object.values(comparisons)) {
    if (compare) found.push(...compare(before, after))
  }
  return found
}

function compareKeys(before: Compared<'apiKeys'>, after: Compared<'apiKeys'>): Difference[] {
  if (before.apiKeys === after.apiKeys) return []
  if ([...before.apiKeys].join(' ') === [...after.apiKeys].join(' ')) return []
  return [{ kind: 'apiKeys', id: '', before: before.apiKeys, after: after.apiKeys }]
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

function compareLatencies(before: Compared<'latency'>, after: Compared<'latency'>): Difference[] {
  if (String(before.latency) === String(after.latency)) return []
  return [{ kind: 'latency', id: '', before: before.latency, after: after.latency }]
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

function comparePets(before: Compared<'catalogue'>, after: Compared<'catalogue'>): Difference[] {
  const changed = compareCatalogues(before.catalogue, after.catalogue)
  return changed.map((pet) => ({
    kind: 'pet',
    id: pet.key,
    before: pet.before,
    after: pet.after,
  }))
}

function compareClocks(before: Compared<'clock'>, after: Compared<'clock'>): Difference[] {
  if (before.clock === after.clock) return []
  return [{ kind: 'clock', id: '', before: before.clock, after: after.clock }]
}

/** The state with one thing as it was before. A fault comes back to its place in the old state. */
export function putBack(state: State, difference: Difference, old: State): State {
  const { kind, id, before } = difference
  switch (kind) {
    case 'pet':
      return setPetText(state, id, before)
    case 'fault':
      return { ...state, faults: putFaultBack(state.faults, id, before, old.faults) }
    case 'choice':
      return { ...state, choices: { ...state.choices, [id]: before } }
    case 'apiKeys':
      return { ...state, apiKeys: before }
    case 'latency':
      return { ...state, latency: before }
    case 'clock':
      return { ...state, clock: before }
  }
}

/** The state with one thing as a change has made it in another state. */
export function putForward(state: State, difference: Difference, after: State): State {
  const swapped = { ...difference, before: difference.after, after: difference.before }
  return putBack(state, swapped as Difference, after)
}

/** With its own counts; nothing puts it away again. */
function putFaultBack(
  faults: readonly CountedFault[],
  id: string,
  fault: CountedFault | undefined,
  old: readonly CountedFault[],
): readonly CountedFault[] {
  const rest = faults.filter((one) => one.fault.id !== id)
  if (!fault) return rest
  const ahead = new Set<string>()
  for (const one of old.slice(0, old.indexOf(fault))) ahead.add(one.fault.id)
  const index = rest.findLastIndex((one) => ahead.has(one.fault.id)) + 1
  return checkFaultLimit(rest.toSpliced(index, 0, fault))
}
