// An imagined line: the state before each row as it would be, beside the recorded one.
import type { Int64 } from '../contract/generated/contract.ts'
import { findPetText } from '../world/catalogue.ts'
import type { CountedFault } from '../world/faults.ts'
import { emptyList, findIn, putIn, removeFrom, type Sorted } from '../world/sorted.ts'
import type { State } from '../world/state.ts'

export interface Line {
  /** Its clock, random numbers and counts of calls are those of the recorded state. */
  readonly state: State
  /** The ids that creates get in place of the recorded ones; null for one that gets none. */
  readonly ids: Sorted<Int64, Int64 | null>
  /** How many milliseconds its clock is ahead of the recorded one. */
  readonly aheadMs: number
}

/** A line that is the recorded one from here on. */
export function lineFrom(state: State): Line {
  return { state, ids: emptyList(), aheadMs: 0 }
}

/**
 * A state with the random numbers and counts of a recorded one, so that no response differs by
 * chance. A fault that struck more often than recorded keeps its own counts.
 */
export function withChanceOf(state: State, recorded: State): State {
  return {
    ...state,
    random: recorded.random,
    calls: recorded.calls,
    lastFaultId: Math.max(state.lastFaultId, recorded.lastFaultId),
    faults: countAs(state.faults, recorded.faults),
  }
}

function countAs(
  faults: readonly CountedFault[],
  recorded: readonly CountedFault[],
): readonly CountedFault[] {
  if (faults === recorded || faults.length === 0) return faults
  const counts = new Map(recorded.map((one) => [one.fault, one]))
  return faults.map((one) => {
    const known = counts.get(one.fault)
    if (!known) return one
    const seen = Math.max(one.seen, known.seen)
    const applied = Math.max(one.applied, known.applied)
    return { fault: one.fault, seen, applied }
  })
}

/** The line after a request, whose reply has the state `next`. */
export function lineAfter(
  line: Line,
  next: State,
  recorded: { readonly before: State; readonly after: State },
): Line {
  const { catalogue, nextId, faults } = next
  const state = { ...line.state, catalogue, nextId, faults }
  const was = findCreated(recorded.before, recorded.after)
  if (was === undefined) return { ...line, state }
  const is = findCreated(line.state, state) ?? null
  return { ...line, state, ids: followId(line.ids, was, is) }
}

/** The id that a create assigned between two states. */
function findCreated(before: State, after: State): Int64 | undefined {
  const { nextId } = before
  if (after.nextId === nextId || before.catalogue === after.catalogue) return undefined
  const isThere = findPetText(after.catalogue, nextId) !== undefined
  return isThere ? nextId : undefined
}

/** Where an id was assigned to `was`, it is now assigned to `is`. */
export function followId(ids: Line['ids'], was: Int64, is: Int64 | null): Line['ids'] {
  return was === is ? removeFrom(ids, was) : putIn(ids, was, is)
}

/** What the recorded id is in the line; null if it would not have been assigned. */
export function idInLine(line: Line, id: Int64): Int64 | null {
  const own = findIn(line.ids, id)
  return own === undefined ? id : own
}
