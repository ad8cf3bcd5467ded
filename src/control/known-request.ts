// Which requests can be answered again: those whose state and whole request are still kept.
import { UsageError } from '../contract/errors.ts'
import { findLack, type KeptRequest } from '../world/kept-row.ts'
import { LACKS } from '../world/row.ts'
import type { State } from '../world/state.ts'
import type { WhatIfChange } from './control.ts'
import { conflict, readBefore } from './view.ts'

/** A request whose state is still kept. */
export type KnownRequest = Readonly<KeptRequest> & { readonly before: State }

export function checkKnown(row: KeptRequest, change: WhatIfChange = {}): KnownRequest {
  const before = readBefore(row)
  const refusal = findRefusal(row, change)
  if (refusal) throw refusal
  return { ...row, before }
}

export const isKnown = (row: KeptRequest): row is KnownRequest =>
  row.before !== undefined && findLack(row) === undefined

/** What the host refused cannot be imagined, though it can be sent again with a body. */
function findRefusal(row: KeptRequest, change: WhatIfChange): UsageError | undefined {
  const lack = findLack(row)
  if (lack === undefined) return undefined
  const text = `Row ${row.id} ${LACKS[lack]}`
  if (lack !== 'body') return conflict(text)
  if (change.request?.body !== undefined) return undefined
  const problem = {
    kind: 'text',
    path: 'request.body',
    text: `${text}; pass the whole one`,
  } as const
  return new UsageError(problem, 409)
}
