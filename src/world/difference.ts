// What differs between two states, as data: what a row changed, what was touched since, how a state
// left its scenario.
import { type AssumptionId, assumptions, type Int64 } from '../contract/generated/contract.ts'
import { compareCatalogues } from './catalogue.ts'
import type { Course } from './clock.ts'
import { type CountedFault, checkFaultLimit, type DelayMs } from './faults.ts'
import { type State, setPetText } from './state.ts'

export type Difference =
  | Sides<'pet', Int64, string | undefined>
  | Sides<'fault', string, CountedFault | undefined>
  | Sides<'choice', AssumptionId, string>
  | Sides<'latency', '', DelayMs | null>
  | Sides<'clock', '', Course>

type Sides<Kind, Id, Value> = Readonly<{ kind: Kind; id: Id; before: Value; after: Value }>

type Comparable = Pick<State, 'catalogue' | 'faults' | 'choices' | 'latency'>

/**
 * What a person would call different. Random numbers, counts and ids that were given out follow
 * from these.
 */
export function compareStates(one: State, other: State): Difference[] {
  if (one === other) return []
  const found = compareContents(one, other)
  const [before, after] = [one.clock, other.clock]
  return before === after ? found : [...found, { kind: 'clock', id: '', before, after }]
}

export function compareContents(one: Comparable, other: Comparable): Difference[] {
  const pets = compareCatalogues(one.catalogue, other.catalogue)
  const found: Difference[] = pets.map(({ key, before, after }) => ({
    kind: 'pet',
    id: key,
    before,
    after,
  }))
  found.push(...compareFaults(one.faults, other.faults))
  for (const { id } of one.choices === other.choices ? [] : assumptions) {
    const [before, after] = [one.choices[id] as string, other.choices[id] as string]
    if (before !== after) found.push({ kind: 'choice', id, before, after })
  }
  const [before, after] = [one.latency, other.latency]
  if (String(before) !== String(after)) found.push({ kind: 'latency', id: '', before, after })
  return found
}

/** By their definitions: a fault that was added again to restart its count is another one. */
function compareFaults(one: readonly CountedFault[], other: readonly CountedFault[]): Difference[] {
  if (one === other) return []
  const byId = (faults: readonly CountedFault[]) =>
    new Map(faults.map((fault) => [fault.fault.id, fault]))
  const [before, after] = [byId(one), byId(other)]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id): Difference[] => {
    const [old, now] = [before.get(id), after.get(id)]
    return old?.fault === now?.fault ? [] : [{ kind: 'fault', id, before: old, after: now }]
  })
}

/**
 * The state with one thing as it was before. A fault comes back to its place in the old state, with
 * its own counts.
 */
export function putBack(state: State, difference: Difference, old: State): State {
  const { kind, id, before } = difference
  if (kind === 'pet') return setPetText(state, id, before)
  if (kind === 'fault') return { ...state, faults: putFaultBack(state, id, before, old) }
  if (kind === 'choice') return { ...state, choices: { ...state.choices, [id]: before } }
  return { ...state, [kind]: before }
}

function putFaultBack({ faults }: State, id: string, fault: CountedFault | undefined, old: State) {
  const rest = faults.filter((one) => one.fault.id !== id)
  if (!fault) return rest
  const ahead = new Set(old.faults.slice(0, old.faults.indexOf(fault)).map((one) => one.fault.id))
  const index = rest.findLastIndex((one) => ahead.has(one.fault.id)) + 1
  return checkFaultLimit(rest.toSpliced(index, 0, fault))
}
