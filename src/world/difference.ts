// What differs between two states, as data: what a row changed, what was touched since, how a state
// left its scenario. And how a difference is taken back.
import { type CountedFault, checkFaultLimit } from './faults.ts'
import { type State, setPetText } from './state.ts'
import { compareContents, type Difference, stateParts } from './state-parts.ts'

/** Random numbers, counts and ids that were given out follow from what is compared. */
export function compareStates(before: State, after: State): Difference[] {
  if (before === after) return []
  return [...compareContents(before, after), ...stateParts.clock.compare(before, after)]
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
