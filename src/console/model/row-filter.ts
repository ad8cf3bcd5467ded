// Which rows of the timeline a search shows. A word may name a status, an outcome, a duration or a
// key; any other is looked for in the text of a row.
import { listReasons } from '../../control/rows/reasons.ts'
import { isChange, type RequestRow, type TimelineRow } from '../../world/row.ts'
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

type WordKind = Readonly<{ pattern: RegExp; matches(row: RequestRow, found: string): boolean }>

/** The first that fits says what a word means. */
const WORD_KINDS: readonly WordKind[] = [
  { pattern: /^is:(.+)$/, matches: (row, outcome) => row.outcome === outcome },
  {
    pattern: /^([1-5])xx$/,
    matches: (row, digit) => Math.floor(row.status / 100) === Number(digit),
  },
  { pattern: /^>(\d+)(?:ms)?$/, matches: (row, least) => row.durationMs > Number(least) },
  {
    pattern: /^key:(.+)$/,
    matches: (row, part) => `${row.sandbox}\n${row.key}`.toLowerCase().includes(part),
  },
]

export function createFilter(query: Texts): (row: TimelineRow) => boolean {
  const { q = '', show = '', assumption = '' } = query
  const words = `${q} ${SHOWS[show] ?? ''}`.toLowerCase().match(/[^\s,]+/g) ?? []
  const tests = words.map(parseWord)
  return (row) => {
    if (isChange(row)) {
      const text = row.text.toLowerCase()
      return assumption === '' && words.every((word) => text.includes(word))
    }
    const isNamed = assumption === '' || row.assumptions.some((id) => id === assumption)
    return isNamed && tests.every((test) => test(row))
  }
}

function parseWord(word: string): (row: RequestRow) => boolean {
  for (const { pattern, matches } of WORD_KINDS) {
    const found = pattern.exec(word)?.[1]
    if (found !== undefined) return (row) => matches(row, found)
  }
  return (row) => textOf(row).includes(word)
}

function textOf(row: RequestRow): string {
  const { method, target, operation, status, outcome, key, sandbox } = row
  const reasons = listReasons(row).flatMap((reason) => reason.texts)
  const parts = [
    [method, target, operation, status, outcome, key, sandbox],
    row.faults,
    reasons,
    causesOf(row).map(sayCause),
    [row.request.body, row.response.body],
  ]
  return parts.flat().join('\n').toLowerCase()
}
