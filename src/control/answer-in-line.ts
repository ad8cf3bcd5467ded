// A logged request in an imagined line: the response that it would get there.
import { toJson } from '../contract/int64-json.ts'
import { clampInstant } from '../world/clock.ts'
import { findLack, type KeptRequest } from '../world/kept-row.ts'
import { redactTarget } from '../world/redact.ts'
import { LACKS } from '../world/row.ts'
import { outcomeOf } from '../world/show-row.ts'
import { type State, stopClock } from '../world/state.ts'
import { compareReplies } from './compare-replies.ts'
import type { OnwardRequest, WhatIf, WhatIfChange } from './control.ts'
import type { Around } from './follow-change.ts'
import { followTarget } from './follow-target.ts'
import { type Imagined, imagineRow } from './imagine-row.ts'
import { type Line, lineAfter, withChanceOf } from './imagined-line.ts'
import { repeatChange } from './repeat-change.ts'
import { findSeenState } from './seen-state.ts'
import type { View } from './view.ts'
import { explainKey, showResponse } from './what-if.ts'

type Row = Readonly<KeptRequest>

export interface Answered {
  readonly line: Line
  /** Undefined if the mock cannot know the response. */
  readonly imagined: Imagined | undefined
  readonly differs: WhatIf['differs']
  readonly note: string | null
}

/** `change.request` is about this row; the rest of the change is in the line. */
export function answerInLine(
  view: View,
  row: Row,
  recorded: Around<State>,
  line: Line,
  change: WhatIfChange,
): Answered {
  const why = explainUnanswered(row, change)
  if (why !== undefined) return repeatRecorded(line, recorded, why)
  const followed = followTarget(row, line)
  const drawn = withChanceOf(followed.state, recorded.before)
  const seen = findSeenState(view, row, drawn, change)
  const state = stopClock(seen.state, clampInstant(row.at + line.aheadMs), view.worlds.times)
  const request = change.request ?? followed.request
  const each = imagineRow(view, row, state, [state, recorded.before], request)
  const imagined = findSure(each)
  if (!imagined) return repeatRecorded(line, recorded, explainKey(row))
  const changesOtherSandbox = seen.isOther
  const next = changesOtherSandbox
    ? line
    : lineAfter(line, followed.restore(imagined.reply.state), recorded)
  const lacksResponse = row.isRecorded && row.outcome === 'aborted'
  const differs = lacksResponse ? null : compareReplies(row, imagined.reply.row)
  const note = lacksResponse ? 'the client left, and the recording has no response' : followed.note
  return { line: next, imagined, differs, note }
}

function repeatRecorded(line: Line, recorded: Around<State>, note: string): Answered {
  const repeated = repeatChange(line, recorded.before, recorded.after)
  return { line: repeated.line, imagined: undefined, differs: null, note }
}

/** Why the row cannot be answered; undefined if it can. */
function explainUnanswered(row: Row, { request, assume }: WhatIfChange): string | undefined {
  const lack = findLack(row)
  const hasBody = lack === 'body' && request?.body !== undefined
  if (lack !== undefined && !hasBody) return `it ${LACKS[lack]}`
  if (row.isRecorded && assume?.['valid-keys']) return explainKey(row)
  const isFull = row.decidedStatus === 507 && row.faults.length === 0
  return isFull ? 'the mock was full' : undefined
}

/** The only response, or the same with every key that the request may have had. */
function findSure(each: readonly Imagined[]): Imagined | undefined {
  const [first, ...others] = each
  if (first === undefined) return undefined
  const printed = printReply(first)
  const isSure = others.every((one) => printReply(one) === printed)
  return isSure ? first : undefined
}

function printReply({ reply }: Imagined): string {
  const { status, headers, body } = reply.reply
  return toJson({ status, headers, body })
}

export function showAnswered(view: View, row: Row, answered: Answered): OnwardRequest {
  const { imagined, differs, note } = answered
  return {
    type: 'request',
    id: row.id,
    method: row.method,
    target: redactTarget(row.target),
    was: { status: row.decidedStatus, outcome: outcomeOf(row) },
    would: imagined ? showResponse(view, row, imagined) : null,
    differs,
    note,
  }
}
