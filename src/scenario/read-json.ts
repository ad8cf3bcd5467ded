// A scenario document in JSON: its value by our own parser, and the line that any part of it is on by a second run through the
// text. Much quicker than reading it as YAML, which JSON is too.
import { type Json, type JsonBounds, parseJson } from '../contract/int64-json.ts'
import type { Violation } from '../contract/schema.ts'
import { MAX_DOCUMENT_DEPTH, MAX_DOCUMENT_KEYS, MAX_DOCUMENT_PARTS, MAX_PROBLEMS } from '../limits.ts'

export interface JsonReading {
  readonly value: Json
  /** What is JSON, but not accepted in a scenario: keys that come twice, too many levels. */
  readonly problems: readonly Violation[]
}

/** What no scenario comes near, and reading would take long for. */
export const DOCUMENT_BOUNDS: JsonBounds = { keys: MAX_DOCUMENT_KEYS, parts: MAX_DOCUMENT_PARTS }

/** Reads a JSON text; throws a JsonError where it is not one. */
export function readJson(text: string): JsonReading {
  let hasDuplicates = false
  const onDuplicate = () => {
    hasDuplicates = true
  }
  const value = parseJson(text, onDuplicate, DOCUMENT_BOUNDS)
  return { value, problems: hasDuplicates || isDeeper(value, MAX_DOCUMENT_DEPTH) ? findJsonProblems(text) : [] }
}

function isDeeper(value: Json, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return limit === 0 || Object.values(value).some((item) => isDeeper(item, limit - 1))
}

/** The lines of paths as in `pets[3].status` in a valid JSON text; of what surrounds them where they do not exist. */
export function findJsonLines(text: string, paths: readonly string[]): number[] {
  const wanted = new Set(paths.flatMap(toPrefixes))
  const offsets = new Map<string, number>()
  walkJson(text, ({ path, offset }) => {
    if (wanted.has(path)) offsets.set(path, offset)
    return wanted.has(path)
  })
  const toLine = createLineCounter(text)
  return paths.map((path) => toLine(offsets.get(toPrefixes(path).findLast((prefix) => offsets.has(prefix)) ?? '') ?? 0))
}

/** The path and all that surrounds it, from the outside in. A name with dots and brackets in it is among them. */
function toPrefixes(path: string): string[] {
  const ends = [...path.matchAll(/[.[]/g)].map(({ index }) => index).filter((index) => index > 0)
  // The names of a scenario have no dots: a path with hundreds of them ends in an unknown one.
  return [...ends.slice(0, MAX_DOCUMENT_DEPTH).map((end) => path.slice(0, end)), path]
}

/** Keys that come twice, and places that are too deep, in a valid JSON text. */
export function findJsonProblems(text: string): Violation[] {
  const problems: Violation[] = []
  let more = 0
  const add = (problem: Violation) => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem)
    else more++
  }
  walkJson(text, ({ path, depth, isRepeated, hasParts }) => {
    if (isRepeated) add({ path, expected: 'each key once', got: 'it again' })
    if (depth < MAX_DOCUMENT_DEPTH) return true
    if (hasParts) add({ path, expected: `at most ${MAX_DOCUMENT_DEPTH} levels`, got: 'more' })
    return false
  })
  return more === 0 ? problems : [...problems, { path: '', more }]
}

/** A value in a list or an object. */
interface Part {
  readonly path: string
  /** Where it begins: its key, if it has one. */
  readonly offset: number
  /** How many lists and objects it is in. */
  readonly depth: number
  /** Whether its key was there before. */
  readonly isRepeated: boolean
  /** Whether it is a list or an object itself. */
  readonly hasParts: boolean
}

/** Where a path stops being followed: only a name that no scenario has is this long, and every path below would repeat it. */
const MAX_PATH_CHARACTERS = 2_000
/** The end of a run of text that needs no look: outside strings, and inside them. */
const TOKEN = /["[\]{},]/g
const STRING_STOP = /["\\]/g

/** Goes through a valid JSON text, without making values of it; `follow` says whether to report what is inside a part. */
function walkJson(text: string, follow: (part: Part) => boolean): void {
  let at = 0
  walkValue('', 0, true)

  /** Moves to the next character that matters. */
  function next(): string {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)
    at = token ? token.index : text.length
    return token?.[0] ?? ''
  }

  /** From the opening quote to behind the closing one. */
  function skipString(): void {
    at++
    for (;;) {
      STRING_STOP.lastIndex = at
      const stop = STRING_STOP.exec(text) as RegExpExecArray
      at = stop.index + (stop[0] === '"' ? 1 : 2)
      if (stop[0] === '"') return
    }
  }

  /** Leaves `at` on the comma or bracket behind the value. */
  function walkValue(path: string, depth: number, isFollowed: boolean): void {
    const first = next()
    if (first === '"') {
      skipString()
      next()
    } else if (first === '{' || first === '[') {
      walkParts(first === '[', path, depth, isFollowed)
      at++
      next()
    }
  }

  function walkParts(isList: boolean, path: string, depth: number, isFollowed: boolean): void {
    const names = new Set<string>()
    at++
    for (let index = 0; ; index++) {
      skipSpace()
      if (text[at] === '}' || text[at] === ']') return
      const offset = at
      const name = isList ? '' : readName()
      if (isFollowed) {
        skipSpace()
        const partPath = isList ? `${path}[${index}]` : path === '' ? name : `${path}.${name}`
        const hasParts = text[at] === '{' || text[at] === '['
        const isInside = follow({ path: partPath, offset, depth: depth + 1, isRepeated: names.has(name), hasParts })
        if (!isList) names.add(name)
        walkValue(partPath, depth + 1, isInside && partPath.length <= MAX_PATH_CHARACTERS)
      } else walkValue('', depth, false)
      if (text[at] === ',') at++
    }
  }

  function readName(): string {
    const start = at
    skipString()
    const quoted = text.slice(start, at)
    at = text.indexOf(':', at) + 1
    return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)
  }

  function skipSpace(): void {
    while (' \t\r\n'.includes(text[at] ?? 'x')) at++
  }
}

/** The line of an offset, counting from 1. Offsets may come in any order; the text is gone through once. */
function createLineCounter(text: string): (offset: number) => number {
  const starts = [0]
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1)
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] as number) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}
