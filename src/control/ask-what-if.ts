// The control methods what if, for one answer, all alternatives or the later rows, and make real.
import { misuse } from '../contract/errors.ts'
import { MAX_ONWARD_ROWS } from '../contract/limits.ts'
import { count } from '../contract/problem.ts'
import { withoutUndefined } from '../contract/values.ts'
import type { KeptRow } from '../world/kept-row.ts'
import { isChange } from '../world/row.ts'
import { listAlternatives } from './alternatives.ts'
import type { WhatIfChange } from './control.ts'
import { describeWhatIfChange } from './describe-what-if-change.ts'
import { describeIdle } from './idle-changes.ts'
import { checkKnown, type KnownRequest } from './known-request.ts'
import { followRows, imagineOnward } from './onward.ts'
import { printStatus } from './print-status.ts'
import { type Changed, conflict, type Found, findRow, found, type View } from './view.ts'
import { explainKey, imagineReply } from './what-if.ts'

interface Moment extends WhatIfChange {
  readonly id: number
}

interface Question extends Moment {
  readonly alternatives?: boolean
  readonly onward?: boolean
  readonly all?: boolean
}

export function askWhatIf(view: View, question: Question): Found {
  const { id, alternatives, onward, all, ...change } = question
  const { row } = findRow(view, id)
  const isChanged = Object.keys(withoutUndefined(change)).length > 0
  if (alternatives && (isChanged || onward)) {
    throw misuse('alternatives', 'leave the changes out, or ask for one answer')
  }
  if (onward) {
    checkFirst(row, change)
    return found(imagineOnward(view, row, change, all === true))
  }
  if (all) throw misuse('all', 'only with onward: true')
  if (isChange(row)) throw conflict(`Row ${id} is a change, and only requests get responses`)
  const known = checkKnown(row, change)
  if (alternatives) return found(listAlternatives(view, known))
  const would = imagineReply(view, known, change)
  if (!would) throw conflict(explainKey(known))
  const notes = [...would.notes, ...describeIdle(known, would, change), ...describeRelease(known)]
  return found({ ...would, notes })
}

/** What a release has sent instead says nothing about the service. */
function describeRelease(row: KnownRequest): string[] {
  if (row.sentInstead === undefined) return []
  const decided = printStatus(row.decidedStatus)
  return [`Compared with the ${decided} that was decided, not with what the release sent`]
}

/** The present becomes the end of the imagined line. The rows from this one on are left behind. */
export function makeReal(view: View, moment: Moment): Changed {
  const { id, ...change } = moment
  const { row } = findRow(view, id)
  checkFirst(row, change)
  const { end, stoppedAt } = followRows(view, row, change, false)
  if (stoppedAt !== null) {
    throw conflict(`More than ${count(MAX_ONWARD_ROWS, 'row')} follow; the first is row ${id}`)
  }
  return {
    kind: 'changed',
    state: end.after.state,
    text: `made real: from row ${id} on, ${describeWhatIfChange(change)}`,
    isWhole: true,
    backTo: id,
  }
}

/** Another request needs one in its place. The rest changes the state before any row. */
function checkFirst(row: Readonly<KeptRow>, change: WhatIfChange): void {
  if (change.request === undefined) return
  if (isChange(row)) throw misuse('request', `row ${row.id} is a change, not a request`)
  checkKnown(row, change)
}
