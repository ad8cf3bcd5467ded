// The result of a control method as a short text. Anything that a client or a scenario chose is
// escaped: it cannot pass for our words.
import { cutLine } from '../../contract/escape.ts'
import { printBody, toJson } from '../../contract/int64-json.ts'
import { isObject, sum } from '../../contract/values.ts'
import type { TimelineRow } from '../../world/row.ts'
import type {
  Alternative,
  ControlMethod,
  Onward,
  PetPage,
  StateDiff,
  Verification,
  WhatIf,
} from '../control.ts'
import { listDifferences } from '../describe-differences.ts'
import { groupRepeats } from '../rows/repeats.ts'
import { renderRowLine, renderRowLines } from '../rows/row-line.ts'
import { findSandbox } from '../rows/row-owners.ts'
import { describeOnward } from '../text/describe-onward.ts'

const MAX_LINES = 20
const OTHER_ROWS = 'limit, operation, status or method for others'

/** `total` is how many rows match; `isLimited` if the agent said how many it wants. */
type Lines = readonly string[]
type Render = (value: never, total: number | undefined, isLimited: boolean) => Lines

const renderers: Partial<Record<ControlMethod, Render>> = {
  requests: renderRows,
  timeline: renderRows,
  undo: renderRow,
  rewind: renderRow,
  makeReal: renderRow,
  whatIf: renderWhatIf,
  'pets.list': renderPage,
  diff: renderDiff,
  verify: renderVerification,
}

export function renderResult(
  name: ControlMethod,
  value: unknown,
  total: number | undefined,
  isLimited: boolean,
): Lines {
  const render = renderers[name]
  return render ? render(value as never, total, isLimited) : renderAny(value)
}

function renderAny(value: unknown): Lines {
  if (value === undefined) return ['done']
  if (Array.isArray(value)) return renderList(value.map(renderItem))
  return isObject(value) ? renderFields(value) : [renderItem(value)]
}

export function renderDifferences(diff: StateDiff): Lines {
  const lines = listDifferences(diff).map(([, text]) => cutLine(text))
  return lines.length > MAX_LINES ? renderList(lines) : lines
}

function renderDiff(diff: StateDiff): Lines {
  const lines = renderDifferences(diff)
  return lines.length > 0 ? lines : [`No differences from ${toJson(diff.scenario)}`]
}

function renderVerification({ ok, message }: Verification): Lines {
  const lines = message.split('\n').map((line) => cutLine(line))
  return [ok ? 'ok' : 'not ok', ...lines]
}

function renderRow(row: TimelineRow): Lines {
  return [cutLine(renderRowLine(row))]
}

function renderWhatIf(value: WhatIf | Onward | readonly Alternative[]): Lines {
  if ('considered' in value) return describeOnward(value)
  return renderAny(value)
}

/** Identical requests in a row are one line, so that there may be more rows than lines. */
function renderRows(
  rows: readonly TimelineRow[],
  total: number | undefined,
  isLimited: boolean,
): Lines {
  const groups = groupRepeats(rows)
  const shown = isLimited ? groups : groups.slice(-MAX_LINES)
  const count = sum(shown.map(({ times }) => times))
  const lines = renderRowLines(shown, { findOwner: findSandbox }).map((line) => cutLine(line))
  return [countFound(count, total ?? rows.length, OTHER_ROWS), ...lines]
}

function renderPage(page: PetPage): Lines {
  const { pets, matches, total } = page
  const isFiltered = matches < total
  const all = isFiltered ? `${matches} that match, of ${total} animals in all` : `${total} animals`
  const more = pets.length < matches ? '; limit and offset for others' : ''
  const head = `${pets.length} of ${all} (${toJson(page.byStatus)})${more}`
  return [head, ...pets.map(renderItem)]
}

function renderList(lines: Lines): Lines {
  const shown = lines.slice(-MAX_LINES)
  return [countFound(shown.length, lines.length, 'detail: true for more'), ...shown]
}

function countFound(shown: number, total: number, advice: string): string {
  return shown < total ? `The last ${shown} of ${total} found; ${advice}` : `${total} found`
}

function renderFields(value: object): Lines {
  return Object.entries(value).map(([name, field]) => `${name}: ${renderField(field)}`)
}

function renderField(field: unknown): string {
  const isLong = Array.isArray(field) && field.length > MAX_LINES
  return isLong ? `${field.length} items` : renderItem(field)
}

function renderItem(item: unknown): string {
  return cutLine(printBody(item))
}
