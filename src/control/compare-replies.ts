// How an imagined response differs from the one that was decided.
import type { KeptRequest } from '../world/kept-row.ts'
import { redactMessage, storeHeaders } from '../world/redact.ts'
import type { LoggedMessage } from '../world/row.ts'
import type { WhatIf } from './control.ts'
import { findOtherFields } from './find-other-fields.ts'

/**
 * What was decided, even if a release has replaced it. As readers see it, since a recording has no
 * more.
 */
export function compareReplies(
  sent: Readonly<KeptRequest>,
  imagined: Readonly<KeptRequest>,
): WhatIf['differs'] {
  if (isEqual(sent, imagined)) return null
  const one = showOther(sent, imagined)
  const other = showOther(imagined, sent)
  const status = sent.decidedStatus === imagined.decidedStatus ? null : sent.decidedStatus
  const headers = findOtherFields(one, other)
  const body = one.body !== other.body
  const isSame = status === null && headers.length === 0 && !body
  return isSame ? null : { status, headers, body }
}

/** Before redacting: hiding secrets costs more than answering. */
function isEqual(sent: Readonly<KeptRequest>, imagined: Readonly<KeptRequest>): boolean {
  if (sent.decidedStatus !== imagined.decidedStatus) return false
  if (sent.responseBody !== imagined.responseBody) return false
  const names = Object.keys(sent.responseHeaders)
  if (names.length !== Object.keys(imagined.responseHeaders).length) return false
  return names.every((name) => sent.responseHeaders[name] === imagined.responseHeaders[name])
}

/** As readers see it, without the fields that are equal. */
function showOther(row: Readonly<KeptRequest>, from: Readonly<KeptRequest>): LoggedMessage {
  const fields: Record<string, string> = {}
  for (const name in row.responseHeaders) {
    const value = row.responseHeaders[name] as string
    // It decides what is hidden in the body.
    const isKept = name === 'Content-Type' || value !== from.responseHeaders[name]
    if (isKept) fields[name] = value
  }
  return redactMessage(storeHeaders(fields), row.responseBody)
}
