// Results as short texts for an agent. Whatever a client or a scenario chose is escaped, so that it cannot look like a
// line of ours.
import { isObject } from '../contract/describe-value.ts'
import { toJson } from '../contract/int64-json.ts'
import { cutText } from '../contract/problem.ts'
import type { ControlMethod } from '../control/control.ts'
import type { PetPage, StateDiff } from '../control/results.ts'
import { contract } from '../generated/contract.ts'
import { listDifferences } from '../render/differences.ts'
import { escapeUnsafe } from '../render/escape.ts'
import { describeTimes, groupRepeats, toLine } from '../render/rows.ts'
import type { TimelineRow } from '../world/row.ts'

const MAX_LINES = 20
const MAX_LINE_CHARACTERS = 300

interface Circumstances {
  /** Where the mock is. */
  readonly origin: string
  /** How many rows match; a list may have only the last of them. */
  readonly total: number | undefined
  /** Whether the agent said how many it wants. */
  readonly isLimited: boolean
}

const renderers: Partial<Record<ControlMethod, (value: never, circumstances: Circumstances) => string>> = {
  summary: (summary: object, { origin }) => renderFields({ address: origin + contract.basePath, ...summary }),
  requests: renderRows,
  timeline: renderRows,
  undo: (row: TimelineRow) => cutLine(toLine(row)),
  rewind: (row: TimelineRow) => cutLine(toLine(row)),
  'pets.list': renderPage,
  diff: (diff: StateDiff) => renderDifferences(diff) || `No differences from ${toJson(diff.scenario)}`,
}

export function renderResult(method: ControlMethod, value: unknown, circumstances: Circumstances): string {
  const render = renderers[method]
  if (render) return render(value as never, circumstances)
  if (Array.isArray(value)) return renderList(value.map(renderItem))
  return isObject(value) ? renderFields(value) : renderItem(value === undefined ? 'done' : value)
}

/** The beginning of a text, on one line. */
export function cutLine(text: string, characters = MAX_LINE_CHARACTERS): string {
  return escapeUnsafe(cutText(text, characters))
}

function renderList(lines: readonly string[]): string {
  const shown = lines.slice(-MAX_LINES)
  const count = shown.length < lines.length ? `${shown.length} of ${lines.length} found, the last ones; detail: true for more` : ''
  return [count || `${lines.length} found`, ...shown].join('\n')
}

/** Identical requests in a row are one line, so that there may be more rows than lines. */
export function renderRows(rows: readonly TimelineRow[], { total = rows.length, isLimited = false }: Partial<Circumstances> = {}): string {
  const shown = groupRepeats(rows).slice(isLimited ? 0 : -MAX_LINES)
  const count = shown.reduce((sum, { times }) => sum + times, 0)
  const which = count < total ? `${count} of ${total} found, the last; limit, operation, status or method for others` : `${total} found`
  return [which, ...shown.map((one) => cutLine(toLine(one.row, { showsSandbox: true, times: describeTimes(one) })))].join('\n')
}

function renderPage({ pets, matches, total, byStatus }: PetPage): string {
  const all = matches < total ? `${matches} that match, of ${total} animals in all` : `${total} animals`
  const more = pets.length < matches ? '; limit and offset for others' : ''
  return [`${pets.length} of ${all} (${toJson(byStatus)})${more}`, ...pets.map(renderItem)].join('\n')
}

/** What differs; empty if nothing does. */
export function renderDifferences(diff: StateDiff): string {
  const lines = listDifferences(diff).map(([name, text]) => cutLine(`${name}: ${text}`))
  return lines.length > MAX_LINES ? renderList(lines) : lines.join('\n')
}

function renderFields(value: object): string {
  const show = (field: unknown) => (Array.isArray(field) && field.length > MAX_LINES ? `${field.length} items` : renderItem(field))
  const lines = Object.entries(value).map(([name, field]) => `${name}: ${show(field)}`)
  return lines.join('\n')
}

function renderItem(item: unknown): string {
  return cutLine(typeof item === 'string' ? item : toJson(item))
}
