// How an imagined response differs from the one that was decided.
import type { KeptRequest } from '../world/kept-row.ts'
import { showRow } from '../world/show-row.ts'
import type { WhatIf } from './control.ts'
import { findOtherFields } from './find-other-fields.ts'

/** As readers see them, since a recording has no more. */
export function compareReplies(
  sent: Readonly<KeptRequest>,
  imagined: Readonly<KeptRequest>,
): WhatIf['differs'] {
  if (isEqual(sent, imagined)) return null
  // What a release has replaced was decided all the same.
  const decided = { ...sent, outcome: 'sent', sentInstead: undefined } as const
  const one = showRow(decided, null).response
  const other = showRow({ ...imagined, outcome: 'sent' }, null).response
  const status = sent.decidedStatus === imagined.decidedStatus ? null : sent.decidedStatus
  const headers = findOtherFields(one, other)
  const body = one.body !== other.body
  const isSame = status === null && headers.length === 0 && !body
  return isSame ? null : { status, headers, body }
}

/** To hide the secrets of both takes longer than the response. */
function isEqual(sent: Readonly<KeptRequest>, imagined: Readonly<KeptRequest>): boolean {
  if (sent.decidedStatus !== imagined.decidedStatus) return false
  if (sent.responseBody !== imagined.responseBody) return false
  const names = Object.keys(sent.responseHeaders)
  if (names.length !== Object.keys(imagined.responseHeaders).length) return false
  return names.every((name) => sent.responseHeaders[name] === imagined.responseHeaders[name])
}
