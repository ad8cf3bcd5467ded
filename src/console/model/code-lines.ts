// The lines of a text that the page shows: which of them fold, and their parts, each with a colour
// or as a hit of a search.
import type { Texts } from './text.ts'

/** `tone` is the class of a word of JSON. */
export type CodePart = { readonly text: string; readonly tone: string; readonly isHit: boolean }
type Range = { readonly start: number; readonly end: number; readonly tone: string }

const TOKEN = /"(?:[^"\\]|\\.)*"?(?:\s*:)?|-?\d[\d.eE+-]*|true|false|null/g
/** Header fields, which may be above the JSON, do not match. */
const JSON_LINE = /^\s*(?:[{}[\]"]|-?\d|(?:true|false|null),?$)/
const CLOSINGS: Texts = { '{': '}', '[': ']' }

/** The last line of each fold, by its first. The lines are indented JSON. */
export function findFolds(lines: readonly string[]): ReadonlyMap<number, number> {
  const folds = new Map<number, number>()
  const open: { readonly start: number; readonly closing: string }[] = []
  for (const [index, line] of lines.entries()) {
    const last = open.at(-1)
    if (last && line.trimStart().startsWith(last.closing)) {
      open.pop()
      folds.set(last.start, index)
    }
    const closing = CLOSINGS[line.at(-1) ?? '']
    if (closing !== undefined) open.push({ start: index, closing })
  }
  return folds
}

export function splitLine(line: string, words: readonly string[]): CodePart[] {
  const tokens = JSON_LINE.test(line) ? findTokens(line) : []
  const hits = findHits(line, words)
  const ranges = [...tokens, ...hits]
  const ends = ranges.flatMap(({ start, end }) => [start, end])
  const cuts = new Set([0, line.length, ...ends])
  const places = [...cuts].sort((one, other) => one - other)
  return places.slice(1).map((end, index) => {
    const start = places[index] ?? 0
    const covers = (range: Range) => range.start <= start && end <= range.end
    const tone = tokens.find(covers)?.tone ?? ''
    return { text: line.slice(start, end), tone, isHit: hits.some(covers) }
  })
}

function findTokens(line: string): Range[] {
  return [...line.matchAll(TOKEN)].map(({ index, 0: text }) => {
    return { start: index, end: index + text.length, tone: toneOf(text) }
  })
}

function toneOf(token: string): string {
  if (token.endsWith(':')) return 'accent'
  return token.startsWith('"') ? 'warn' : 'change'
}

/** Whatever the case of its letters. */
function findHits(line: string, words: readonly string[]): Range[] {
  const text = line.toLowerCase()
  const hits: Range[] = []
  for (const word of words) {
    const wanted = word.toLowerCase()
    let start = wanted === '' ? -1 : text.indexOf(wanted)
    while (start >= 0) {
      const end = start + wanted.length
      hits.push({ start, end, tone: '' })
      start = text.indexOf(wanted, end)
    }
  }
  return hits
}

export function countHits(text: string, words: readonly string[]): number {
  return findHits(text, words).length
}
