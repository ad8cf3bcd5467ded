// Two messages side by side: the header fields that differ, then the body. JSON is compared value
// by value and the animals of a list by their ids, other text line by line.
import { findOtherFields } from '../../control/find-other-fields.ts'
import type { LoggedMessage } from '../../world/row.ts'
import { type Fields, indentBy, type JsonTree, printTree, readTree } from './json-tree.ts'
import { findMatches } from './match.ts'
import { count, showHidden } from './text.ts'

type Word = { readonly text: string; readonly isMarked: boolean }
/** A line of the screen; one side may have nothing there. */
export type DiffRow = {
  readonly left: readonly Word[]
  readonly right: readonly Word[]
  readonly isMarked: boolean
}
/** Rows, or a fold with a text that says what is in it. */
export type DiffPart = {
  readonly fold?: string
  /** Whether what is in the fold has moved. */
  readonly hasMoved?: boolean
  readonly rows: readonly DiffRow[]
}

/** Fewer equal lines of a text are not worth a fold. */
const MIN_FOLDED = 4
const WORD = /[\p{L}\p{N}_]+|[^\p{L}\p{N}_]+/gu

export function compareMessages(one: LoggedMessage, other: LoggedMessage): DiffPart[] {
  return joinRows([...compareHeaders(one, other), ...compareBodies(one.body, other.body)])
}

export function hasMarks(part: DiffPart): boolean {
  return part.hasMoved === true || part.rows.some((row) => row.isMarked)
}

function compareHeaders(one: LoggedMessage, other: LoggedMessage): DiffPart[] {
  if (!hasFields(one) || !hasFields(other)) return []
  const print = ({ headers }: LoggedMessage, name: string) => {
    const value = headers[name]
    return value === undefined ? '' : `${name}: ${value}`
  }
  const names = findOtherFields(one, other)
  return names.map((name) => toPart([compareLine(print(one, name), print(other, name))]))
}

function hasFields(message: LoggedMessage): boolean {
  return Object.keys(message.headers).length > 0
}

export function compareBodies(one: string, other: string): DiffPart[] {
  const tree = readTree(one)
  const otherTree = readTree(other)
  if (tree && otherTree) return compareTrees(tree, otherTree, '', 0)
  return compareTexts(linesOf(one, tree), linesOf(other, otherTree))
}

function linesOf(body: string, tree: JsonTree | undefined): string[] {
  if (body === '') return []
  return tree ? printTree(tree) : body.split('\n')
}

function compareTexts(one: readonly string[], other: readonly string[]): DiffPart[] {
  const parts: DiffPart[] = []
  let index = 0
  let otherIndex = 0
  let equal: string[] = []
  const takeEqual = () => {
    const rows = equal.map(toEqualRow)
    if (rows.length < MIN_FOLDED) parts.push({ rows })
    else parts.push({ fold: count(rows.length, 'equal line'), rows })
    equal = []
  }
  const end = [one.length, other.length] as const
  for (const [nextIndex, nextOther] of [...findMatches(one, other), end]) {
    const removed = one.slice(index, nextIndex)
    const added = other.slice(otherIndex, nextOther)
    if (removed.length + added.length > 0) {
      takeEqual()
      parts.push({ rows: pairLines(removed, added) })
    }
    equal.push(...one.slice(nextIndex, nextIndex + 1))
    index = nextIndex + 1
    otherIndex = nextOther + 1
  }
  takeEqual()
  return parts
}

/** `head` is before the value, such as the name of a field. */
function compareTrees(one: JsonTree, other: JsonTree, head: string, depth: number): DiffPart[] {
  const start = indentBy(depth) + head
  const end = indentBy(depth)
  if (one.kind === 'fields' && other.kind === 'fields') {
    const fields = compareFields(one, other, depth + 1)
    return [equalPart(`${start}{`), ...fields, equalPart(`${end}}`)]
  }
  if (one.kind === 'list' && other.kind === 'list') {
    const items = compareItems(one.items, other.items, depth + 1)
    return [equalPart(`${start}[`), ...items, equalPart(`${end}]`)]
  }
  return [toPart(pairLines(printTree(one, head, depth), printTree(other, head, depth)))]
}

function compareFields(one: Fields, other: Fields, depth: number): DiffPart[] {
  const names = new Set([...one.fields.keys(), ...other.fields.keys()])
  return [...names].flatMap((name) => {
    const head = `${name}: `
    const value = one.fields.get(name)
    const otherValue = other.fields.get(name)
    if (value && otherValue) return compareTrees(value, otherValue, head, depth)
    const lines = tryPrint(value, head, depth)
    const otherLines = tryPrint(otherValue, head, depth)
    return [toPart(pairLines(lines, otherLines))]
  })
}

function tryPrint(tree: JsonTree | undefined, head: string, depth: number): string[] {
  return tree ? printTree(tree, head, depth) : []
}

type Keyed = ReadonlyMap<string, { readonly item: JsonTree; readonly place: number }>

function compareItems(
  one: readonly JsonTree[],
  other: readonly JsonTree[],
  depth: number,
): DiffPart[] {
  const byId = keyBy(one, readId)
  const otherById = keyBy(other, readId)
  if (byId && otherById) return compareKeyed(byId, otherById, 'animal', depth)
  const byPlace = one.length === other.length
  const keyOf = (item: JsonTree, place: number) =>
    byPlace ? String(place) : printTree(item).join('\n')
  const keyed = keyBy(one, keyOf)
  const otherKeyed = keyBy(other, keyOf)
  if (keyed && otherKeyed) return compareKeyed(keyed, otherKeyed, 'item', depth)
  const lines = one.flatMap((item) => printTree(item, '', depth))
  const otherLines = other.flatMap((item) => printTree(item, '', depth))
  return compareTexts(lines, otherLines)
}

/** Undefined if an item has no key, or not one of its own. */
function keyBy(
  items: readonly JsonTree[],
  keyOf: (item: JsonTree, place: number) => string | undefined,
): Keyed | undefined {
  const keyed = new Map<string, { item: JsonTree; place: number }>()
  for (const [place, item] of items.entries()) {
    const key = keyOf(item, place)
    if (key === undefined || keyed.has(key)) return undefined
    keyed.set(key, { item, place })
  }
  return keyed
}

function readId(item: JsonTree): string | undefined {
  const id = item.kind === 'fields' ? item.fields.get('"id"') : undefined
  return id?.kind === 'leaf' ? id.text : undefined
}

function compareKeyed(one: Keyed, other: Keyed, noun: string, depth: number): DiffPart[] {
  const keys = [...one.keys()]
  const stayed = new Set(findMatches(keys, [...other.keys()]).map(([place]) => place))
  const parts: DiffPart[] = []
  let next = 0
  const takeRemoved = (until: number) => {
    for (const key of keys.slice(next, until)) {
      const removed = other.has(key) ? undefined : one.get(key)
      if (removed) parts.push(toPart(pairLines(printTree(removed.item, '', depth), [])))
    }
    next = until
  }
  for (const [key, to] of other) {
    const from = one.get(key)
    if (!from) {
      parts.push(toPart(pairLines([], printTree(to.item, '', depth))))
      continue
    }
    const compared = compareTrees(from.item, to.item, '', depth)
    if (!stayed.has(from.place)) {
      parts.push(foldMoved(compared, `${noun} ${key}`, from.place, to.place))
      continue
    }
    takeRemoved(from.place)
    next = from.place + 1
    if (compared.some(hasMarks)) parts.push(...compared)
    else parts.push({ fold: noun, rows: rowsOf(compared) })
  }
  takeRemoved(keys.length)
  return joinFolds(parts, noun)
}

function foldMoved(
  compared: readonly DiffPart[],
  name: string,
  from: number,
  to: number,
): DiffPart {
  const change = compared.some(hasMarks) ? ' and changed' : ''
  const fold = `${name} moved from place ${from + 1} to ${to + 1}${change}`
  return { fold, hasMoved: true, rows: rowsOf(compared) }
}

function rowsOf(parts: readonly DiffPart[]): DiffRow[] {
  return parts.flatMap((part) => part.rows)
}

/** Equal items in a row, whose fold is named `noun` until here, are one fold. */
function joinFolds(parts: readonly DiffPart[], noun: string): DiffPart[] {
  const joined: DiffPart[] = []
  let equal: DiffPart[] = []
  const takeEqual = () => {
    if (equal.length > 0)
      joined.push({ fold: count(equal.length, `equal ${noun}`), rows: rowsOf(equal) })
    equal = []
  }
  for (const part of parts) {
    const isEqual = part.fold === noun
    if (isEqual) equal.push(part)
    else {
      takeEqual()
      joined.push(part)
    }
  }
  takeEqual()
  return joined
}

/** Rows without a fold between them are one part. */
function joinRows(parts: readonly DiffPart[]): DiffPart[] {
  const joined: DiffPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    const isPlain = part.fold === undefined
    if (last && isPlain && last.fold === undefined)
      joined.splice(-1, 1, { rows: [...last.rows, ...part.rows] })
    else joined.push(part)
  }
  return joined.filter((part) => part.rows.length > 0)
}

function toPart(rows: readonly DiffRow[]): DiffPart {
  return { rows }
}

function equalPart(line: string): DiffPart {
  return toPart([toEqualRow(line)])
}

function toEqualRow(line: string): DiffRow {
  const words = [{ text: showHidden(line), isMarked: false }]
  return { left: words, right: words, isMarked: false }
}

/** Lines of which each may differ from the one in its place. */
function pairLines(one: readonly string[], other: readonly string[]): DiffRow[] {
  const longer = one.length > other.length ? one : other
  // Lines that have nothing to do with each other have no words in common that mean something.
  const compare = one.length === other.length ? compareLine : putBeside
  return longer.map((_, index) => compare(one[index] ?? '', other[index] ?? ''))
}

function putBeside(one: string, other: string): DiffRow {
  const left = [{ text: showHidden(one), isMarked: false }]
  const right = [{ text: showHidden(other), isMarked: false }]
  return { left, right, isMarked: true }
}

function compareLine(one: string, other: string): DiffRow {
  if (one === other) return toEqualRow(one)
  // A line without a counterpart is new as a whole.
  if (one === '' || other === '') return putBeside(one, other)
  const words = showHidden(one).match(WORD) ?? []
  const otherWords = showHidden(other).match(WORD) ?? []
  const matches = findMatches(words, otherWords)
  const stayed = new Set(matches.map(([index]) => index))
  const otherStayed = new Set(matches.map(([, index]) => index))
  return {
    left: joinWords(words, (index) => !stayed.has(index)),
    right: joinWords(otherWords, (index) => !otherStayed.has(index)),
    isMarked: true,
  }
}

function joinWords(words: readonly string[], isMarkedAt: (index: number) => boolean): Word[] {
  const joined: Word[] = []
  for (const [index, text] of words.entries()) {
    const isMarked = isMarkedAt(index)
    const last = joined.at(-1)
    if (last?.isMarked === isMarked) joined.splice(-1, 1, { text: last.text + text, isMarked })
    else joined.push({ text, isMarked })
  }
  return joined
}
