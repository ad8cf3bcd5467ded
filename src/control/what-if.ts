// What if: the response that a row's request would get from the state before it with a change. The
// mock stays as it is.
import { toJson } from '../contract/int64-json.ts'
import { parseInstant } from '../world/clock.ts'
import type { KeptRequest } from '../world/kept-row.ts'
import { showRow } from '../world/show-row.ts'
import { stopClock } from '../world/state.ts'
import { changeMoment } from './change-moment.ts'
import { compareReplies } from './compare-replies.ts'
import type { OnwardResponse, WhatIf, WhatIfChange } from './control.ts'
import { diffStates } from './diff-states.ts'
import { type Imagined, imagineRow } from './imagine-row.ts'
import type { KnownRequest } from './known-request.ts'
import { findSeenState } from './seen-state.ts'
import type { View } from './view.ts'

/** Undefined if the response depends on a key that nobody knows: `explainKey` says why. */
export function imagineReply(
  view: View,
  row: KnownRequest,
  change: WhatIfChange,
): WhatIf | undefined {
  const each = imagineEach(view, row, change).map((imagined) => showImagined(view, row, imagined))
  const [first, ...others] = each
  if (first === undefined) return undefined
  const isSure = others.every((other) => toJson(other) === toJson(first))
  return isSure ? first : undefined
}

/** Whether the response would have another status; false if nobody knows. */
export function changesStatus(view: View, row: KnownRequest, change: WhatIfChange): boolean {
  const each = imagineEach(view, row, change)
  if (each.length > 1) {
    const reply = imagineReply(view, row, change)
    if (!reply?.differs) return false
    return reply.differs.status !== null
  }
  // Compared before redacting: hiding secrets costs more than answering.
  return each.some((one) => one.reply.row.decidedStatus !== row.decidedStatus)
}

/** One for each key that the request may have had. */
function imagineEach(view: View, row: KnownRequest, change: WhatIfChange): Imagined[] {
  if (row.isRecorded && change.assume?.['valid-keys']) return []
  const { times } = view.worlds
  const seen = findSeenState(view, row, row.before, change)
  const at = change.at === undefined ? row.at : parseInstant(change.at)
  const state = stopClock(changeMoment(seen.state, change), at, times)
  return imagineRow(view, row, state, [seen.state], change.request)
}

export function explainKey(row: Readonly<KeptRequest>): string {
  if (row.isRecorded) {
    return 'A recording has no API keys, so it cannot say which would be valid'
  }
  return `Row ${row.id} does not say which API key it had; pass request.headers.authorization`
}

function showImagined(view: View, row: KnownRequest, imagined: Imagined): WhatIf {
  const { state, reply } = imagined
  const after = { state: reply.state, now: row.at }
  return {
    id: row.id,
    ...showResponse(view, row, imagined),
    after: diffStates(after, { state, now: row.at }),
    differs: compareReplies(row, reply.row),
  }
}

/** As the row would show it. Its messages are made when they are read. */
export function showResponse(
  view: View,
  row: Readonly<KeptRequest>,
  imagined: Imagined,
): OnwardResponse {
  const { reply, row: decided, delay } = imagined.reply
  const outcome = reply.drop ? 'dropped' : 'sent'
  const durationMs = delay + (reply.spread ?? 0)
  const would = showRow({ ...decided, id: row.id, outcome, durationMs }, view.world.sandbox)
  return {
    status: would.status,
    outcome: would.outcome,
    durationMs: would.durationMs,
    error: would.error,
    problems: would.problems,
    assumptions: would.assumptions,
    faults: would.faults,
    get notes() {
      return would.notes
    },
    get response() {
      return would.response
    },
  }
}
