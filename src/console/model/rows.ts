// The timeline as people read it: equal requests, clicks on the same fault, and what a rewind left
// are one line each.
import { toJson } from '../../contract/int64-json.ts'
import { MAX_LOG_ROWS } from '../../contract/limits.ts'
import { sayFound, sayMissing } from '../../contract/problem.ts'
import { nameOf } from '../../control/text/find-sent.ts'
import { listReasons, type Reason } from '../../control/text/reasons.ts'
import { groupRuns, isSameRequest } from '../../control/text/repeats.ts'
import {
  type ChangeRow,
  firstOf,
  isChange,
  isLoad,
  leaves,
  type RequestRow,
  type TimelineRow,
} from '../../world/row.ts'
import { kindOf } from '../../world/surprise.ts'
import { capitalize, type Texts } from './text.ts'

/**
 * One line of the list. All rows are newest first. `steps` are the rows to undo, none if nothing
 * undoes the change.
 */
export type Item = { readonly name: string } & (
  | Readonly<{ kind: 'request'; rows: RequestRow[] }>
  | Readonly<{ kind: 'change'; rows: ChangeRow[]; steps: readonly number[] }>
  /** `rewind` is the last of going back, returning and so on, and `subject` says where to. */
  | Readonly<{
      kind: 'fold'
      rows: TimelineRow[]
      steps: readonly number[]
      rewind: ChangeRow
      subject: string
    }>
)
type Fold = Extract<Item, { readonly kind: 'fold' }>

/**
 * What is wrong with a line of the body: of a field, of the whole (no field), or of text that is
 * not JSON.
 */
export type LineMark = Readonly<{ field?: string | undefined; line?: number; text: string }>

export type Cause = Readonly<{ chip?: string; tone?: 'bad' | 'accent'; text: string }>

const CLICKS_MS = 5_000
export const SLOW_MS = 200

export const SHOWS: Texts = {
  '': '',
  '4xx': '4xx',
  '5xx': '5xx',
  dropped: 'is:dropped',
  slow: `>${SLOW_MS}ms`,
}

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

const CAUSES: Readonly<
  Record<Reason['kind'], (texts: readonly string[], row: RequestRow) => readonly Cause[]>
> = {
  refused: (texts) => texts.map((text) => ({ text })),
  fault: (texts) =>
    texts.map((text, index) => ({ ...(index === 0 && { chip: 'fault', tone: 'bad' }), text })),
  asked: (_, { request }) => [
    { chip: 'your request', text: `Prefer: ${request.headers.prefer ?? ''}` },
  ],
  note: (texts) => texts.map((text) => ({ text })),
  surprise: (labels) => [{ chip: 'surprise', tone: 'accent', text: labels.map(kindOf).join(', ') }],
  assumes: () => [],
}

export function mergeRows(
  left: readonly TimelineRow[],
  right: readonly TimelineRow[] = [],
): TimelineRow[] {
  const all = [...new Map([...left, ...right].map((row) => [nameOf(row), row])).values()]
  // The numbers of one sandbox ascend; those of several may have nothing to do with each other.
  const isOne = all.every(({ sandbox }) => sandbox === all[0]?.sandbox)
  const momentOf = ({ realAt }: TimelineRow) => (isOne ? 0 : Date.parse(realAt))
  return all
    .sort((one, other) => momentOf(other) - momentOf(one) || other.id - one.id)
    .slice(0, MAX_LOG_ROWS)
}

export function createFilter({
  q = '',
  show = '',
  assumption = '',
}: Texts): (row: TimelineRow) => boolean {
  const words = `${q} ${SHOWS[show] ?? ''}`.toLowerCase().match(/[^\s,]+/g) ?? []
  const tests = words.map(parseWord)
  return (row) => {
    if (isChange(row))
      return assumption === '' && words.every((word) => row.text.toLowerCase().includes(word))
    return (
      (assumption === '' || row.assumptions.some((id) => id === assumption)) &&
      tests.every((test) => test(row))
    )
  }
}

function parseWord(word: string): (row: RequestRow) => boolean {
  for (const [pattern, test] of WORDS) {
    const found = pattern.exec(word)?.[1]
    if (found !== undefined) return (row) => test(row, found)
  }
  return (row) => {
    const { method, target, operation, status, outcome, key, sandbox, faults, request, response } =
      row
    const reasons = [
      ...listReasons(row).flatMap(({ texts }) => texts),
      ...causesOf(row).map(sayCause),
    ]
    const parts = [method, target, operation, status, outcome, key, sandbox, ...faults, ...reasons]
    return [...parts, request.body, response.body].join('\n').toLowerCase().includes(word)
  }
}

/**
 * `keep` says which rows are shown; the others still count for what is undone. A fold has all that
 * were left.
 */
export function arrange(
  rows: readonly TimelineRow[],
  keep: (row: TimelineRow) => boolean = () => true,
): Item[] {
  const changes = rows.filter(isChange)
  const known = new Map(changes.map((row) => [nameOf(row), row]))
  const findSteps = (row: ChangeRow): number[] => {
    if (row.canUndo) return [row.id]
    const undone = changes.find(
      ({ undoes, sandbox }) => undoes === row.id && sandbox === row.sandbox,
    )
    return undone ? findSteps(undone) : []
  }
  const toChange = (row: ChangeRow): Item => ({
    kind: 'change',
    name: nameOf(row),
    rows: [row],
    steps: findSteps(row),
  })
  const items: Item[] = []
  /** Those of rewinds, and the one that a row was left in. */
  const folds = new Map<TimelineRow, Fold>()
  const leftIn = new Map<TimelineRow, Fold>()
  for (const row of rows) {
    const first = isChange(row) ? firstOf(row, (id) => known.get(nameOf({ ...row, id }))) : row
    const left = leftIn.get(row)
    if (isChange(row) && isChange(first) && row.isWhole && !isLoad(row) && !left) {
      const made = {
        name: nameOf(first),
        rows: [],
        steps: findSteps(row),
        rewind: row,
        subject: first.text,
      }
      const fold: Fold = folds.get(first) ?? { kind: 'fold', ...made }
      if (!folds.has(first)) items.push(fold)
      folds.set(first, fold)
      for (const one of row.isUndone ? [] : rows) {
        if (one.sandbox === row.sandbox && leaves(row, one) && !leftIn.has(one))
          leftIn.set(one, fold)
      }
    } else if (row !== first || folds.has(row)) continue
    else if (left) left.rows.push(row)
    else if (!keep(row)) continue
    else if (isChange(row)) items.push(toChange(row))
    else items.push({ kind: 'request', name: nameOf(row), rows: [row] })
  }
  // A rewind that left nothing to show is a change like others.
  const shown = items.map((item) =>
    item.kind === 'fold' && !item.rows.some(keep) ? toChange(item.rewind) : item,
  )
  const joined = groupRuns(shown, belongs).map(joinRun)
  return joined.filter((item) => item.kind !== 'change' || keep(item.rows[0] as ChangeRow))
}

export function isSameClick(one: ChangeRow, other: ChangeRow): boolean {
  const isClick = ({ method }: ChangeRow) => method === 'faults.add' || method === 'faults.remove'
  const isNear = Math.abs(Date.parse(one.realAt) - Date.parse(other.realAt)) <= CLICKS_MS
  const about = ({ sandbox, changed, isUndone }: ChangeRow) => toJson([sandbox, changed, isUndone])
  return isClick(one) && isClick(other) && isNear && about(one) === about(other)
}

/** Of the button for a change, or for the last in its chain of undo and redo. */
export function verbOf({ isUndo, isUndone, backTo }: ChangeRow): string {
  if (isUndo !== isUndone) return 'Redo'
  return backTo ? 'Return' : 'Undo'
}

function belongs(run: readonly Item[], item: Item): boolean {
  const last = run.at(-1) as Item
  const [newer, row] = [last.rows[0], item.rows[0]] as [TimelineRow, TimelineRow]
  if (last.kind !== item.kind || item.kind === 'fold') return false
  return isChange(newer) && isChange(row) ? isSameClick(newer, row) : isSameRequest(newer, row)
}

/** Requests are named by the oldest, so that they stay the same line while it grows. */
function joinRun(run: readonly [Item, ...Item[]]): Item {
  const [first] = run
  const rows = run.flatMap((item): TimelineRow[] => item.rows)
  if (first.kind === 'request')
    return { ...first, name: nameOf(rows.at(-1) as TimelineRow), rows } as Item
  const steps = run
    .flatMap((item) => ('steps' in item ? item.steps : []))
    .sort((one, other) => other - one)
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

/**
 * The assumptions for which another choice would change more than the order or a header of the
 * response.
 */
export const tellingAssumptions = ({ assumptions }: RequestRow) =>
  assumptions.filter((id) => !QUIET.includes(id))

export function markLines({ problems, request }: RequestRow): LineMark[] {
  if (request.body === '') return []
  return problems.flatMap((one): LineMark[] => {
    if (one.kind === 'syntax' && one.line !== undefined)
      return [{ line: one.line, text: sayFound(one) }]
    if (one.kind === 'mismatch')
      return [{ field: one.path || undefined, text: `expected ${one.expected}` }]
    if (one.kind === 'unknown-field') return [{ field: one.path, text: 'unknown field' }]
    return one.kind === 'missing' ? [{ text: sayMissing(one.path) }] : []
  })
}
