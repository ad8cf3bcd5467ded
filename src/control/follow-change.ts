// A change of a tester in an imagined line. Undo and rewind act on that line; where they go back to
// before it, and with a load or a reset, both lines meet.
import { compareContents } from '../world/difference.ts'
import type { KeptChange } from '../world/kept-row.ts'
import type { State } from '../world/state.ts'
import { type Line, lineFrom } from './imagined-line.ts'
import { repeatChange } from './repeat-change.ts'
import { findTouched, putAllBack } from './undo.ts'
import type { View } from './view.ts'

/** The states around a row. */
export interface Around<T> {
  readonly before: T
  readonly after: T
}

/** The line around each row so far. */
export type Passed = ReadonlyMap<number, Around<Line>>

export interface Followed {
  readonly line: Line
  readonly note: string | null
}

const MEETING = 'both lines meet again'

export function followChange(
  view: View,
  row: KeptChange,
  recorded: Around<State>,
  line: Line,
  passed: Passed,
): Followed {
  if (row.isWhole) return replaceLine(row, recorded.after, passed)
  const turned = turnLine(row, recorded, line, passed)
  if (row.undoes !== null) return undoInLine(view, row.undoes, recorded, turned, passed)
  return repeatInLine(recorded, turned)
}

function replaceLine(row: KeptChange, after: State, passed: Passed): Followed {
  const returnsTo = findReturn(row)
  const earlier = returnsTo === undefined ? undefined : passed.get(returnsTo)
  if (earlier) return { line: earlier.before, note: null }
  return { line: lineFrom(after), note: MEETING }
}

/** The row before which an undo or a rewind goes back. */
function findReturn({ undoes, method, backTo }: KeptChange): number | undefined {
  if (undoes !== null) return undoes
  return method === 'rewind' ? backTo : undefined
}

/** A clock that is set again is no longer ahead of the recorded one. */
function turnLine(row: KeptChange, recorded: Around<State>, line: Line, passed: Passed): Line {
  if (recorded.before.clock === recorded.after.clock) return line
  if (row.undoes !== null) return { ...line, aheadMs: passed.get(row.undoes)?.before.aheadMs ?? 0 }
  return row.method === 'clock.set' ? { ...line, aheadMs: 0 } : line
}

function repeatInLine(recorded: Around<State>, line: Line): Followed {
  const repeated = repeatChange(line, recorded.before, recorded.after)
  return { line: repeated.line, note: sayImpossible(repeated.problems) }
}

function undoInLine(
  view: View,
  id: number,
  recorded: Around<State>,
  line: Line,
  passed: Passed,
): Followed {
  const undone = findUndone(view, id, passed)
  if (!undone) return repeatInLine(recorded, line)
  const { before, after } = undone
  const differences = compareContents(before, after)
  const touched = findTouched(differences, after, line.state)
  if (touched !== undefined) {
    const problem = `${touched} has changed since row ${id}`
    return { line, note: sayImpossible([problem]) }
  }
  return { line: { ...line, state: putAllBack(line.state, differences, before) }, note: null }
}

/** The states around the change that is undone: of the line, or of both before it begins. */
function findUndone(view: View, id: number, passed: Passed): Around<State> | undefined {
  const inLine = passed.get(id)
  if (inLine) return { before: inLine.before.state, after: inLine.after.state }
  const found = view.world.timeline.find(id)
  const before = found?.row.before
  return found && before ? { before, after: found.after } : undefined
}

function sayImpossible(problems: readonly string[]): string | null {
  return problems.length === 0 ? null : `impossible there: ${problems.join('; ')}`
}
