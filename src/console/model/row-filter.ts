// Which rows of the timeline a search shows. A word names what it is about, as in `status:4xx`, or
// is looked for in the text of a row. A minus before a word excludes.
import { listReasons } from '../../control/rows/reasons.ts'
import { isChange, isRequest, type RequestRow, type TimelineRow } from '../../world/row.ts'
import { causesOf, sayCause } from './explain.ts'
import type { Texts } from './text.ts'

export const SLOW_MS = 200

/** The filters above the list, each as the word that you could type. */
export const SHOWS: Texts = {
  '': '',
  '4xx': '4xx',
  '5xx': '5xx',
  dropped: 'is:dropped',
  slow: `>${SLOW_MS}ms`,
}

type Test<Row> = (row: Row) => boolean
type WordKind = Readonly<{ pattern: RegExp; matches(row: RequestRow, found: string): boolean }>

/** The first that fits says what a word means. Words are in lower case. */
const WORD_KINDS: readonly WordKind[] = [
  { pattern: /^is:(.+)$/, matches: (row, outcome) => row.outcome === outcome },
  { pattern: /^method:(.+)$/, matches: (row, method) => row.method.toLowerCase() === method },
  { pattern: /^op:(.+)$/, matches: (row, part) => includes(row.operation ?? 'none', part) },
  { pattern: /^(?:status:)?([1-5])xx$/, matches: (row, digit) => isClass(row, Number(digit)) },
  { pattern: /^status:(\d+)$/, matches: (row, start) => String(row.status).startsWith(start) },
  { pattern: /^>(\d+)(?:ms)?$/, matches: (row, least) => row.durationMs > Number(least) },
  { pattern: /^key:(.+)$/, matches: (row, part) => includes(`${row.sandbox}\n${row.key}`, part) },
]

function includes(text: string, part: string): boolean {
  return text.toLowerCase().includes(part)
}

function isClass(row: RequestRow, digit: number): boolean {
  return Math.floor(row.status / 100) === digit
}

/** The words of a search, as they were typed. */
function splitWords(search: string): string[] {
  return search.match(/[^\s,]+/g) ?? []
}

/** The words that are looked for in the text of a row. */
export function findWords({ q = '' }: Texts): string[] {
  return splitWords(q).filter((word) => isPlain(word) && !isExcluding(word))
}

/** The words that name what they are about, or exclude. */
export function findTerms({ q = '' }: Texts): string[] {
  return splitWords(q).filter((word) => !isPlain(word) || isExcluding(word))
}

function isExcluding(word: string): boolean {
  return word.length > 1 && word.startsWith('-')
}

function isPlain(word: string): boolean {
  return !WORD_KINDS.some(({ pattern }) => pattern.test(word.toLowerCase()))
}

export function createFilter(query: Texts): Test<TimelineRow> {
  const { q = '', show = '', assumption = '', from = '', to = '' } = query
  const first = Number(from)
  const last = to === '' ? Number.POSITIVE_INFINITY : Number(to)
  const words = splitWords(`${q} ${SHOWS[show] ?? ''}`.toLowerCase())
  const tests = words.map(parseTerm)
  return (row) => {
    // The brush of the strip.
    if (row.id < first || row.id > last) return false
    if (assumption !== '') {
      const isNamed = isRequest(row) && row.assumptions.some((id) => id === assumption)
      if (!isNamed) return false
    }
    return tests.every((test) => test(row))
  }
}

function parseTerm(term: string): Test<TimelineRow> {
  if (!isExcluding(term)) return parseWord(term)
  const isExcluded = parseWord(term.slice(1))
  return (row) => !isExcluded(row)
}

function parseWord(word: string): Test<TimelineRow> {
  for (const { pattern, matches } of WORD_KINDS) {
    const found = pattern.exec(word)?.[1]
    if (found !== undefined) return (row) => isRequest(row) && matches(row, found)
  }
  return (row) => includes(textOf(row), word)
}

function textOf(row: TimelineRow): string {
  if (isChange(row)) return row.text
  return listTexts(row).flat().join('\n')
}

/** Those that the row shows come first. */
function listTexts(row: RequestRow) {
  const { method, target, operation, status, outcome, key, sandbox } = row
  const reasons = listReasons(row).flatMap((reason) => reason.texts)
  return [
    [method, target, operation, status, outcome, key, sandbox],
    row.faults,
    reasons,
    causesOf(row).map(sayCause),
    [row.request.body, row.response.body],
  ]
}

const SNIPPET_CHARACTERS = 36

/** The place in a body that a word was found in, if the row does not show the word itself. */
export function findSnippet(row: RequestRow, words: readonly string[]): string | undefined {
  const shown = [row.method, row.target, ...causesOf(row).map(sayCause)].join('\n')
  for (const word of words) {
    if (includes(shown, word.toLowerCase())) continue
    for (const body of [row.request.body, row.response.body]) {
      const place = body.toLowerCase().indexOf(word.toLowerCase())
      if (place >= 0) return cutAround(body, place, word.length)
    }
  }
  return undefined
}

function cutAround(body: string, place: number, length: number): string {
  const start = Math.max(0, place - SNIPPET_CHARACTERS)
  const end = place + length + SNIPPET_CHARACTERS
  const before = start > 0 ? '…' : ''
  const after = end < body.length ? '…' : ''
  return `${before}${body.slice(start, end).replace(/\s+/g, ' ')}${after}`
}

/** Words that the rows offer and that begin with what was typed, those of most rows first. */
export function suggestWords(rows: readonly RequestRow[], typed: string) {
  const amounts = new Map<string, number>()
  for (const row of rows) {
    for (const word of wordsOf(row)) amounts.set(word, (amounts.get(word) ?? 0) + 1)
  }
  const sign = isExcluding(typed) || typed === '-' ? '-' : ''
  const start = typed.slice(sign.length).toLowerCase()
  const fitting = [...amounts].filter(([word]) => isFitting(word, start))
  fitting.sort(([, one], [, other]) => other - one)
  return fitting.map(([word, amount]) => ({ word: sign + word, amount }))
}

/** The value may be typed without the name. */
function isFitting(word: string, start: string): boolean {
  const [, value = ''] = word.toLowerCase().split(':')
  return word.toLowerCase().startsWith(start) || value.startsWith(start)
}

function wordsOf(row: RequestRow): string[] {
  const words = [`method:${row.method}`, `op:${row.operation ?? 'none'}`]
  if (row.status > 0) words.push(`status:${row.status}`)
  if (row.outcome !== 'sent') words.push(`is:${row.outcome}`)
  const key = row.sandbox ?? row.key
  if (key !== null) words.push(`key:${key.replace(/^…/, '')}`)
  return words
}
