// What if: the response that a row's request would get from the state before it with a change. The
// mock stays as it is.
import { isBodiless } from '../contract/address.ts'
import { misuse, notFound, UsageError } from '../contract/errors.ts'
import type { AssumptionChoices } from '../contract/generated/contract.ts'
import { toJson } from '../contract/int64-json.ts'
import { hash } from '../contract/random.ts'
import { withoutUndefined } from '../contract/values.ts'
import { parseLatency } from '../scenario/settings/duration.ts'
import { type Call, changeRequest, type RequestChange, toCall } from '../service/call.ts'
import { nameAssumptions } from '../world/assumption-set.ts'
import { parseInstant } from '../world/clock.ts'
import { findLack, type KeptRequest } from '../world/kept-row.ts'
import { LACKS, wasKeyRefused } from '../world/row.ts'
import { RESERVED_KEY, USUAL_KEY } from '../world/scenario.ts'
import { showRow } from '../world/show-row.ts'
import type { State } from '../world/state.ts'
import type { WhatIf, WhatIfChange } from './control.ts'
import { findOtherFields } from './describe-differences.ts'
import { diffStates } from './diff-states.ts'
import { conflict, readBefore, type View } from './view.ts'

/** A request whose state is still kept. */
export type KnownRequest = Readonly<KeptRequest> & { readonly before: State }

export const NO_KEYS = 'A recording has no API keys, so it cannot say which would be valid'

export function checkKnown(row: KeptRequest, change: WhatIfChange = {}): KnownRequest {
  const before = readBefore(row)
  const unknown = whyUnknown(row, change)
  if (unknown) throw unknown
  return { ...row, before }
}

export const isKnown = (row: KeptRequest): row is KnownRequest =>
  row.before !== undefined && findLack(row) === undefined

/** What the host refused cannot be imagined, though it can be sent again with a body. */
function whyUnknown(row: KeptRequest, change: WhatIfChange = {}): UsageError | undefined {
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

/** Undefined if the response depends on a key that the recording does not contain. */
export function imagineReply(
  view: View,
  row: KnownRequest,
  change: WhatIfChange,
): WhatIf | undefined {
  if (row.isRecorded && change.assume?.['valid-keys']) return undefined
  const state = changeState(row, change)
  const keys = findKeys(row, view.world.sandbox)
  const [one, other] = keys.map((key) => {
    return imagineFrom(view, row, state, repeatCall(row, key, change.request))
  })
  const isSure = other === undefined || toJson(one) === toJson(other)
  return isSure ? one : undefined
}

function imagineFrom(view: View, row: KnownRequest, state: State, call: Call): WhatIf {
  const { reply, row: imagined, delay, state: next } = view.imagine(call, state)
  const would = showRow(
    { ...imagined, id: row.id, outcome: reply.drop ? 'dropped' : 'sent', durationMs: delay },
    view.world.sandbox,
  )
  return {
    id: would.id,
    status: would.status,
    outcome: would.outcome,
    durationMs: would.durationMs,
    error: would.error,
    problems: would.problems,
    assumptions: would.assumptions,
    faults: would.faults,
    notes: would.notes,
    response: would.response,
    after: diffStates({ state: next, now: row.at }, { state, now: row.at }),
    differs: compareReplies(row, imagined),
  }
}

/** As readers see them, since a recording has no more. */
function compareReplies(sent: KeptRequest, imagined: KeptRequest): WhatIf['differs'] {
  const one = showRow({ ...sent, outcome: 'sent' }, null).response
  const other = showRow({ ...imagined, outcome: 'sent' }, null).response
  const status = sent.decidedStatus === imagined.decidedStatus ? null : sent.decidedStatus
  const headers = findOtherFields(one, other)
  const body = one.body !== other.body
  const isSame = status === null && headers.length === 0 && !body
  return isSame ? null : { status, headers, body }
}

/** The state before the row with the change, whose clock stands still at its moment. */
function changeState(row: KnownRequest, change: WhatIfChange): State {
  const { before } = row
  const { latency, at } = change
  const gone = listFaultsLeftOut(before, change.without)
  return {
    ...before,
    faults: before.faults.filter(({ fault }) => !gone.includes(fault.id)),
    choices: { ...before.choices, ...withoutUndefined(change.assume ?? {}) } as AssumptionChoices,
    latency: latency === undefined ? before.latency : parseLatency(latency),
    clock: { ...before.clock, frozenAt: at === undefined ? row.at : parseInstant(at) },
  }
}

function listFaultsLeftOut(state: State, without: WhatIfChange['without'] = []): readonly string[] {
  const ids = state.faults.map(({ fault }) => fault.id)
  if (without === 'faults') return ids
  const unknown = without.find((id) => !ids.includes(id))
  if (unknown !== undefined) throw notFound('Fault', unknown, ids)
  return without
}

/**
 * The log has no API keys, so the call carries an equally valid one. For a recording it may be
 * either.
 */
function findKeys(row: KnownRequest, sandbox: string | null): readonly (string | null)[] {
  const { key, keyDigest, before, operation, decidedStatus } = row
  if (key === null) return [null]
  if (keyDigest !== undefined) {
    const known = [RESERVED_KEY, ...before.apiKeys]
    if (sandbox !== null) known.unshift(sandbox)
    const own = known.find((one) => hash(one) === keyDigest)
    return [own ?? `key-${keyDigest}`]
  }
  // In an opened recording every key but the reserved one is valid.
  const assumptions = nameAssumptions(row.assumptions)
  if (wasKeyRefused({ assumptions, key }, decidedStatus)) return [RESERVED_KEY]
  // A 405 needs no valid key.
  const hadValidKey = operation !== null || decidedStatus === 404
  return hadValidKey ? [USUAL_KEY] : [USUAL_KEY, RESERVED_KEY]
}

function repeatCall(row: KnownRequest, key: string | null, change: RequestChange = {}): Call {
  const headers = { ...row.requestHeaders, ...(key && { authorization: `Bearer ${key}` }) }
  const sent = { method: row.method, target: row.target, headers, body: row.requestBody }
  const request = changeRequest(sent, change)
  if (change.body && isBodiless(request.method)) {
    throw misuse('request.body', `${request.method} requests have none`)
  }
  return toCall(request)
}
