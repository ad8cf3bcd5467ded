// Makes a recorded change of a tester in an imagined line.
import { normalizeInt64 } from '../contract/int64-json.ts'
import { parsePetText, toPetText } from '../contract/pet.ts'
import { findPetText } from '../world/catalogue.ts'
import { compareContents, type Difference, putForward } from '../world/difference.ts'
import { checkFaultLimit } from '../world/faults.ts'
import { type State, setPetText } from '../world/state.ts'
import { followId, idInLine, type Line } from './imagined-line.ts'

type PetDifference = Extract<Difference, { kind: 'pet' }>
type Fields = Readonly<Record<string, unknown>>

export interface Repeated {
  readonly line: Line
  /** Why some of it cannot be made there. */
  readonly problems: readonly string[]
}

/** The line after the difference between two recorded states. */
export function repeatChange(line: Line, before: State, after: State): Repeated {
  const problems: string[] = []
  let next = line
  for (const difference of compareContents(before, after)) {
    if (difference.kind !== 'pet') {
      next = { ...next, state: repeatSetting(next.state, difference, after) }
      continue
    }
    const changed = repeatPetChange(next, difference, before)
    if (typeof changed === 'string') problems.push(changed)
    else next = changed
  }
  return { line: next, problems }
}

/** A fault is added as a tester adds it: in its place, or after those that only the line has. */
function repeatSetting(state: State, difference: Difference, after: State): State {
  if (difference.kind !== 'fault' || !difference.after) {
    return putForward(state, difference, after)
  }
  const added = difference.after
  const index = state.faults.findIndex((one) => one.fault.id === difference.id)
  if (index >= 0) return { ...state, faults: state.faults.with(index, added) }
  return { ...state, faults: checkFaultLimit([...state.faults, added]) }
}

/** Or why it cannot be. */
function repeatPetChange(line: Line, difference: PetDifference, recorded: State): Line | string {
  const { id, before, after } = difference
  if (before === undefined && after !== undefined) return addPetAgain(line, id, after, recorded)
  const own = idInLine(line, id)
  const text = own === null ? undefined : findPetText(line.state.catalogue, own)
  if (own === null || text === undefined) return `animal ${own ?? id} is not there`
  return { ...line, state: setPetText(line.state, own, changeText(text, before, after)) }
}

/** One that got the next id gets the next id of the line. */
function addPetAgain(
  line: Line,
  id: PetDifference['id'],
  text: string,
  recorded: State,
): Line | string {
  const { state } = line
  if (id !== recorded.nextId) {
    const isTaken = findPetText(state.catalogue, id) !== undefined
    if (isTaken) return `animal ${id} is there already`
    return { ...line, state: setPetText(state, id, text) }
  }
  const own = normalizeInt64(state.nextId)
  const ids = followId(line.ids, id, own)
  const added = own === id ? text : toPetText({ ...parsePetText(text), id: own })
  return { ...line, ids, state: setPetText(state, own, added) }
}

/** The fields that the change has changed; the others stay as they are in the line. */
function changeText(
  text: string,
  before: string | undefined,
  after: string | undefined,
): string | undefined {
  if (after === undefined || before === undefined || text === before) return after
  const was: Fields = { ...parsePetText(before) }
  const is: Fields = { ...parsePetText(after) }
  const own = parsePetText(text)
  const changed: Record<string, unknown> = { ...own }
  for (const name of Object.keys({ ...was, ...is })) {
    if (name !== 'id' && was[name] !== is[name]) changed[name] = is[name]
  }
  return toPetText({ ...own, ...changed })
}
