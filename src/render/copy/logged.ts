// A request of the log made again: as a command or a call, and as a test that starts from its moment. The log keeps only the end of an API
// key, so a request is sent again with a key that works.
import { withoutUndefined } from '../../contract/describe-value.ts'
import type { Json } from '../../contract/int64-json.ts'
import type { StateDiff } from '../../control/results.ts'
import { contract } from '../../generated/contract.ts'
import { scenarioList } from '../../generated/scenario-list.ts'
import { MAX_LOGGED_BODY_CHARACTERS } from '../../limits.ts'
import type { LogEntry } from '../../world/log-entry.ts'
import type { Scenario } from '../../world/scenario.ts'
import type { CommandRequest } from './curl.ts'
import type { TestedRequest } from './script.ts'

/** Valid in every state that does not list its keys. */
const USUAL_KEY = 'any-key'
/** Refused in every state. */
const REFUSED_KEY = 'invalid'
const CUT = '…'

/** Clocks that differ by more have been moved. */
const MOVED_MS = 60_000

export function isCut(body: string): boolean {
  return body.length === MAX_LOGGED_BODY_CHARACTERS + CUT.length && body.endsWith(CUT)
}

/** An API key that this state accepts; empty if it accepts none. */
export function workingKey(sandbox: string | null, { apiKeys = [], assume }: Scenario = {}): string {
  if (assume?.['valid-keys'] !== 'listed') return sandbox ?? USUAL_KEY
  return apiKeys.find((key) => sandbox === null || key === sandbox) ?? ''
}

export function authorize(key: string): Readonly<Record<string, string>> {
  return key === '' ? {} : { authorization: `Bearer ${key}` }
}

/** The request again, to the mock at `origin`. One that was refused for its key is refused again. */
export function requestOf(entry: LogEntry, state: Scenario | undefined, origin: string): CommandRequest {
  const { method, target, request } = entry
  // The response depends on these headers; the others are the client's own.
  const meant = Object.entries(request.headers).filter(([name]) => name === 'content-type' || name === 'prefer')
  return {
    method,
    origin,
    target,
    headers: { ...authorize(keyOf(entry, state)), ...Object.fromEntries(meant) },
    body: isCut(request.body) ? request.body.slice(0, -CUT.length) : request.body,
  }
}

function keyOf(entry: LogEntry, state: Scenario | undefined): string {
  const { key, status, sandbox } = entry
  if (status === 401) return entry.response.headers['WWW-Authenticate']?.includes('error=') ? REFUSED_KEY : ''
  return key === null ? '' : workingKey(sandbox, state)
}

/** What the state was like just before a request. */
export interface Moment {
  readonly state: Scenario
  readonly diff: StateDiff
}

/** A test with a store that starts from the moment of the request, so that it gets the same response. */
export function testOf(entry: LogEntry, moment: Moment, origin: string): TestedRequest {
  const { status, operation } = entry
  const request = requestOf(entry, moment.state, origin)
  const scenario = scenarioOf(entry, moment)
  return {
    ...request,
    status,
    operation,
    options: {
      ...(scenario === 'default' ? {} : { scenario }),
      // A store responds to unknown paths only below a base URL that you give it.
      ...(operation === null ? { baseUrl: origin + contract.basePath } : {}),
    },
  }
}

/** The name of a shipped scenario, with what was different if anything was; the whole state if it started from no shipped one. */
function scenarioOf({ at, realAt }: LogEntry, { state, diff }: Moment): Json {
  const { pets, assume, faults, latency } = diff
  const { name = '', now, ...whole } = state
  if (!scenarioList.some((one) => one.name === name)) return { ...whole, now } as unknown as Json
  const hasOtherPets = pets.added.length + pets.changed.length + pets.removed.length > 0
  const isMoved = Math.abs(Date.parse(at) - Date.parse(realAt)) > MOVED_MS
  const hasOtherFaults = (whole.faults ?? []).length + faults.removed.length > 0
  const different = withoutUndefined({
    ...(hasOtherPets && { pets: whole.pets, nextId: whole.nextId }),
    ...(assume.length > 0 && { assume: whole.assume }),
    // With their counts, and the random numbers to come.
    ...(hasOtherFaults && { faults: whole.faults, random: whole.random }),
    ...(latency && { latency: latency.after ?? 0 }),
    ...(isMoved && { now, frozen: true }),
    surprise: whole.surprise,
  })
  return Object.keys(different).length === 0 ? name : ({ extends: name, ...different } as unknown as Json)
}
