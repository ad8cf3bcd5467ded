// The home view: requests and changes, live, newest first, each with its reason. Without requests,
// the quick start.
import { useEffect, useRef } from 'preact/hooks'
import { MAX_LOG_ROWS } from '../../contract/limits.ts'
import { nameRow } from '../../control/rows/name-row.ts'
import { isRequest, type TimelineRow } from '../../world/row.ts'
import { arrange, type Item } from '../model/arrange.ts'
import { readRows, scope } from '../model/mock.ts'
import { currentMoment } from '../model/moment.ts'
import { notice } from '../model/notice.ts'
import { adjust, NEW, route } from '../model/route.ts'
import { createFilter, findTerms, SHOWS, suggestWords } from '../model/row-filter.ts'
import { capitalize, count, formatGap, type Texts } from '../model/text.ts'
import { ClearFilter } from '../ui/button.tsx'
import { Loading } from '../ui/chip.tsx'
import { catchUpGently, Scroller, useHeld, useOwnChange } from '../ui/hold.tsx'
import { Columns, List } from '../ui/list.tsx'
import { SearchChips } from '../ui/search.tsx'
import { filterBy, Tools } from '../ui/tools.tsx'
import { ChoiceBar } from './choice-bar.tsx'
import { QuickStart } from './quick-start.tsx'
import { type DetailLine, RowDetail } from './row-detail.tsx'
import { findDrafted, openSent, SendPane } from './send-form.tsx'
import { ShareMenu } from './share-menu.tsx'
import { isOpened, renderLine, type TimelineLine } from './timeline-line.tsx'

const ONE_LINE_PX = [28, 32] as const
const MOMENT_PX = [20, 20] as const
/** In a wide list and in a narrow one, as `styles/4-views.css` has them. */
const HEIGHTS = {
  request: [28, 54],
  change: ONE_LINE_PX,
  fold: ONE_LINE_PX,
} satisfies Readonly<Record<Item['kind'], TimelineLine['heights']>>

export function Timeline() {
  const log = readRows()
  const { part, query } = route.value
  const isNamed = (row: TimelineRow) => nameRow(row) === part
  // The open row stays when it leaves the log: you may be typing in its detail.
  const pinned = useRef<readonly TimelineRow[]>([])
  const gone = log?.some(isNamed) ? [] : pinned.current.filter(isNamed)
  const rows = log ? [...log, ...gone] : []
  // An address may leave the sandbox out.
  const named = rows.find(isNamed) ?? rows.find((row) => String(row.id) === part)
  pinned.current = named ? [named] : []
  const requests = rows.filter(isRequest)
  const held = useHeld(rows, nameRow)
  const own = notice.value?.undoable?.row
  useOwnChange(own !== undefined && rows.some((row) => row.id === own.id))
  useEffect(() => openSent(requests), [log])
  useEffect(() => {
    if (named && !isNamed(named)) adjust({ part: nameRow(named) })
  }, [named])
  useEffect(() => {
    if (named && !held.items.includes(named)) catchUpGently()
  }, [part])
  if (!log) return <Loading />
  const lines = listLines(held.items, query, part)
  const openLine = lines.find((line) => line.parts.includes(part)) as DetailLine
  const hasRequests = requests.length > 0
  return (
    <>
      <div class={currentMoment()?.change ? 'view supposed' : 'view'}>
        <h1 class="hidden" tabIndex={-1}>
          Timeline
        </h1>
        {hasRequests && renderTools(rows, query, held.items)}
        <ChoiceBar rows={rows} />
        <Scroller>
          {hasRequests ? <Columns class="request" texts={listColumns()} /> : <QuickStart />}
          <List
            label="Requests and changes, newest first"
            lines={lines}
            newCount={held.newCount}
            render={renderLine}
          />
          {hasRequests && lines.length === 0 && (
            <p class="empty">
              Nothing matches. <ClearFilter />
            </p>
          )}
          {rows.length >= MAX_LOG_ROWS && (
            <p class="empty">The last {count(MAX_LOG_ROWS)} are shown.</p>
          )}
        </Scroller>
      </div>
      {part === NEW && <SendPane />}
      {part !== NEW && part !== '' && <RowDetail key={part} row={named} line={openLine} />}
    </>
  )
}

function renderTools(rows: readonly TimelineRow[], query: Texts, listed: readonly TimelineRow[]) {
  const requests = rows.filter(isRequest)
  const options = Object.keys(SHOWS).map((show) => {
    const shown = requests.filter(createFilter({ ...query, show }))
    return [show, capitalize(show || 'all'), shown.length] as const
  })
  const suggest = (typed: string) => suggestWords(requests, typed)
  const remove = (word: string) => removeWord(word, query)
  const isUnsaved = findDrafted() !== undefined
  return (
    <Tools
      search="Search"
      suggest={suggest}
      name="show"
      options={options}
      add="New request"
      isUnsaved={isUnsaved}
    >
      <SearchChips words={findTerms(query)} onRemove={remove} />
      {query.assumption && <ClearFilter>{query.assumption} ✕</ClearFilter>}
      <ShareMenu rows={listed.filter(createFilter(query))} />
    </Tools>
  )
}

function removeWord(word: string, { q = '' }: Texts): void {
  const others = q.split(/[\s,]+/).filter((one) => one !== word)
  filterBy('q', others.join(' '))
}

function listColumns(): Texts {
  const before = { no: '', when: 'When', answer: '', method: '', path: 'Path' }
  const after = { why: 'Why', took: 'Took' }
  return scope() === '*' ? { ...before, key: 'Key', ...after } : { ...before, ...after }
}

function listLines(rows: readonly TimelineRow[], query: Texts, part: string): TimelineLine[] {
  const keep = createFilter(query)
  const lines: Omit<TimelineLine, 'gap'>[] = []
  const add = (item: Item, isLeft: boolean) => {
    const isFold = item.kind === 'fold'
    const hasPart = item.rows.some((row) => nameRow(row) === part)
    const isOpen = isFold && (isOpened(item.name) || hasPart)
    const parts = isFold ? [item.name, nameRow(item.row)] : item.rows.map(nameRow)
    lines.push({ ...item, parts, isLeft, isOpen, heights: HEIGHTS[item.kind] })
    if (!isOpen) return
    for (const one of arrange(item.rows, keep)) add(one, true)
  }
  for (const item of arrange(rows, keep)) add(item, false)
  return addMoment(lines.map(addGap))
}

/** A line above the newest row that was there before the moment. */
function addMoment(lines: readonly TimelineLine[]): TimelineLine[] {
  const before = currentMoment()?.before
  if (before === undefined) return [...lines]
  const found = lines.findIndex((line) => line.row.id < before)
  const place = found < 0 ? lines.length : found
  const [near] = lines
  if (!near) return []
  const line = { ...near, kind: 'moment', name: 'moment', parts: [], heights: MOMENT_PX } as const
  return lines.toSpliced(place, 0, line as TimelineLine)
}

function addGap(
  line: Omit<TimelineLine, 'gap'>,
  index: number,
  lines: readonly Omit<TimelineLine, 'gap'>[],
): TimelineLine {
  const before = lines[index + 1]
  const gap = formatGap(line.row.realAt, before?.row.realAt)
  return { ...line, gap } as TimelineLine
}
