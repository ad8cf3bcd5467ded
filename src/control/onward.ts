// What if, onward: each row of a timeline from one on, answered or repeated in an imagined line.
// The line begins with a change, and the mock stays as it is.
import { MAX_ONWARD_ROWS } from '../contract/limits.ts'
import { clampInstant, parseInstant, shiftInstant } from '../world/clock.ts'
import type { KeptRequest, KeptRow } from '../world/kept-row.ts'
import { stateAfter } from '../world/log.ts'
import { isChange } from '../world/row.ts'
import { emptyList } from '../world/sorted.ts'
import { type Answered, answerInLine, showAnswered } from './answer-in-line.ts'
import { changeMoment } from './change-moment.ts'
import type { Onward, OnwardRow, WhatIfChange } from './control.ts'
import { diffStates } from './diff-states.ts'
import { type Around, followChange } from './follow-change.ts'
import { type Line, withChanceOf } from './imagined-line.ts'
import { type Moment, readBefore, type View } from './view.ts'

const LIMIT =
  'The same requests in the same order: your client might have sent others after other responses.'

interface Walk {
  readonly rows: readonly OnwardRow[]
  readonly considered: number
  readonly differing: number
  readonly stoppedAt: number | null
  /** The moment where it stopped, as it is and as it would be. */
  readonly end: Around<Moment>
}

export function imagineOnward(
  view: View,
  row: Readonly<KeptRow>,
  change: WhatIfChange,
  wantsAll: boolean,
): Onward {
  const { rows, considered, differing, stoppedAt, end } = followRows(view, row, change, wantsAll)
  const after = diffStates(end.after, end.before)
  return { rows, considered, differing, stoppedAt, after, note: LIMIT }
}

/** From a row to the present, or as far as one call goes. */
export function followRows(
  view: View,
  first: Readonly<KeptRow>,
  change: WhatIfChange,
  wantsAll: boolean,
): Walk {
  const later = view.world.timeline.rows({ waiting: true }).filter((row) => row.id >= first.id)
  const next = later[MAX_ONWARD_ROWS]
  const real: Moment = next ? { state: readBefore(next), now: next.at } : view
  const { request: _, ...changeForAll } = change
  const passed = new Map<number, Around<Line>>()
  const rows: OnwardRow[] = []
  let considered = 0
  let differing = 0
  let line = begin(first, changeForAll)
  for (const [index, row] of later.slice(0, MAX_ONWARD_ROWS).entries()) {
    const before = line
    const recorded = { before: readBefore(row), after: stateAfter(later, index, view.state) }
    if (isChange(row)) {
      const followed = followChange(view, row, recorded, line, passed)
      line = followed.line
      const isListed = wantsAll || followed.note !== null
      if (isListed) rows.push({ type: 'change', id: row.id, text: row.text, note: followed.note })
    } else {
      const answered = answerInLine(view, row, recorded, line, index === 0 ? change : changeForAll)
      line = answered.line
      considered++
      if (answered.differs) differing++
      const isListed = wantsAll || answered.differs !== null || isUnknown(row, answered)
      if (isListed) rows.push(showAnswered(view, row, answered))
    }
    passed.set(row.id, { before, after: line })
  }
  const end = { before: real, after: endOf(line, real, view) }
  return { rows, considered, differing, stoppedAt: next?.id ?? null, end }
}

function begin(first: Readonly<KeptRow>, change: WhatIfChange): Line {
  const state = changeMoment(readBefore(first), change)
  const aheadMs = change.at === undefined ? 0 : parseInstant(change.at) - first.at
  return { state, ids: emptyList(), aheadMs }
}

/** What the host refused gets the same in every line. */
function isUnknown(row: Readonly<KeptRequest>, { imagined }: Answered): boolean {
  return imagined === undefined && row.lacks !== 'host'
}

function endOf(line: Line, real: Moment, { worlds }: View): Moment {
  const state = withChanceOf(line.state, real.state)
  const clock = shiftInstant(real.state.clock, line.aheadMs, worlds.times)
  return { state: { ...state, clock }, now: clampInstant(real.now + line.aheadMs) }
}
