// The home view: requests and changes, live, newest first, each with its reason. Without requests,
// the quick start.
import { useEffect, useRef } from 'preact/hooks'
import { MAX_LOG_ROWS } from '../../contract/limits.ts'
import { nameOf } from '../../control/text/find-sent.ts'
import { printDuration } from '../../control/text/row-line.ts'
import { isRequest, type RequestRow, type TimelineRow } from '../../world/row.ts'
import { hasDraft } from '../model/drafts.ts'
import { readRows, scope } from '../model/mock.ts'
import { adjust, link, NEW, route } from '../model/route.ts'
import {
  arrange,
  causesOf,
  createFilter,
  type Item,
  SHOWS,
  SLOW_MS,
  sayCause,
  tellingAssumptions,
} from '../model/rows.ts'
import { signal } from '../model/signal.ts'
import {
  capitalize,
  count,
  dateTime,
  shorten,
  showHidden,
  type Texts,
  timeOf,
} from '../model/text.ts'
import { Button, Chip, Clear, Loading, Status, Tools, UNSAVED, Waited } from '../ui/controls.tsx'
import { Columns, type Line, List, Row, type Stop } from '../ui/pane.tsx'
import { RowDetail, TakeBack } from './request-detail.tsx'
import { draftOfRow, findDrafted, openSent, QuickStart, SendPane } from './send-form.tsx'

type TimelineLine = Item & Line & { readonly isLeft: boolean; readonly isOpen: boolean }
type LineProps<K extends Item['kind']> = {
  line: Extract<TimelineLine, { readonly kind: K }>
  stop: Stop
}

const opened = signal<readonly string[]>([])
const COLUMNS = { no: '', when: 'Real time', answer: '', method: '', path: 'Path' }
const TOOLS = { search: `Words, 4xx, ${SHOWS.slow}, key:ann`, name: 'show', add: 'New request' }

export function Timeline() {
  const log = readRows()
  const { part, query } = route.value
  const isNamed = (row: TimelineRow) => nameOf(row) === part
  // The open row stays when it leaves the log: you may be typing in its detail.
  const pinned = useRef<readonly TimelineRow[]>([])
  const gone = log?.some(isNamed) ? [] : pinned.current.filter(isNamed)
  const rows = log && [...log, ...gone]
  const named = rows?.find(isNamed) ?? rows?.find(({ id }) => String(id) === part)
  pinned.current = named ? [named] : []
  const requests = rows?.filter(isRequest) ?? []
  useEffect(() => openSent(requests), [log])
  // An address may leave the sandbox out.
  useEffect(() => void (named && !isNamed(named) && adjust({ part: nameOf(named) })), [named])
  if (!rows) return <Loading />
  const lines = toLines(rows, query, part)
  const line = lines.find(({ parts }) => parts.includes(part))
  const hasRequests = requests.length > 0
  const columns = { ...COLUMNS, ...(scope() === '*' && { key: 'Key' }), why: 'Why', took: 'Took' }
  const countOf = (id: string) => requests.filter(createFilter({ ...query, show: id })).length
  const options = Object.keys(SHOWS).map(
    (id) => [id, capitalize(id || 'all'), countOf(id)] as const,
  )
  return (
    <>
      <div class="view">
        <h1 class="hidden" tabIndex={-1} children="Timeline" />
        {hasRequests && (
          <Tools {...TOOLS} options={options} isUnsaved={!!findDrafted()}>
            {query.assumption && <Clear text={`${query.assumption} ✕`} />}
          </Tools>
        )}
        <div class="scroller" style="overflow-anchor: none">
          {hasRequests ? <Columns class="request" texts={columns} /> : <QuickStart />}
          <List label="Requests and changes, newest first" lines={lines} render={renderLine} />
          {hasRequests && lines.length === 0 && (
            <p class="empty">{['Nothing matches. ', <Clear key="" />]}</p>
          )}
          {rows.length >= MAX_LOG_ROWS && (
            <p class="empty">The last {count(MAX_LOG_ROWS)} are shown.</p>
          )}
        </div>
      </div>
      {part === NEW && <SendPane />}
      {part !== NEW && part !== '' && <RowDetail key={part} row={named} line={line} />}
    </>
  )
}

function toLines(rows: readonly TimelineRow[], query: Texts, part: string): TimelineLine[] {
  const keep = createFilter(query)
  const place = (item: Item, isLeft: boolean): TimelineLine[] => {
    const parts = item.kind === 'fold' ? [item.name, nameOf(item.rewind)] : item.rows.map(nameOf)
    const isOpened = opened.value.includes(item.name)
    const isOpen =
      item.kind === 'fold' && (isOpened || item.rows.some((row) => nameOf(row) === part))
    const inside = isOpen ? arrange(item.rows, keep).flatMap((one) => place(one, true)) : []
    return [{ ...item, parts, isLeft, isOpen, heights: heightsOf(item) }, ...inside]
  }
  return arrange(rows, keep).flatMap((item) => place(item, false))
}

/** As `styles/4-views.css` has it: in a narrow list a request with a reason has two lines. */
function heightsOf(item: Item): readonly [number, number] {
  if (item.kind !== 'request') return [28, 32]
  const [row] = item.rows as [RequestRow]
  return [
    28,
    scope() === '*' || causesOf(row).length > 0 || tellingAssumptions(row).length > 0 ? 54 : 32,
  ]
}

function renderLine(line: TimelineLine, stop: Stop) {
  if (line.kind === 'request') return <Request line={line} stop={stop} />
  return line.kind === 'change' ? (
    <Change line={line} stop={stop} />
  ) : (
    <Fold line={line} stop={stop} />
  )
}

function Change({ line, stop }: LineProps<'change'>) {
  const { name, rows, parts, isLeft } = line
  const { part, query } = route.value
  const [row] = rows as [(typeof rows)[number]]
  const { id, text, isUndone } = row
  const className = `row request change ${isUndone ? 'undone' : ''} ${isLeft ? 'left' : ''}`
  return (
    <div class={className} aria-current={parts.includes(part)}>
      <span class="no">{id}</span>
      <When row={row} />
      <a class="text" href={link('timeline', name, query)} {...stop}>
        <Key row={row} /> <Base line={line} /> <bdi>{showHidden(text)}</bdi> {isUndone && 'undone'}
      </a>
      <TakeBack class="button link" line={line} tabIndex={stop.tabIndex} />
    </div>
  )
}

function Fold({ line, stop }: LineProps<'fold'>) {
  const { name, rows, rewind, subject, isLeft, isOpen } = line
  const { id, isUndo, text } = rewind
  const head = isUndo ? text : `${count(rows.length, 'row')} left behind`
  const toggle = () =>
    (opened.value = isOpen ? opened.value.filter((one) => one !== name) : [...opened.value, name])
  return (
    <div class={`row request change fold ${isUndo || isLeft ? 'left' : ''}`}>
      <span class="no">{id}</span>
      <Button class="text" aria-expanded={isOpen} onClick={toggle} {...stop}>
        <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> <Key row={rewind} /> <b>{head}</b>{' '}
        {!isUndo && <span class="muted">· {subject}</span>}
      </Button>
      <TakeBack class="button link" line={line} tabIndex={stop.tabIndex} />
    </div>
  )
}

function Request({ line, stop }: LineProps<'request'>) {
  const { rows, isLeft } = line
  const [row] = rows as [RequestRow]
  const { id, method, target, outcome, durationMs, realAt } = row
  return (
    <Row line={line} stop={stop} class={isLeft ? 'request left' : 'request'}>
      <span class="no">{id}</span>
      <When row={row} />
      <Status row={row} />
      <span class="method">{method}</span>
      <span class="path" title={showHidden(target)}>
        <bdi>{showHidden(target)}</bdi>
        {rows.length > 1 && <Chip text={`× ${count(rows.length)}`} />}
        <Base line={line} />
        {rows.some((one) => hasDraft(draftOfRow(one))) && UNSAVED}
      </span>
      <Key row={row} />
      <Why row={row} />
      <span class={durationMs > SLOW_MS ? 'took warn' : 'took'}>
        {outcome === 'waiting' ? (
          <Waited since={realAt} />
        ) : (
          outcome === 'sent' && printDuration(durationMs)
        )}
      </span>
    </Row>
  )
}

const Base = ({ line: { parts } }: { line: Line }) =>
  parts.includes(route.value.query.compare ?? '') ? <Chip tone="accent" text="compared" /> : null

const Key = ({ row: { sandbox } }: { row: TimelineRow }) =>
  scope() === '*' ? (
    <span class="key">{sandbox === null ? 'no sandbox' : shorten(sandbox, 12)}</span>
  ) : null

const When = ({ row: { at, realAt } }: { row: TimelineRow }) => (
  <time title={`The mock's clock: ${dateTime(at)}`}>{timeOf(realAt)}</time>
)

function Why({ row }: { row: RequestRow }) {
  const causes = causesOf(row)
  const [first] = causes
  const texts = causes.map((cause, index) => {
    const text = cause.chip === 'fault' ? cause.text.replace(`${row.operation} `, '') : cause.text
    return index > 0 ? sayCause({ ...cause, text }) : text
  })
  const chip = first?.chip && <Chip key="chip" tone={first.tone} text={first.chip} />
  const [question, ...more] = tellingAssumptions(row)
  return (
    <span class="why">
      {first && <bdi children={[chip, showHidden(texts.join(' · '))]} />}
      {question && <Chip tone="change" text={question} />}
      {more.length > 0 && <Chip tone="change" text={`+${more.length}`} />}
    </span>
  )
}
