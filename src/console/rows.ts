// The timeline as people read it: equal requests, clicks on the same fault, and what a rewind left behind are one line each.
import { toJson } from '../contract/int64-json.ts'
import { sayFound, sayMissing } from '../contract/problem.ts'
import { groupRuns, isSameRequest, listReasons, nameOf, type Reason } from '../render/rows.ts'
import { kindOf } from '../surprise.ts'
import { type ChangeRow, firstOf, isChange, isLoad, leaves, type RequestRow, type TimelineRow } from '../world/row.ts'
import { capitalize } from './text.ts'

/** One line of the list. All rows are newest first. `steps` are the rows to undo, none if nothing takes the change back. */
export type Item = { readonly name: string } & (
  | { readonly kind: 'request'; readonly rows: RequestRow[] }
  | { readonly kind: 'change'; readonly rows: ChangeRow[]; readonly steps: readonly number[] }
  /** `rewind` is the last of going back, returning and so on, and `subject` says where to. */
  | { readonly kind: 'fold'; readonly rows: TimelineRow[]; readonly steps: readonly number[]; readonly rewind: ChangeRow; subject: string }
)

type Fold = Extract<Item, { readonly kind: 'fold' }>

/** What is wrong with a line of the body: of a field, of the whole (no field), or of a line of text that is not JSON. */
export type LineMark = { readonly field?: string; readonly line?: number; readonly text: string }

export type Cause = { readonly chip?: string; readonly tone?: 'bad' | 'accent'; readonly text: string }

const CLICKS_MS = 5_000
export const SLOW_MS = 200

export const SHOWS: Readonly<Record<string, string>> = { '': '', '4xx': '4xx', '5xx': '5xx', dropped: 'is:dropped', slow: `>${SLOW_MS}ms` }

/** How a search word is read, the first that fits; any other is looked for in the text of a row. */
const WORDS: readonly (readonly [RegExp, (row: RequestRow, found: string) => boolean])[] = [
  [/^is:(.+)$/, ({ outcome }, word) => outcome === word],
  [/^([1-5])xx$/, ({ status }, digit) => Math.floor(status / 100) === Number(digit)],
  [/^>(\d+)(?:ms)?$/, ({ durationMs }, least) => durationMs > Number(least)],
  [/^key:(.+)$/, ({ key, sandbox }, part) => `${sandbox}\n${key}`.toLowerCase().includes(part)],
]

export const OUTCOMES = {
  waiting: ['…', 'The response is delayed'],
  dropped: ['drop', 'The connection was dropped'],
  aborted: ['left', 'The client left before the response'],
} as const

const QUIET: RequestRow['assumptions'] = ['list-order', 'sunset-header']

const CAUSES: Readonly<Record<Reason['kind'], (texts: readonly string[], row: RequestRow) => readonly Cause[]>> = {
  refused: (texts) => texts.map((text) => ({ text })),
  fault: (texts) => texts.map((text, index) => ({ ...(index === 0 && { chip: 'fault', tone: 'bad' }), text })),
  asked: (_, { request }) => [{ chip: 'your request', text: `Prefer: ${request.headers.prefer ?? ''}` }],
  note: (texts) => texts.map((text) => ({ text })),
  surprise: (labels) => [{ chip: 'surprise', tone: 'accent', text: labels.map(kindOf).join(', ') }],
  assumes: () => [],
}

export function mergeRows(left: readonly TimelineRow[], right: readonly TimelineRow[], limit: number): TimelineRow[] {
  const all = [...new Map([...left, ...right].map((row) => [nameOf(row), row])).values()]
  // The numbers of one sandbox ascend; those of several may have nothing to do with each other.
  const isOne = all.every(({ sandbox }) => sandbox === all[0]?.sandbox)
  const compareTimes = (one: TimelineRow, other: TimelineRow) => (isOne ? 0 : Date.parse(other.realAt) - Date.parse(one.realAt))
  return all.sort((one, other) => compareTimes(one, other) || other.id - one.id).slice(0, limit)
}

export function createFilter({ q = '', show = '', assumption = '' }: Readonly<Record<string, string>>): (row: TimelineRow) => boolean {
  const words = `${q} ${SHOWS[show] ?? ''}`
    .trim()
    .toLowerCase()
    .split(/[\s,]+/)
  const tests = words.map(parseWord)
  return (row) => {
    if (isChange(row)) return assumption === '' && words.every((word) => row.text.toLowerCase().includes(word))
    return (assumption === '' || row.assumptions.some((id) => id === assumption)) && tests.every((test) => test(row))
  }
}

function parseWord(word: string): (row: RequestRow) => boolean {
  for (const [pattern, test] of WORDS) {
    const found = pattern.exec(word)?.[1]
    if (found !== undefined) return (row) => test(row, found)
  }
  return (row) => {
    const { method, target, operation, status, outcome, key, sandbox, faults, request, response } = row
    const shown = [...listReasons(row).flatMap(({ texts }) => texts), ...causesOf(row).map(sayCause)]
    const parts = [method, target, operation, status, outcome, key, sandbox, ...faults, ...shown, request.body, response.body]
    return parts.join('\n').toLowerCase().includes(word)
  }
}

/** `keep` says which rows are shown; the others still count for what is undone. A fold has all that were left behind. */
export function arrange(rows: readonly TimelineRow[], keep: (row: TimelineRow) => boolean = () => true): Item[] {
  const known = new Map(rows.filter(isChange).map((row) => [nameOf(row), row]))
  const toChange = (row: ChangeRow): Item => ({ kind: 'change', name: nameOf(row), rows: [row], steps: findSteps(row, rows) })
  const items: Item[] = []
  /** Those of rewinds, and the one that a row was left in. */
  const folds = new Map<TimelineRow, Fold>()
  const leftIn = new Map<TimelineRow, Fold>()
  for (const row of rows) {
    const first = isChange(row) ? firstOf(row, (id) => known.get(nameOf({ ...row, id }))) : row
    const left = leftIn.get(row)
    if (isChange(row) && isChange(first) && row.isWhole && !isLoad(row) && !left) {
      const steps = findSteps(row, rows)
      const fold: Fold = folds.get(first) ?? { kind: 'fold', name: nameOf(first), rows: [], steps, rewind: row, subject: first.text }
      if (!folds.has(first)) items.push(fold)
      folds.set(first, fold)
      for (const one of row.isUndone ? [] : rows) {
        if (one.sandbox === row.sandbox && leaves(row, one) && !leftIn.has(one)) leftIn.set(one, fold)
      }
    } else if (row !== first || folds.has(row)) continue
    else if (left) left.rows.push(row)
    else if (!keep(row)) continue
    else if (isChange(row)) items.push(toChange(row))
    else items.push({ kind: 'request', name: nameOf(row), rows: [row] })
  }
  // A rewind that left nothing to show is a change like others.
  const shown = items.map((item) => (item.kind === 'fold' && !item.rows.some(keep) ? toChange(item.rewind) : item))
  return groupRuns(shown, belongs)
    .map(joinRun)
    .filter((item) => item.kind !== 'change' || keep(item.rows[0] as ChangeRow))
}

export function isSameClick(one: ChangeRow, other: ChangeRow): boolean {
  const isClick = ({ method }: ChangeRow) => method === 'faults.add' || method === 'faults.remove'
  const isNear = Math.abs(Date.parse(one.realAt) - Date.parse(other.realAt)) <= CLICKS_MS
  return isClick(one) && isClick(other) && isNear && toJson(one.changed) === toJson(other.changed) && one.sandbox === other.sandbox
}

/** Of the button for a change, or for the last in its chain of undo and redo. */
export const verbOf = ({ isUndo, isUndone, backTo }: ChangeRow) => (isUndo !== isUndone ? 'Redo' : backTo ? 'Return' : 'Undo')

function findSteps(row: ChangeRow, rows: readonly TimelineRow[]): number[] {
  if (row.canUndo) return [row.id]
  const undone = rows.find((one): one is ChangeRow => isChange(one) && one.undoes === row.id && one.sandbox === row.sandbox)
  return undone ? findSteps(undone, rows) : []
}

function belongs(run: readonly Item[], item: Item): boolean {
  const last = run.at(-1) as Item
  const [newer, row] = [last.rows[0], item.rows[0]] as [TimelineRow, TimelineRow]
  if (last.kind !== item.kind || item.kind === 'fold') return false
  return isChange(newer) && isChange(row) ? isSameClick(newer, row) && newer.isUndone === row.isUndone : isSameRequest(newer, row)
}

/** Requests are named by the oldest, so that they stay the same line while it grows. */
function joinRun(run: readonly [Item, ...Item[]]): Item {
  const [first] = run
  const rows = run.flatMap((item): TimelineRow[] => item.rows)
  if (first.kind === 'request') return { ...first, name: nameOf(rows.at(-1) as TimelineRow), rows } as Item
  const steps = run.flatMap((item) => ('steps' in item ? item.steps : [])).sort((one, other) => other - one)
  return { ...first, rows, steps } as Item
}

export function addedId(row: RequestRow): string | undefined {
  // A fault can respond in the same way.
  if (row.operation !== 'createPet' || row.status !== 201 || row.faults.length > 0) return undefined
  return /"id"\s*:\s*(-?\d+)/.exec(row.response.body)?.[1]
}

export function causesOf(row: RequestRow): readonly Cause[] {
  const id = addedId(row)
  const causes = listReasons(row).flatMap(({ kind, texts }) => CAUSES[kind](texts, row))
  return id === undefined ? causes : [...causes, { text: `Added animal ${id}` }]
}

export const sayCause = ({ chip, text }: Cause) => (chip ? `${capitalize(chip)}: ${text}` : text)

/** The assumptions for which another choice would change more than the order or a header of the response. */
export const tellingAssumptions = ({ assumptions }: RequestRow): readonly string[] => assumptions.filter((id) => !QUIET.includes(id))

export function markLines({ problems, request }: RequestRow): LineMark[] {
  if (request.body === '') return []
  return problems.flatMap((problem): LineMark[] => {
    if (problem.kind === 'syntax' && problem.line !== undefined) return [{ line: problem.line, text: sayFound(problem) }]
    if (problem.kind === 'mismatch') return [{ ...(problem.path !== '' && { field: problem.path }), text: `expected ${problem.expected}` }]
    return problem.kind === 'missing' ? [{ text: sayMissing(problem.path) }] : []
  })
}
