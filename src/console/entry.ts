// What the page does with an entry of the request log: name it, find it, search it, and make a request of it again. The log keeps only the
// end of an API key, so a request is sent again with a key that works.

import type { CommandRequest } from '../client/copy/curl.ts'
import type { TestedRequest } from '../client/copy/script.ts'
import type { Json } from '../contract/int64-json.ts'
import type { AssumptionState } from '../control/control.ts'
import { contract } from '../generated/contract.ts'
import { scenarioList } from '../generated/scenario-list.ts'
import { MAX_LOGGED_BODY_CHARACTERS } from '../limits.ts'
import type { LiveFault } from '../world/faults.ts'
import type { LogEntry } from '../world/log-entry.ts'
import type { Scenario } from '../world/start.ts'
import { mockUrl } from './connection.ts'
import { isMoved } from './text.ts'

/** Valid in every state that does not list its keys. */
const USUAL_KEY = 'any-key'
/** Refused in every state. */
const REFUSED_KEY = 'invalid'
const CUT = '…'

/** Unique: a host may count the requests of each sandbox by themselves. */
export function nameOf({ id, sandbox }: LogEntry): string {
  return sandbox === null ? String(id) : `${id}.${sandbox}`
}

/** Merges two lists, newest first, without duplicates, up to `limit`. */
export function mergeEntries(left: readonly LogEntry[], right: readonly LogEntry[], limit: number): LogEntry[] {
  const all = [...new Map([...left, ...right].map((entry) => [nameOf(entry), entry])).values()]
  // The numbers of one sandbox ascend; those of several may have nothing to do with each other.
  const isOne = all.every(({ sandbox }) => sandbox === all[0]?.sandbox)
  const compareTimes = (one: LogEntry, other: LogEntry) => (isOne ? 0 : Date.parse(other.realAt) - Date.parse(one.realAt))
  return all.sort((one, other) => compareTimes(one, other) || other.id - one.id).slice(0, limit)
}

/** A response that took this long is slow; one of a second is very slow. */
const SLOW_MS = 200
const VERY_SLOW_MS = 1_000

/** The parts of the list that the toolbar offers. */
export const SHOWS = {
  all: () => true,
  '4xx': ({ status }: LogEntry) => status >= 400 && status < 500,
  '5xx': ({ status }: LogEntry) => status >= 500,
  dropped: ({ outcome }: LogEntry) => outcome === 'dropped',
  slow: ({ durationMs }: LogEntry) => durationMs >= SLOW_MS,
} as const

/** How a search word is read, the first that fits; any other is looked for in the text of an entry. */
const WORDS: readonly (readonly [RegExp, (entry: LogEntry, found: string) => boolean])[] = [
  [/^([1-5])xx$/, ({ status }, digit) => Math.floor(status / 100) === Number(digit)],
  [/^>(\d+)(?:ms)?$/, ({ durationMs }, least) => durationMs > Number(least)],
  [/^key:(.+)$/, ({ key, sandbox }, part) => `${sandbox}\n${key}`.toLowerCase().includes(part)],
]

/** The entries that the filters of an address ask for. */
export function filterEntries(entries: readonly LogEntry[], query: Readonly<Record<string, string>>): LogEntry[] {
  const { q = '', show = 'all', assumption = '', from = '', to = '' } = query
  const isShown = SHOWS[show as keyof typeof SHOWS] ?? SHOWS.all
  const tests = q
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(parseWord)
  return entries.filter(
    (entry) =>
      isShown(entry) &&
      (assumption === '' || entry.assumptions.some((id) => id === assumption)) &&
      (from === '' || entry.id >= Number(from)) &&
      (to === '' || entry.id <= Number(to)) &&
      tests.every((test) => test(entry)),
  )
}

function parseWord(word: string): (entry: LogEntry) => boolean {
  for (const [pattern, test] of WORDS) {
    const found = pattern.exec(word)?.[1]
    if (found !== undefined) return (entry) => test(entry, found)
  }
  return (entry) => searchTextOf(entry).includes(word)
}

function searchTextOf(entry: LogEntry): string {
  const { method, target, operation, status, key, sandbox, error, assumptions, faults, notes, request, outcome } = entry
  const parts = [method, target, operation, status, outcome, key, sandbox, error, ...assumptions, ...faults, ...notes, request.body]
  return [...parts, ...entry.surprises, entry.response.body].join('\n').toLowerCase()
}

/** How much the time that it took deserves a look. */
export function slowness({ durationMs }: LogEntry): '' | 'warn' | 'bad' {
  return durationMs >= VERY_SLOW_MS ? 'bad' : durationMs >= SLOW_MS ? 'warn' : ''
}

/** What the list shows instead of a status, and what it means. */
export const OUTCOMES = {
  waiting: ['…', 'The response is delayed and has not been sent yet'],
  dropped: ['drop', 'The connection was dropped without a response'],
  aborted: ['left', 'The client left before the response was sent'],
} as const

export function toneOf({ status, outcome, faults }: LogEntry): 'good' | 'warn' | 'bad' {
  if (outcome === 'dropped' || status >= 500) return 'bad'
  return status >= 400 || outcome !== 'sent' || faults.length > 0 ? 'warn' : 'good'
}

/** The id of the animal that the request added. */
export function addedId(entry: LogEntry): string | undefined {
  if (entry.operation !== 'createPet' || entry.status !== 201) return undefined
  return /"id"\s*:\s*(-?\d+)/.exec(entry.response.body)?.[1]
}

/** Whether the log has only the beginning of a body. */
export function isCut(body: string): boolean {
  return body.length === MAX_LOGGED_BODY_CHARACTERS + CUT.length && body.endsWith(CUT)
}

/** An API key that this state accepts; empty if it accepts none. */
export function workingKey(sandbox: string | null, { apiKeys = [], assume }: Scenario = {}): string {
  if (assume?.['valid-keys'] !== 'listed') return sandbox ?? USUAL_KEY
  return apiKeys.find((key) => sandbox === null || key === sandbox) ?? ''
}

/** The header of a key; none for an empty one. */
export function authorize(key: string): Readonly<Record<string, string>> {
  return key === '' ? {} : { authorization: `Bearer ${key}` }
}

/** The request again. One that was refused for its key is refused again. */
export function requestOf(entry: LogEntry, state: Scenario | undefined): CommandRequest {
  const { method, target, request } = entry
  // The response depends on these headers; the others are the client's own.
  const meant = Object.entries(request.headers).filter(([name]) => name === 'content-type' || name === 'prefer')
  return {
    method,
    origin: mockUrl,
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

/** A test with a store in which the request gets the same response, from what the page knows about the state. */
export function testOf(
  entry: LogEntry,
  state: Scenario | undefined,
  faults: readonly LiveFault[],
  assumptions: readonly AssumptionState[],
): TestedRequest {
  const { status, operation, at, realAt } = entry
  const request = requestOf(entry, state)
  const changed = assumptions.filter(({ id, choice, default: usual }) => choice !== usual && entry.assumptions.includes(id))
  const applied = certainFaults(entry, faults)
  const name = state?.name ?? ''
  return {
    ...request,
    status,
    operation,
    options: {
      ...(name !== 'default' && scenarioList.some((one) => one.name === name) ? { scenario: name } : {}),
      // A store responds to unknown paths only below a base URL that you give it.
      ...(operation === null ? { baseUrl: request.origin + contract.basePath } : {}),
      ...(isMoved(Date.parse(at), Date.parse(realAt)) ? { now: at } : {}),
      ...(changed.length > 0 ? { assume: Object.fromEntries(changed.map(({ id, choice }) => [id, choice])) } : {}),
      ...(applied.length > 0 ? { faults: applied } : {}),
    },
  }
}

/** The faults that applied to a request, made certain to apply to the next one; one that is gone is made up from the response. */
function certainFaults({ status, operation, faults: ids }: LogEntry, present: readonly LiveFault[]): Record<string, Json>[] {
  const known = present.filter(({ id }) => ids.includes(id))
  const again = known.map(({ id, seen, applied, after, rate, ...fault }) => fault as Record<string, Json>)
  // A preference of the request is in its headers.
  const isGone = again.length < ids.filter((id) => id !== 'Prefer').length
  if (operation === null || !isGone || (status > 0 && status < 400)) return again
  return [...again, { operation, ...(status === 0 ? { drop: true } : { status }) }]
}
