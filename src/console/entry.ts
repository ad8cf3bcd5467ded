// What the page does with the rows of the timeline: name, merge, filter and search them, and say why a request got its response.
import { say, sayFound } from '../contract/problem.ts'
import type { AssumptionState } from '../control/results.ts'
import type { SurpriseKind } from '../surprise/setting.ts'
import { type ChangeRow, isChange, type RequestRow } from '../world/row.ts'

/** Nothing takes these back. */
export const FINAL: readonly string[] = ['clearRequests', 'removeSandbox']

/** A row of the timeline. */
export type Row = RequestRow | ChangeRow

/** Unique: a host may count the rows of each sandbox by themselves. */
export function nameOf({ id, sandbox }: Row): string {
  return sandbox === null ? String(id) : `${id}.${sandbox}`
}

/** Merges two lists, newest first, without duplicates, up to `limit`. */
export function mergeRows(left: readonly Row[], right: readonly Row[], limit: number): Row[] {
  const all = [...new Map([...left, ...right].map((row) => [nameOf(row), row])).values()]
  // The numbers of one sandbox ascend; those of several may have nothing to do with each other.
  const isOne = all.every(({ sandbox }) => sandbox === all[0]?.sandbox)
  const compareTimes = (one: Row, other: Row) => (isOne ? 0 : Date.parse(other.realAt) - Date.parse(one.realAt))
  return all.sort((one, other) => compareTimes(one, other) || other.id - one.id).slice(0, limit)
}

/** A response that took this long is slow; one of a second is very slow. */
const SLOW_MS = 200
const VERY_SLOW_MS = 1_000

/** The parts of the list that the toolbar offers, as search words. */
export const SHOWS: Readonly<Record<string, string>> = { all: '', '4xx': '4xx', '5xx': '5xx', dropped: 'is:dropped', slow: `>${SLOW_MS}ms` }

/** How a search word is read, the first that fits; any other is looked for in the text of an entry. */
const WORDS: readonly (readonly [RegExp, (entry: RequestRow, found: string) => boolean])[] = [
  [/^is:(.+)$/, ({ outcome }, word) => outcome === word],
  [/^([1-5])xx$/, ({ status }, digit) => Math.floor(status / 100) === Number(digit)],
  [/^>(\d+)(?:ms)?$/, ({ durationMs }, least) => durationMs > Number(least)],
  [/^key:(.+)$/, ({ key, sandbox }, part) => `${sandbox}\n${key}`.toLowerCase().includes(part)],
]

/** Whether the filters of an address ask for a row. A change passes if it has the text. */
export function createFilter(query: Readonly<Record<string, string>>): (row: Row) => boolean {
  const { q = '', show = '', assumption = '' } = query
  const text = `${q} ${SHOWS[show] ?? ''}`.trim().toLowerCase()
  const tests = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(parseWord)
  return (row) => {
    if (isChange(row)) return assumption === '' && row.text.toLowerCase().includes(text)
    return (assumption === '' || row.assumptions.some((id) => id === assumption)) && tests.every((test) => test(row))
  }
}

function parseWord(word: string): (entry: RequestRow) => boolean {
  for (const [pattern, test] of WORDS) {
    const found = pattern.exec(word)?.[1]
    if (found !== undefined) return (entry) => test(entry, found)
  }
  return (entry) => searchTextOf(entry).includes(word)
}

function searchTextOf(entry: RequestRow): string {
  const { method, target, operation, status, key, sandbox, error, assumptions, faults, notes, request, outcome } = entry
  const parts = [method, target, operation, status, outcome, key, sandbox, error, ...assumptions, ...faults, ...notes, request.body]
  return [...parts, ...entry.surprises, entry.response.body].join('\n').toLowerCase()
}

/** How much the time that it took deserves a look. */
export function slowness({ durationMs }: RequestRow): '' | 'warn' | 'bad' {
  return durationMs >= VERY_SLOW_MS ? 'bad' : durationMs >= SLOW_MS ? 'warn' : ''
}

/** What the list shows instead of a status, and what it means. */
export const OUTCOMES = {
  waiting: ['…', 'The response is delayed and has not been sent yet'],
  dropped: ['drop', 'The connection was dropped without a response'],
  aborted: ['left', 'The client left before the response was sent'],
} as const

export function toneOf({ status, outcome }: RequestRow): 'good' | 'warn' | 'bad' {
  if (outcome === 'dropped' || status >= 500) return 'bad'
  return status >= 400 || outcome !== 'sent' ? 'warn' : 'good'
}

/** The id of the animal that the request added. */
export function addedId(entry: RequestRow): string | undefined {
  if (entry.operation !== 'createPet' || entry.status !== 201) return undefined
  return /"id"\s*:\s*(-?\d+)/.exec(entry.response.body)?.[1]
}

/** What is wrong with a line of the body: of a field, of the whole (no field), or of a line of text that is not JSON. */
export type LineMark = { readonly field?: string; readonly line?: number; readonly text: string }

/** Who is behind a response, in a word or two, and what happened. */
export type Cause = { readonly chip?: string; readonly tone?: 'accent'; readonly text: string }

/** Another choice changes the order or a header of a response, never its status or which animals it has. */
const QUIET: readonly string[] = ['list-order', 'sunset-header']

/** What a surprise does to a response, in words. */
const SURPRISES: Readonly<Record<SurpriseKind, string>> = {
  'big-ids': 'large ids',
  'odd-names': 'odd names',
  'absent-status': 'no status',
  'equal-names': 'equal names',
  order: 'another order',
  'short-page': 'a short page',
  'extra-field': 'an extra field',
  'json-spelling': 'other JSON spelling',
  'error-words': 'other words',
  'media-type': 'other spelling of the media type',
  delay: 'a delay',
}

/** Everything that made the response what it is, the most important first: a surprise never hides the reason. */
export function causesOf(entry: RequestRow): readonly Cause[] {
  const { faults, struck = [], request } = entry
  const deliberate: Cause[] = [
    ...(faults.includes('Prefer') ? [{ chip: 'your request', text: `Prefer: ${request.headers.prefer ?? ''}` }] : []),
    ...(faults.includes('override') ? [{ chip: 'a test', text: 'gave this response' }] : []),
    ...struck.map((text) => ({ chip: 'fault', text })),
  ]
  const words = entry.surprises.map((label) => SURPRISES[label.split('@', 1)[0] as SurpriseKind] ?? label)
  const surprised: Cause[] = words.length === 0 ? [] : [{ chip: 'surprise', tone: 'accent', text: words.join(', ') }]
  const id = addedId(entry)
  const told = new Set([
    // The problem of a fault is deliberate, and a note may repeat what a problem says.
    ...entry.problems.filter(({ kind }) => kind !== 'fault').map(say),
    ...entry.notes.filter((note) => note !== entry.error),
    ...(id === undefined ? [] : [`Added animal ${id}`]),
  ])
  return [...deliberate, ...[...told].map((text) => ({ text })), ...surprised]
}

/** The assumptions that another choice of would have changed the status or the animals. */
export function tellingAssumptions({ assumptions }: RequestRow): readonly string[] {
  return assumptions.filter((id) => !QUIET.includes(id))
}

/** The offending lines of the request body. */
export function markLines({ problems, request }: RequestRow): LineMark[] {
  if (request.body === '') return []
  return problems.flatMap((problem): LineMark[] => {
    if (problem.kind === 'syntax' && problem.line !== undefined) return [{ line: problem.line, text: sayFound(problem) }]
    if (problem.kind === 'mismatch') return [{ ...(problem.path !== '' && { field: problem.path }), text: `expected ${problem.expected}` }]
    // A missing field has no line.
    return problem.kind === 'missing' ? [{ text: say(problem) }] : []
  })
}

/** How to send a key that this state accepts. */
export function adviseOnKey(assumptions: readonly AssumptionState[] = []): string {
  const isListed = assumptions.some(({ id, choice }) => id === 'valid-keys' && choice === 'listed')
  return `Send Authorization: Bearer <key>. ${isListed ? 'Only listed keys are valid.' : 'Any key is valid, except the word invalid.'}`
}
