// One line of the timeline: a request, a change, or what a rewind left behind.
import { printDuration } from '../../control/rows/print-duration.ts'
import { isRequest, isWaiting, type RequestRow, type TimelineRow } from '../../world/row.ts'
import { takeTurn, undo } from '../model/actions.ts'
import { type Item, verbOf } from '../model/arrange.ts'
import { splitLine } from '../model/code-lines.ts'
import { hasDraft } from '../model/drafts.ts'
import {
  type Cause,
  causesOf,
  describeResult,
  describeWould,
  sayCause,
  tellingAssumptions,
} from '../model/explain.ts'
import { scope } from '../model/mock.ts'
import { currentMoment } from '../model/moment.ts'
import { findWindow, findWould, type Would } from '../model/onward.ts'
import { link, route } from '../model/route.ts'
import { findSnippet, findWords, SLOW_MS } from '../model/row-filter.ts'
import { signal } from '../model/signal.ts'
import { count, formatDate, formatTime, shorten, showHidden } from '../model/text.ts'
import { Button, MockButton } from '../ui/button.tsx'
import { Chip, Status, UNSAVED, Waited } from '../ui/chip.tsx'
import type { Line } from '../ui/focus.ts'
import { Row, type Stop } from '../ui/list.tsx'
import { ReleaseLink } from './release.tsx'
import { draftOfRow } from './send-form.tsx'

/** Where the playhead is. */
type MomentItem = Omit<Item, 'kind'> & { readonly kind: 'moment' }

export type TimelineLine = (Item | MomentItem) &
  Line & {
    /** Whether a rewind left it behind. */
    readonly isLeft: boolean
    /** Whether it is a fold that shows its rows. */
    readonly isOpen: boolean
    /** The time since the line below. */
    readonly gap: string
  }
type LineOf<Kind> = Extract<TimelineLine, { kind: Kind }>

const BRIEF_CHARACTERS = 20
/** Shorter times have no bar. */
const BAR_FROM_MS = 10
/** A response that takes a thousand times as long has the whole bar. */
const BAR_DIGITS = 3

/** The names of the folds that you have opened. */
const opened = signal<readonly string[]>([])

export function isOpened(name: string): boolean {
  return opened.value.includes(name)
}

function toggle(name: string): void {
  if (isOpened(name)) opened.value = opened.value.filter((one) => one !== name)
  else opened.value = [...opened.value, name]
}

export function renderLine(line: TimelineLine, stop: Stop) {
  switch (line.kind) {
    case 'request':
      return renderRequest(line, stop)
    case 'change':
      return renderChange(line, stop)
    case 'fold':
      return renderFold(line, stop)
    case 'moment':
      return <MomentLine />
  }
}

function MomentLine() {
  return (
    <p class="moment-line">
      <b>before row {currentMoment()?.before}</b>
    </p>
  )
}

function renderChange(line: LineOf<'change'>, stop: Stop) {
  const { name, row, parts } = line
  const { part, query } = route.value
  const undone = row.isUndone ? 'undone' : ''
  const left = line.isLeft ? 'left' : ''
  const isOpen = parts.includes(part)
  const href = link('timeline', name, query)
  const text = showHidden(row.text)
  return (
    <div class={`row request change ${undone} ${left} ${findFate(line)}`} aria-current={isOpen}>
      <span class="no">{row.id}</span>
      {renderTime(line)}
      <a class="text" href={href} {...stop}>
        {renderKey(row)} {renderCompared(parts)} <bdi>{text}</bdi> {undone}
      </a>
      <TakeBack class="button link" line={line} tabIndex={stop.tabIndex} />
    </div>
  )
}

function renderFold(line: LineOf<'fold'>, stop: Stop) {
  const { name, row, rows, isOpen } = line
  const faint = row.isUndo || line.isLeft ? 'left' : ''
  const sign = isOpen ? '▾' : '▸'
  const text = row.isUndo ? row.text : `${count(rows.length, 'row')} left behind`
  const act = () => toggle(name)
  return (
    <div class={`row request change fold ${faint}`}>
      <span class="no">{row.id}</span>
      <Button class="text" aria-expanded={isOpen} onClick={act} {...stop}>
        <span aria-hidden="true">{sign}</span> {renderKey(row)} <b>{text}</b>{' '}
        {!row.isUndo && <span class="muted">· {line.subject}</span>}
      </Button>
      <TakeBack class="button link" line={line} tabIndex={stop.tabIndex} />
    </div>
  )
}

type TakeBackProps = {
  line: Item & { readonly isLeft: boolean }
  class?: string
  tabIndex?: number
}

/** The button that undoes a line: `Undo`, `Redo` or `Return`. */
export function TakeBack({ line, ...others }: TakeBackProps) {
  if (line.kind === 'request' || line.steps.length === 0 || line.isLeft) return null
  const { row, steps } = line
  const verb = verbOf(row)
  const label = `${verb} ${row.text}`
  const act = () => takeTurn(() => undo(steps, row.sandbox))
  return (
    <MockButton {...others} aria-label={label} onClick={act}>
      {verb}
    </MockButton>
  )
}

function renderRequest(line: LineOf<'request'>, stop: Stop) {
  const { row } = line
  const left = line.isLeft ? 'left' : ''
  const would = findWouldOf(line)
  const waiting = line.rows.find(isWaiting)
  return (
    <>
      <Row
        line={line}
        stop={stop}
        class={`request ${left} ${waiting ? 'waiting' : ''} ${findFate(line)}`}
      >
        <span class="no">{row.id}</span>
        {renderTime(line)}
        <span class="ending">
          <Status row={row} />
          {would && <WouldBe row={row} would={would} />}
        </span>
        <span class="method">{row.method}</span>
        {renderPath(line)}
        {renderKey(row)}
        {renderReason(row, would)}
        <Took row={row} />
      </Row>
      {waiting && <ReleaseLink row={waiting} tabIndex={stop.tabIndex} />}
    </>
  )
}

/** Of a run of equal requests, the first that would differ. */
function findWouldOf(line: LineOf<'request'>): Would | undefined {
  for (const row of line.rows) {
    const would = findWould(row)
    if (would) return would
  }
  return undefined
}

/** The class of a row that a supposition could change, and of one that it would. */
function findFate({ rows }: { readonly rows: readonly TimelineRow[] }): string {
  const span = findWindow()
  if (!span) return ''
  const isInside = rows.some((row) => row.id >= span.from && row.id <= span.to)
  if (!isInside) return 'quiet'
  const differs = rows.some((row) => isRequest(row) && findWould(row) !== undefined)
  return differs ? 'imagined differs' : 'imagined quiet'
}

/** The status that a request would have got, or a sign that only the rest differs. */
function WouldBe({ row, would }: { row: RequestRow; would: Would }) {
  const isSameStatus = row.status === would.status && row.outcome === would.outcome
  if (isSameStatus)
    return (
      <span class="would" title="The same status, another response">
        {' '}
        ≠
      </span>
    )
  return (
    <span class="would">
      {' '}
      → <Status row={would} />
    </span>
  )
}

function renderPath(line: LineOf<'request'>) {
  const { row, rows, parts } = line
  const target = showHidden(row.target)
  const times = rows.length > 1 ? `× ${count(rows.length)}` : undefined
  const hasEdits = rows.some((one) => hasDraft(draftOfRow(one)))
  return (
    <span class="path" title={target}>
      <bdi>{target}</bdi>
      {times && <Chip text={times} />}
      {renderCompared(parts)}
      {hasEdits && UNSAVED}
    </span>
  )
}

/** Marks the row that you compare with. */
function renderCompared(parts: readonly string[]) {
  const isCompared = parts.includes(route.value.query.compare ?? '')
  return isCompared ? <Chip tone="accent" text="compared" /> : null
}

function renderKey(row: TimelineRow) {
  if (scope() !== '*') return null
  const { sandbox } = row
  return <span class="key">{sandbox === null ? 'no sandbox' : shorten(sandbox, 12)}</span>
}

function renderTime({ row, gap }: TimelineLine) {
  const title = `${formatTime(row.realAt)} UTC; the mock's clock: ${formatDate(row.at)}`
  return <time title={title}>{gap}</time>
}

/** How long the response took, as a text and, above `BAR_FROM_MS`, as a bar. */
function Took({ row }: { row: RequestRow }) {
  const { outcome, durationMs } = row
  if (isWaiting(row)) {
    return (
      <span class="took">
        <Waited since={row.realAt} />
      </span>
    )
  }
  if (outcome !== 'sent') return <span class="took" />
  const tone = durationMs > SLOW_MS ? 'warn' : ''
  const share = durationMs > BAR_FROM_MS ? Math.log10(durationMs / BAR_FROM_MS) / BAR_DIGITS : 0
  return (
    <span class={`took ${tone}`} style={{ '--share': Math.min(share, 1) }}>
      {printDuration(durationMs)}
    </span>
  )
}

function renderReason(row: RequestRow, would: Would | undefined) {
  const [question, ...more] = tellingAssumptions(row)
  const text = would && describeWould(row, would)
  return (
    <span class="why">
      <bdi>
        {would ? sayBriefly(row, would) : renderCauses(row)}
        {text && <span class="would">→ {showHidden(text)}</span>}
      </bdi>
      {question && <Chip tone="change" text={question} />}
      {more.length > 0 && <Chip tone="change" text={`+${more.length}`} />}
    </span>
  )
}

function renderCauses(row: RequestRow) {
  const words = findWords(route.value.query)
  const snippet = findSnippet(row, words)
  if (snippet) return renderHits(showHidden(snippet), words)
  const [first, ...others] = causesOf(row).map((cause) => shortenCause(cause, row))
  if (!first) return <span class="muted">{showHidden(describeResult(row))}</span>
  const texts = [first.text, ...others.map(sayCause)]
  return (
    <>
      {first.chip && <Chip tone={first.tone} text={first.chip} />}
      {showHidden(texts.join(' · '))}
    </>
  )
}

/** What would have been has the room. Another status says enough about what was. */
function sayBriefly(row: RequestRow, would: Would): string {
  if (row.status !== would.status) return ''
  const [first] = causesOf(row).map((cause) => shortenCause(cause, row))
  return `${shorten(showHidden(first?.text ?? describeResult(row)), BRIEF_CHARACTERS)} `
}

/** The place that a search has found in a body. */
function renderHits(text: string, words: readonly string[]) {
  return splitLine(text, words).map((part, index) => {
    if (!part.isHit) return part.text
    return (
      <mark key={index} class="hit">
        {part.text}
      </mark>
    )
  })
}

/** The row names the operation by its method and path. */
function shortenCause(cause: Cause, row: RequestRow): Cause {
  if (cause.chip !== 'fault') return cause
  return { ...cause, text: cause.text.replace(`${row.operation} `, '') }
}
