// What if: the response that the request of a row would get from the state before it, with one thing changed. It takes values and gives
// values, so that nothing happens to the mock.
import { UsageError } from '../contract/errors.ts'
import { refuse } from '../contract/options.ts'
import { type AssumptionChoices, type AssumptionId, assumptions, contract } from '../generated/contract.ts'
import { MAX_LOGGED_BODY_CHARACTERS } from '../limits.ts'
import { hash } from '../random.ts'
import type { Call } from '../service/call.ts'
import { findDelayProblems, parseDelay } from '../settings/duration.ts'
import { parseInstant } from '../world/clock.ts'
import type { Delay } from '../world/faults.ts'
import { isChange, type KeptRequest } from '../world/row.ts'
import type { State } from '../world/state.ts'
import { diffStates } from './diff.ts'
import type { Alternative, OutcomeCount, WhatIf, WhatIfChange } from './results.ts'
import { findRow, type View } from './view.ts'

const DAY_MS = 86_400_000
const RESERVED_KEY = 'invalid'

interface Moment {
  readonly row: Readonly<KeptRequest>
  readonly before: State
}

export function whatIf(view: View, input: { id: number; alternatives?: boolean } & WhatIfChange): WhatIf | Alternative[] {
  const { id, alternatives, ...change } = input
  const moment = findMoment(view, id)
  return alternatives ? listAlternatives(view, moment) : ask(view, moment, change)
}

function findMoment({ worlds, world, key }: View, id: number): Moment {
  const { row } = findRow(worlds, world, key, id)
  const refuse = (why: string): never => {
    throw new UsageError(`Row ${id} ${why}`, 409)
  }
  if (isChange(row)) return refuse('is a change, and only requests get responses')
  if (!row.before) return refuse('is too old: the state before it is no longer kept')
  if (row.isRefusedByHost) return refuse('was refused by the server before the service saw it')
  if (row.faults.includes('override')) return refuse('got its response from a test')
  return { row, before: row.before }
}

function ask(view: View, { row, before }: Moment, change: WhatIfChange): WhatIf {
  const { request } = change
  if (request?.body === undefined && !isWhole(row)) {
    throw new UsageError(`The log does not have the whole body of row ${row.id}, or it was not text; pass request.body`, 409)
  }
  const state = applyChange(before, change, row.at)
  const { reply, row: imagined, delay, state: after } = view.imagine(recall(row, state, view.key, request), state)
  const { assumptions: named, faults, problems, notes, error } = imagined
  const { status, headers, body } = reply
  return {
    id: row.id,
    status,
    headers,
    body,
    drop: reply.drop === true,
    delay,
    reason: error,
    problems,
    assumptions: named,
    faults,
    notes,
    after: diffStates({ state, now: row.at }, { state: after, now: row.at }),
    differs: compare(row, imagined),
  }
}

/** Whether the log has the body as it was sent. */
function isWhole({ requestBody }: Readonly<KeptRequest>): boolean {
  return requestBody.length <= MAX_LOGGED_BODY_CHARACTERS && !requestBody.includes('\ufffd')
}

/** What differs from the response that was sent, but for its date; null if nothing does. */
function compare(row: Readonly<KeptRequest>, imagined: KeptRequest): WhatIf['differs'] {
  const names = [...new Set([...Object.keys(row.responseHeaders), ...Object.keys(imagined.responseHeaders)])]
  const headers = names.filter((name) => name !== 'Date' && row.responseHeaders[name] !== imagined.responseHeaders[name])
  const body = row.responseBody !== imagined.responseBody
  if (row.status === imagined.status && headers.length === 0 && !body) return null
  return { status: row.status === imagined.status ? null : row.status, headers, body }
}

function applyChange(before: State, { without, assume, latency, at }: WhatIfChange, moment: number): State {
  if (latency !== undefined && latency !== null) refuse(findDelayProblems(latency, 'latency'))
  const keeps = (id: string) => without !== 'faults' && !without?.includes(id)
  return {
    ...before,
    ...(without && { faults: before.faults.filter(({ fault }) => keeps(fault.id)) }),
    ...(assume && { choices: { ...before.choices, ...assume } as AssumptionChoices }),
    ...(latency !== undefined && { latency: latency === null ? undefined : parseDelay(latency as Delay) }),
    clock: { ...before.clock, frozenAt: at === undefined ? moment : parseInstant(at, 'at: ') },
  }
}

/** The request as it was sent. The log has no API keys, so one that is as valid takes the place of a key that the mock does not know. */
function recall(row: Readonly<KeptRequest>, { loaded }: State, sandbox: string | undefined, given: WhatIfChange['request'] = {}): Call {
  const fields = new Map<string, string>()
  for (let index = 0; index + 1 < row.fields.length; index += 2) {
    const [name, value] = [(row.fields[index] as string).toLowerCase(), row.fields[index + 1] as string]
    fields.set(name, fields.has(name) ? `${fields.get(name)}, ${value}` : value)
  }
  if (row.keyDigest !== undefined) {
    const known = [sandbox, RESERVED_KEY, ...loaded.apiKeys].find((key) => key !== undefined && hash(key) === row.keyDigest)
    fields.set('authorization', `Bearer ${known ?? `key-${row.keyDigest}`}`)
  }
  for (const [name, value] of Object.entries(given.headers ?? {})) {
    if (value === null) fields.delete(name.toLowerCase())
    else fields.set(name.toLowerCase(), value)
  }
  const body = given.body ?? row.requestBody
  return {
    method: given.method ?? row.method,
    target: given.target ?? row.target,
    header: (name) => fields.get(name),
    body: body === '' ? undefined : new TextEncoder().encode(body),
  }
}

/** One change for each thing that mattered, if it gives another response: without its faults, every other choice, after the removal. */
function listAlternatives(view: View, moment: Moment): Alternative[] {
  const { row, before } = moment
  const own = row.faults.filter((id) => before.faults.some(({ fault }) => fault.id === id))
  const changes: WhatIfChange[] = [
    ...(own.length > 0 ? [{ without: own }] : []),
    ...row.assumptions.flatMap((id) => otherChoices(before, id).map((choice) => ({ assume: { [id]: choice } }))),
    ...findOtherDays(row),
  ]
  return changes.flatMap((change) => {
    const { status, reason, differs } = ask(view, moment, change)
    return differs ? [{ change, status, reason, isOtherStatus: differs.status !== null }] : []
  })
}

function otherChoices({ choices }: State, id: AssumptionId): readonly string[] {
  const all: readonly string[] = assumptions.find((one) => one.id === id)?.choices ?? []
  return all.filter((choice) => choice !== choices[id])
}

/** A day on the other side of the removal of the operation. */
function findOtherDays({ operation, at }: Readonly<KeptRequest>): WhatIfChange[] {
  const sunset = operation && contract.operations[operation].sunset
  if (!sunset) return []
  const [day, before] = [Date.parse(sunset) + DAY_MS, Date.parse(sunset) - DAY_MS]
  return [{ at: new Date(at < day ? day : before).toISOString().slice(0, 10) }]
}

/** How many requests of the log would get another status under each other choice, the most important first. */
export function countOutcomes(view: View): OutcomeCount[] {
  const counts = new Map<string, OutcomeCount>()
  const rows = view.worlds.all().flatMap(([key, world]) => world.requestLog.requests().map((row) => ({ key, world, row })))
  for (const { key, world, row } of rows) {
    if (!row.before || row.isRefusedByHost || row.faults.includes('override') || !isWhole(row)) continue
    for (const assumption of row.assumptions) {
      for (const choice of otherChoices(row.before, assumption)) {
        const change = { assume: { [assumption]: choice } }
        const { differs } = ask({ ...view, key, world }, { row, before: row.before }, change)
        const count = counts.get(`${assumption}=${choice}`) ?? { assumption, choice, requests: 0 }
        if (differs && differs.status !== null) counts.set(`${assumption}=${choice}`, { ...count, requests: count.requests + 1 })
      }
    }
  }
  return [...counts.values()].sort((one, other) => other.requests - one.requests)
}
