// Rows of the timeline as text: a line each for a log, a paragraph each for a failed test. Text
// from rows is escaped.

import { cutLine, escapeUnsafe } from '../../contract/escape.ts'
import { count } from '../../contract/problem.ts'
import { cutText, sum } from '../../contract/values.ts'
import {
  isAsked,
  isChange,
  isRequest,
  type RequestRow,
  type TimelineRow as Row,
} from '../../world/row.ts'
import { readSeed, SURPRISE_HEADER } from '../../world/surprise.ts'
import type { MockEvent } from '../control.ts'

const COLOURS = { dim: 2, red: 31, green: 32, yellow: 33, magenta: 35, cyan: 36 } as const
type Colour = keyof typeof COLOURS
const TARGET_WIDTH = 24
const MAX_SHOWN_CHARACTERS = 200
const MAX_SHOWN_REQUESTS = 20
const MAX_SHOWN_ROWS = 40

type LineOptions = Readonly<{
  colour?: boolean
  showsSandbox?: boolean | undefined
  times?: string
}>

export const hasColour = (
  stream: { readonly isTTY?: boolean | undefined },
  env: Partial<Record<string, string>>,
) => stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'

/**
 * `10:02:03.125Z #12 GET  /v1/pets?limit=5         200 0.4 ms listPets …-key` and reasons, or `…
 * #12 ◆ reset`.
 */
export function toLine(
  row: Row,
  { colour = false, showsSandbox = false, times = '' }: LineOptions = {},
): string {
  const paint = (name: Colour, text: string) =>
    colour ? `\u001b[${COLOURS[name]}m${escapeUnsafe(text)}\u001b[0m` : escapeUnsafe(text)
  const moment = paint('dim', `${row.realAt.slice(11)} #${row.id}`)
  const sandbox = showsSandbox ? row.sandbox : null
  const named = sandbox === null ? [] : [paint('dim', sandbox)]
  if (isChange(row)) return [moment, ...named, paint('cyan', `◆ ${row.text}`)].join(' ')
  const { method, target, status, outcome, durationMs, operation, key } = row
  const reasons = [...paintReasons(row), ['yellow', times] as const].filter(
    ([, text]) => text !== '',
  )
  return [
    moment,
    escapeUnsafe(method).padEnd(4),
    cutLine(target).padEnd(TARGET_WIDTH),
    paint(colourOf(row), outcome === 'sent' ? String(status) : outcome),
    printDuration(durationMs),
    escapeUnsafe(operation ?? '-'),
    paint('dim', sandbox ?? key ?? '-'),
    ...(reasons.length > 0 ? [reasons.map(([name, text]) => paint(name, text)).join(' · ')] : []),
  ].join(' ')
}

/** Time that has passed: `0.4 ms`, `12 ms`, `1.5 s`. */
export const printDuration = (ms: number): string =>
  ms < 1000 ? `${Number(ms.toFixed(ms < 10 ? 1 : 0))} ms` : `${Number((ms / 1000).toFixed(1))} s`

/** `asked`: the request itself asked for a fault (`Prefer`). */
type ReasonKind = 'refused' | 'note' | 'fault' | 'asked' | 'surprise' | 'assumes'
export type Reason = Readonly<{ kind: ReasonKind; texts: readonly string[] }>

/** By the service, not by a fault. The rows of another server may have no problems. */
export const isRefused = ({ error, problems = [] }: Pick<RequestRow, 'error' | 'problems'>) =>
  error !== null && !problems.some(({ kind }) => kind === 'fault')

/** The most important first. */
export function listReasons(row: RequestRow): Reason[] {
  const { error, notes, faults, struck = [], surprises, assumptions } = row
  const reasons: Reason[] = [
    { kind: 'refused', texts: isRefused(row) ? [String(error)] : [] },
    isAsked(row) ? { kind: 'asked', texts: faults } : { kind: 'fault', texts: struck },
    { kind: 'note', texts: notes.filter((note) => note !== error) },
    { kind: 'surprise', texts: surprises },
    { kind: 'assumes', texts: assumptions },
  ]
  return reasons.filter(({ texts }) => texts.length > 0)
}

/** What an event adds to a log: a request that has ended, or a change. */
export const rowOf = (event: MockEvent) =>
  event.type === 'request' || event.type === 'change' ? event.row : undefined

export const surprisesOf = (event: MockEvent) =>
  event.type === 'request' ? event.row.surprises : []

type Ending = Pick<RequestRow, 'status' | 'outcome'>
export const isFailure = ({ status, outcome }: Ending) => status >= 400 || outcome === 'dropped'

export function toneOf({ status, outcome }: Ending): 'good' | 'warn' | 'bad' {
  if (outcome === 'dropped' || status >= 500) return 'bad'
  return status >= 400 || outcome !== 'sent' ? 'warn' : 'good'
}

const TONES = { good: 'green', warn: 'yellow', bad: 'red' } as const
/** The colour of each kind, and the word before its texts, which are then one list. */
const PAINTS: Readonly<Record<Exclude<ReasonKind, 'refused'>, readonly [Colour, word?: string]>> = {
  note: ['cyan'],
  fault: ['magenta'],
  asked: ['magenta', 'fault'],
  surprise: ['cyan', 'surprise'],
  assumes: ['yellow', 'assumes'],
}

const colourOf = (row: RequestRow): Colour => (row.status === 0 ? 'magenta' : TONES[toneOf(row)])

export function paintReasons(row: RequestRow): (readonly [Colour, string])[] {
  return listReasons(row).flatMap(({ kind, texts }) => {
    const [colour, word] = kind === 'refused' ? [colourOf(row)] : PAINTS[kind]
    return (word === undefined ? texts : [`${word} ${texts.join(', ')}`]).map(
      (text) => [colour, text] as const,
    )
  })
}

/** Unique: a host may count the rows of each sandbox by themselves. */
export const nameOf = ({ id, sandbox }: Row): string =>
  sandbox === null ? String(id) : `${id}.${sandbox}`

export type Sending = Readonly<{ known: ReadonlySet<string>; method: string; target: string }>

/** The row of a request that was sent after the known ones. The log hides secrets in a query. */
export function findSent(
  rows: readonly RequestRow[],
  { known, method, target }: Sending,
): RequestRow | undefined {
  const start = target.replace(/\?.*/s, '?')
  const isTarget = (shown: string) =>
    shown === target || (shown.includes('…') && shown.startsWith(start))
  return rows.find(
    (row) => !known.has(nameOf(row)) && row.method === method && isTarget(row.target),
  )
}

/** Equal requests in a row; `row` is the last. */
export type Repeats<T> = Readonly<{ row: T; times: number; first: T }>

const SAME = [
  'method',
  'target',
  'status',
  'outcome',
  'key',
  'error',
  'faults',
  'surprises',
  'notes',
] as const

export function isSameRequest(one: Row, other: Row): boolean {
  if (isChange(one) || isChange(other) || one.sandbox !== other.sandbox) return false
  return (
    one.request.body === other.request.body &&
    SAME.every((name) => String(one[name]) === String(other[name]))
  )
}

export function groupRepeats<T extends Row>(rows: readonly T[]): Repeats<T>[] {
  const runs = groupRuns(rows, ([first], row) => isSameRequest(first, row))
  return runs.map((run) => ({ row: run.at(-1) as T, times: run.length, first: run[0] }))
}

export function groupRuns<T>(
  items: readonly T[],
  belongs: (run: readonly [T, ...T[]], item: T) => boolean,
) {
  const runs: [T, ...T[]][] = []
  for (const item of items) {
    const run = runs.at(-1)
    if (run && belongs(run, item)) run.push(item)
    else runs.push([item])
  }
  return runs
}

/** A line for each group. */
export const toLines = (groups: readonly Repeats<Row>[], options: LineOptions): string[] =>
  groups.map((group) => toLine(group.row, { ...options, times: describeTimes(group) }))

/** `3 times since #2`; empty for a single request. */
const describeTimes = ({ times, first }: Repeats<Row>) =>
  times > 1 ? `${times} times since #${first.id}` : ''

/** `#3 POST /v1/pets → 400 (key …-key)` with, indented, the differences and the reasons. */
export function describeRequest(row: RequestRow, differences: readonly string[] = []): string[] {
  const { id, method, target, status, outcome, key, request, error } = row
  const result = `${outcome === 'sent' ? status : outcome}${key === null ? '' : ` (key ${key})`}`
  return [
    `#${id} ${method} ${cutText(target, MAX_SHOWN_CHARACTERS)} → ${result}`,
    ...differences.map((line) => `    ${line}`),
    // The word sets it apart from the differences.
    ...paintReasons(row).map(([, reason]) => `    ${reason === error ? 'refused: ' : ''}${reason}`),
    ...(request.body === ''
      ? []
      : [`    request body: ${cutText(request.body, MAX_SHOWN_CHARACTERS)}`]),
  ].map(escapeUnsafe)
}

export function describeRequests(test: string, rows: readonly Row[], after = ''): string {
  const requests = rows.filter(isRequest)
  const groups = groupRepeats(rows)
  const asked = groups.filter(({ row }) => isRequest(row)).slice(-MAX_SHOWN_REQUESTS)
  const shown = sum(asked.map(({ times }) => times))
  const isCut = shown < requests.length
  const from = isCut ? (asked[0]?.first.id ?? 0) : 0
  const seed = requests
    .map(({ response }) => readSeed(response.headers[SURPRISE_HEADER]))
    .find(Boolean)
  const again = `to see them again, set ANIMAL_STORE_SURPRISE=${seed}, and the same kinds`
  const remedy = seed ? ` (surprises of seed ${seed}; ${again})` : ''
  const title = `Request log of ${JSON.stringify(test)}: ${count(requests.length, 'request')}`
  const lines = groups.filter(({ first }) => first.id >= from).slice(-MAX_SHOWN_ROWS)
  return [
    `${title}${isCut ? `, of which the last ${shown}:` : ''}${remedy}`,
    ...lines.flatMap((group) => {
      const { row } = group
      if (isChange(row)) return escapeUnsafe(`#${row.id} ◆ ${row.text}`)
      const [line, ...details] = describeRequest(row)
      return [[line, describeTimes(group)].filter(Boolean).join(', '), ...details]
    }),
    ...after.split('\n').filter(Boolean),
  ].join('\n  ')
}

/** `1 request came with the key …b, 2 requests came without a key`. */
export function describeKeys(rows: readonly RequestRow[]): string {
  const parts = [...new Set(rows.map(({ key }) => key))].map((key) => {
    const requests = count(rows.filter((row) => row.key === key).length, 'request')
    return `${requests} came ${key === null ? 'without a key' : `with the key ${key}`}`
  })
  return parts.length === 0 ? '' : escapeUnsafe(`${parts.join(', ')}.`)
}
