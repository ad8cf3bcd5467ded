// What if: the response that a row's request would get from the state before it with a change. The
// mock stays as it is.
import { isBodiless } from '../contract/address.ts'
import { misuse, notFound } from '../contract/errors.ts'
import { type AssumptionChoices, assumptions, contract } from '../contract/generated/contract.ts'
import { toJson } from '../contract/int64-json.ts'
import { hash } from '../contract/random.ts'
import { withoutUndefined } from '../contract/values.ts'
import { parseLatency } from '../scenario/settings/duration.ts'
import { type Call, changeRequest, toCall } from '../service/call.ts'
import { DAY_MS, parseInstant } from '../world/clock.ts'
import { findLack, type KeptRequest } from '../world/kept-row.ts'
import { isAsked, isChange, LACKS, wasKeyRefused } from '../world/row.ts'
import { RESERVED_KEY, USUAL_KEY } from '../world/scenario.ts'
import { showRow } from '../world/show-row.ts'
import type { State } from '../world/state.ts'
import type { Alternative, OutcomeCount, WhatIf, WhatIfChange } from './control.ts'
import { findOtherFields } from './differences.ts'
import { diffStates } from './state.ts'
import { conflict, findRow, readBefore, type View } from './timeline.ts'

type KnownRequest = Readonly<KeptRequest> & { readonly before: State }
type Question = WhatIfChange & { readonly id: number; readonly alternatives?: boolean }

const NO_KEYS = 'A recording has no API keys, so it cannot say which would be valid'

export function whatIf(view: View, { id, alternatives, ...change }: Question) {
  const { row } = findRow(view, id)
  if (isChange(row)) throw conflict(`Row ${id} is a change, and only requests get responses`)
  const asked = { ...row, before: readBefore(row) }
  const unknown = whyUnknown(row, change)
  if (unknown) throw conflict(`Row ${id} ${unknown}`)
  const isChanged = Object.keys(change).length > 0
  if (alternatives && isChanged)
    throw misuse('alternatives', 'leave the changes out, or ask for one answer')
  const result = alternatives ? listAlternatives(view, asked) : imagineReply(view, asked, change)
  if (result) return { result }
  throw conflict(NO_KEYS)
}

/** Undefined if the response depends on a key that the recording does not contain. */
function imagineReply(
  { imagine, world: { sandbox } }: View,
  row: KnownRequest,
  change: WhatIfChange,
) {
  const { id, at, isRecorded, before } = row
  if (isRecorded && change.assume?.['valid-keys']) return undefined
  const state = applyChange(before, change, at)
  const [one, other] = findKeys(row, sandbox).map((key): WhatIf => {
    const {
      reply,
      row: imagined,
      delay,
      state: next,
    } = imagine(repeatCall(row, key, change.request), state)
    const would = showRow(
      { ...imagined, id, outcome: reply.drop ? 'dropped' : 'sent', durationMs: delay },
      sandbox,
    )
    const {
      status,
      outcome,
      durationMs,
      error,
      problems,
      assumptions: named,
      faults,
      notes,
      response,
    } = would
    const shown = {
      id,
      status,
      outcome,
      durationMs,
      error,
      problems,
      assumptions: named,
      faults,
      notes,
      response,
    }
    const after = diffStates({ state: next, now: at }, { state, now: at })
    return { ...shown, after, differs: compareReplies(row, imagined) }
  })
  return other === undefined || toJson(one) === toJson(other) ? one : undefined
}

/** What the host refused cannot be imagined, though it can be sent again with a body. */
function whyUnknown(row: KeptRequest, { request }: WhatIfChange = {}): string | undefined {
  const lacks = findLack(row)
  if (lacks !== 'body') return lacks && LACKS[lacks]
  return request?.body === undefined ? `${LACKS.body}; pass request.body` : undefined
}

/** As readers see them, since a recording has no more. */
function compareReplies(sent: KeptRequest, imagined: KeptRequest): WhatIf['differs'] {
  const show = (row: KeptRequest) => showRow({ ...row, outcome: 'sent' }, null).response
  const [one, other] = [show(sent), show(imagined)]
  const status = sent.decidedStatus === imagined.decidedStatus ? null : sent.decidedStatus
  const body = one.body !== other.body
  const headers = findOtherFields(one, other)
  return status === null && headers.length === 0 && !body ? null : { status, headers, body }
}

function applyChange(
  before: State,
  { without = [], assume, latency, at }: WhatIfChange,
  moment: number,
): State {
  const ids = before.faults.map(({ fault }) => fault.id)
  const gone = without === 'faults' ? ids : without
  const unknown = gone.find((id) => !ids.includes(id))
  if (unknown !== undefined) throw notFound('Fault', unknown, ids)
  return {
    ...before,
    faults: before.faults.filter(({ fault }) => !gone.includes(fault.id)),
    choices: { ...before.choices, ...withoutUndefined(assume ?? {}) } as AssumptionChoices,
    ...(latency !== undefined && { latency: parseLatency(latency) }),
    clock: { ...before.clock, frozenAt: at === undefined ? moment : parseInstant(at) },
  }
}

/**
 * The log has no API keys, so the call carries an equally valid one. For a recording it may be
 * either.
 */
function findKeys(row: KnownRequest, sandbox: string | null) {
  const { key, keyDigest, before, operation, decidedStatus } = row
  if (key === null) return [null]
  const known = [sandbox, RESERVED_KEY, ...before.loaded.apiKeys].filter((one) => one !== null)
  if (keyDigest !== undefined)
    return [known.find((one) => hash(one) === keyDigest) ?? `key-${keyDigest}`]
  // In an opened recording every key but the reserved one is valid.
  if (wasKeyRefused(row, decidedStatus)) return [RESERVED_KEY]
  // A 405 needs no valid key.
  return operation !== null || decidedStatus === 404 ? [USUAL_KEY] : [USUAL_KEY, RESERVED_KEY]
}

function repeatCall(
  row: KnownRequest,
  key: string | null,
  given: WhatIfChange['request'] = {},
): Call {
  const sent = { ...row.requestHeaders, ...(key && { authorization: `Bearer ${key}` }) }
  const request = changeRequest({ ...row, headers: sent, body: row.requestBody }, given)
  if (given.body && isBodiless(request.method))
    throw misuse('request.body', `${request.method} requests have none`)
  return toCall(request)
}

/**
 * One change of each thing that mattered, if it gives another response: its faults, `Prefer`,
 * choices, the removal.
 */
function listAlternatives(view: View, row: KnownRequest): Alternative[] {
  const own = row.faults.filter((id) => row.before.faults.some(({ fault }) => fault.id === id))
  const faults: WhatIfChange[] = own.length > 0 ? [{ without: own }] : []
  const asked = isAsked(row) ? [{ request: { headers: { prefer: null } } }] : []
  const choices = listChoices(row).map(({ assumption, choice }) => ({
    assume: { [assumption]: choice },
  }))
  return [...faults, ...asked, ...choices, ...findOtherDays(row)].flatMap((change) => {
    const would = imagineReply(view, row, change)
    if (!would) return { change, status: null, error: NO_KEYS }
    const { status, outcome, error, differs } = would
    return differs ? { change, status, outcome, error } : []
  })
}

/** Those of the row's assumptions, including the current ones, which change nothing. */
function listChoices(row: KnownRequest) {
  const mattered = assumptions.filter(({ id }) => row.assumptions.includes(id))
  return mattered.flatMap(({ id, choices }) =>
    choices.map((choice) => ({ row, assumption: id, choice })),
  )
}

function findOtherDays({ operation }: KnownRequest): WhatIfChange[] {
  const sunset = operation && contract.operations[operation].sunset
  if (!sunset) return []
  return [-DAY_MS, DAY_MS].map((shift) => ({
    at: new Date(Date.parse(sunset) + shift).toISOString().slice(0, 10),
  }))
}

/**
 * How many requests of the log would get another status under each other choice, the most important
 * first.
 */
export function countOutcomes(view: View): OutcomeCount[] {
  const counts = new Map<string, OutcomeCount>()
  const isKnown = (row: KeptRequest): row is KnownRequest =>
    row.before !== undefined && !whyUnknown(row)
  for (const world of view.worlds.all()) {
    for (const { row, assumption, choice } of world.timeline
      .requests()
      .filter(isKnown)
      .flatMap(listChoices)) {
      const differs = imagineReply({ ...view, world }, row, {
        assume: { [assumption]: choice },
      })?.differs
      if (!differs || differs.status === null) continue
      const name = `${assumption}=${choice}`
      counts.set(name, { assumption, choice, requests: (counts.get(name)?.requests ?? 0) + 1 })
    }
  }
  return [...counts.values()].sort((one, other) => other.requests - one.requests)
}
