// What if: the response that a row's request would get from the state before it with a change. The
// mock stays as it is.
import { isBodiless } from '../contract/address.ts'
import { misuse, notFound, UsageError } from '../contract/errors.ts'
import type { AssumptionChoices } from '../contract/generated/contract.ts'
import { toJson } from '../contract/int64-json.ts'
import { MAX_HEADER_BYTES } from '../contract/limits.ts'
import { hash } from '../contract/random.ts'
import { withoutUndefined } from '../contract/values.ts'
import { parseLatency } from '../scenario/settings/duration.ts'
import { type Call, changeRequest, type RequestChange, toCall } from '../service/call.ts'
import { nameAssumptions } from '../world/assumption-set.ts'
import { parseInstant, type Times } from '../world/clock.ts'
import { findLack, type KeptRequest } from '../world/kept-row.ts'
import { LACKS, wasKeyRefused } from '../world/row.ts'
import { RESERVED_KEY, USUAL_KEY } from '../world/scenario.ts'
import { showRow } from '../world/show-row.ts'
import { type State, stopClock } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { WhatIf, WhatIfChange } from './control.ts'
import { diffStates } from './diff-states.ts'
import { findOtherFields } from './find-other-fields.ts'
import { conflict, readBefore, type View } from './view.ts'

/** A request whose state is still kept. */
export type KnownRequest = Readonly<KeptRequest> & { readonly before: State }

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
  // All that a reader sees of a response takes longer than the response.
  return each.some((one) => one.reply.row.decidedStatus !== row.decidedStatus)
}

/** A response from a state. */
interface Imagined {
  readonly state: State
  readonly reply: ReturnType<View['imagine']>
}

/** One for each key that the request may have had. */
function imagineEach(view: View, row: KnownRequest, change: WhatIfChange): Imagined[] {
  if (row.isRecorded && change.assume?.['valid-keys']) return []
  const seen = findSeenState(view, row, change)
  const keys = findKeys(row, seen, view.world.sandbox)
  const calls = keys.map((key) => repeatCall(row, key, change.request))
  const state = changeState(seen, change, row.at, view.worlds.times)
  return calls.map((call) => ({ state, reply: view.imagine(call, state) }))
}

export function explainKey(row: KnownRequest): string {
  if (row.isRecorded) {
    return 'A recording has no API keys, so it cannot say which would be valid'
  }
  return `Row ${row.id} does not say which API key it had; pass request.headers.authorization`
}

/**
 * With sandboxes, a refused key is in the log of the shared state, but the sandbox of that key
 * decided, and would have answered.
 */
function findSeenState(view: View, row: KnownRequest, change: WhatIfChange): State {
  const { before, keyDigest } = row
  const { world, worlds } = view
  if (world.sandbox !== null || keyDigest === undefined) return before
  const key = worlds.keys().find((one) => hash(one) === keyDigest)
  const own = key === undefined ? undefined : findStateAt(worlds.peek(key), row.id)
  if (!own) return before
  if (change.assume?.['valid-keys'] === 'any') return own
  const choices = { ...before.choices, 'valid-keys': own.choices['valid-keys'] }
  return { ...before, apiKeys: own.apiKeys, choices }
}

/** The state that a world had when a row of another one came; undefined if it is forgotten. */
function findStateAt(world: World, id: number): State | undefined {
  const next = world.timeline.rows({ waiting: true }).find((row) => row.id > id)
  return next ? next.before : world.state
}

function showImagined(view: View, row: KnownRequest, given: Imagined): WhatIf {
  const { reply, row: imagined, delay, state: next } = given.reply
  const would = showRow(
    {
      ...imagined,
      id: row.id,
      outcome: reply.drop ? 'dropped' : 'sent',
      durationMs: delay + (reply.spread ?? 0),
    },
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
    after: diffStates({ state: next, now: row.at }, { state: given.state, now: row.at }),
    differs: compareReplies(row, imagined),
  }
}

/** As readers see them, since a recording has no more. */
function compareReplies(sent: KeptRequest, imagined: KeptRequest): WhatIf['differs'] {
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

/** A state with the change, whose clock stands still. */
function changeState(given: State, change: WhatIfChange, now: number, times: Times): State {
  const { latency, at, assume = {} } = change
  const gone = listFaultsLeftOut(given, change.without)
  const changed = {
    ...given,
    faults: given.faults.filter((one) => !gone.includes(one.fault.id)),
    choices: { ...given.choices, ...withoutUndefined(assume) } as AssumptionChoices,
    latency: latency === undefined ? given.latency : parseLatency(latency),
  }
  return stopClock(changed, at === undefined ? now : parseInstant(at), times)
}

function listFaultsLeftOut(state: State, without: WhatIfChange['without'] = []): readonly string[] {
  const ids = state.faults.map((one) => one.fault.id)
  if (without === 'faults') return ids
  const unknown = without.find((id) => !ids.includes(id))
  if (unknown !== undefined) throw notFound('Fault', unknown, ids)
  return without
}

/**
 * The log has no API keys, so the call carries an equally valid one. It may be either where nobody
 * knows: in a recording, or if the service did not read the key.
 */
function findKeys(
  row: KnownRequest,
  seen: State,
  sandbox: string | null,
): readonly (string | null)[] {
  const { key, keyDigest, operation, decidedStatus } = row
  if (keyDigest !== undefined) {
    const known = [RESERVED_KEY, ...seen.apiKeys]
    if (sandbox !== null) known.unshift(sandbox)
    const own = known.find((one) => hash(one) === keyDigest)
    return [own ?? `key-${keyDigest}`]
  }
  const assumptions = nameAssumptions(row.assumptions)
  const isRefused = wasKeyRefused({ assumptions, key }, decidedStatus)
  if (key === null) {
    const mayBeValid = !isRefused && BEARER.test(row.requestHeaders.authorization ?? '')
    return mayBeValid ? [findValidKey(seen), RESERVED_KEY] : [null]
  }
  // In an opened recording every key but the reserved one is valid.
  if (isRefused) return [RESERVED_KEY]
  // A 405 needs no valid key.
  const hadValidKey = operation !== null || decidedStatus === 404
  return hadValidKey ? [USUAL_KEY] : [USUAL_KEY, RESERVED_KEY]
}

const BEARER = /^bearer /i

function findValidKey(state: State): string {
  const [listed = USUAL_KEY] = state.apiKeys
  return state.choices['valid-keys'] === 'listed' ? listed : USUAL_KEY
}

function repeatCall(row: KnownRequest, key: string | null, change: RequestChange = {}): Call {
  checkHead(change)
  const headers = { ...row.requestHeaders }
  if (key !== null) headers.authorization = `Bearer ${key}`
  const sent = { method: row.method, target: row.target, headers, body: row.requestBody }
  const request = changeRequest(sent, change)
  checkHead(request)
  if (change.body && isBodiless(request.method)) {
    throw misuse('request.body', `${request.method} requests have none`)
  }
  return toCall(request)
}

/** Servers read no more of a request before its body. Stops as soon as it is too much. */
function checkHead({ method = '', target = '', headers = {} }: RequestChange): void {
  let bytes = method.length + target.length
  for (const name in headers) {
    if (bytes > MAX_HEADER_BYTES) break
    bytes += name.length + (headers[name]?.length ?? 0)
  }
  if (bytes <= MAX_HEADER_BYTES) return
  const limit = `its method, target and header fields may have ${MAX_HEADER_BYTES} bytes in all`
  throw misuse('request', `${limit}; a server answers 431 to more`)
}
