// One row in full: first the reason, then what you can do with it, what would have been, and its
// messages.
import {
  describeKeyRule,
  isMoved,
  isTestable,
  renderCurl,
  renderFetch,
  renderTests,
  requestOf,
  testOf,
} from '../../control/text/copy.ts'
import { isRefused, nameOf, printDuration, toneOf } from '../../control/text/rows.ts'
import {
  type ChangeRow,
  isChange,
  LACKS,
  type RequestRow,
  type TimelineRow,
} from '../../world/row.ts'
import { attempt, change } from '../model/actions.ts'
import type { Item } from '../model/arrange.ts'
import { drawer, mockUrl } from '../model/connection.ts'
import { addedId, causesOf, OUTCOMES, sayCause } from '../model/explain.ts'
import { askMoment, read, readPet } from '../model/mock.ts'
import { adjust, link, route } from '../model/route.ts'
import { capitalize, count, formatDate, formatTime, shorten, showHidden } from '../model/text.ts'
import { Act, Button } from '../ui/button.tsx'
import { Status, Waited } from '../ui/chip.tsx'
import { copy } from '../ui/code.tsx'
import { Menu } from '../ui/menu.tsx'
import { Pane } from '../ui/pane.tsx'
import { Comparison } from './comparison.tsx'
import { sendRequest } from './send-form.tsx'
import { TakeBack } from './timeline-line.tsx'
import { WhatIf } from './what-if.tsx'

type DetailLine = (Item & { readonly isLeft: boolean }) | undefined

export function RowDetail({ row, line }: { row: TimelineRow | undefined; line: DetailLine }) {
  if (!row) return <Pane title={`Row ${route.value.part}`}>Not among the last rows.</Pane>
  if (isChange(row)) return <ChangeDetail row={row} line={line} />
  return <RequestDetail row={row} line={line} />
}

function ChangeDetail({ row, line }: { row: ChangeRow; line: DetailLine }) {
  const title = (
    <>
      <bdi>{showHidden(row.text)}</bdi> <RowNumber row={row} />
    </>
  )
  return (
    <Pane hasRows more={<CompareButton row={row} />} title={title}>
      <p class="muted">{describeMoment(row, line)}</p>
      <div class="buttons">
        <GoBackButton row={row} />
        {line && <TakeBack line={line} />}
      </div>
      <Comparison row={row} />
    </Pane>
  )
}

function RequestDetail({ row, line }: { row: RequestRow; line: DetailLine }) {
  const { sandbox, key } = row
  const isWaiting = row.outcome === 'waiting'
  const took = isWaiting ? <Waited since={row.realAt} /> : printDuration(row.durationMs)
  const shownKey = sandbox === null ? key : shorten(sandbox)
  const title = (
    <>
      <Status row={row} /> <span class="method">{row.method}</span>{' '}
      <bdi class="target">{showHidden(row.target)}</bdi> <RowNumber row={row} />
    </>
  )
  return (
    <Pane hasRows more={<CompareButton row={row} />} title={title}>
      <WhatIf row={row}>
        <Reason row={row} line={line} />
        <p class="muted">
          {describeMoment(row, line)} · {took} ·{' '}
          <span class="key">{shownKey === null ? 'no key' : `key ${shownKey}`}</span>
          {row.operation !== null && ` · ${row.operation}`}
        </p>
        <Actions row={row} />
      </WhatIf>
    </Pane>
  )
}

function RowNumber({ row }: { row: TimelineRow }) {
  return <small class="no">{`row\u00a0${row.id}`}</small>
}

function describeMoment(row: TimelineRow, line: DetailLine): string {
  const left = line?.isLeft ? 'Left behind · ' : ''
  const moved = isMoved(row) ? ` (${formatDate(row.at)} by the mock's clock)` : ''
  return `${left}${formatTime(row.realAt)} UTC${moved}`
}

/** The next row that you open is the other side. */
function CompareButton({ row }: { row: TimelineRow }) {
  const isComparing = Boolean(route.value.query.compare)
  const compare = isComparing ? '' : nameOf(row)
  return (
    <Act aria-pressed={isComparing} onClick={() => adjust({ query: { compare } })}>
      Compare
    </Act>
  )
}

function GoBackButton({ row }: { row: TimelineRow }) {
  const rewind = () => change((mock) => mock.rewind(row.id), undefined, row.sandbox)
  return (
    <Act class="button primary" onClick={rewind}>
      Go back to here
    </Act>
  )
}

function Reason({ row, line }: { row: RequestRow; line: DetailLine }) {
  const { sandbox, status } = row
  const run = line?.kind === 'request' ? line.rows : []
  const tone = toneOf(row)
  const isPlain = tone === 'good' && row.faults.length === 0
  const separator = isPlain && ' · '
  const [first = describeOutcome(row), ...others] = causesOf(row).map(sayCause)
  const added = addedId(row)
  const isThere = added !== undefined && !line?.isLeft && readPet(added, sandbox)
  const wasKeyRefused = status === 401 && isRefused(row)
  return (
    <section
      class={isPlain ? 'note' : `card reason ${tone === 'good' ? 'warn' : tone}`}
      aria-label="Why this response"
    >
      {first && <strong>{showHidden(first)}</strong>}
      {others.map((text) => [separator, <bdi key={text}>{showHidden(text)}</bdi>])}
      {isThere && separator}
      {isThere && <a href={link('animals', added, {}, sandbox)}>Show animal {added}</a>}
      {wasKeyRefused && <p>{capitalize(describeKeyRule(read('state', sandbox)))}.</p>}
      {run.length > 1 && (
        <p class="attempts">
          Sent {count(run.length)} times. Rows <RowLinks rows={run} current={row} />
        </p>
      )}
    </section>
  )
}

/** Links to the rows of a run, the oldest first. */
function RowLinks({ rows, current }: { rows: readonly RequestRow[]; current: RequestRow }) {
  const links = rows.toReversed().map((row, index) => {
    const separator = index === 0 ? '' : ', '
    if (row === current) return [separator, <b key={row.id}>{row.id}</b>]
    const href = link('timeline', nameOf(row), route.value.query)
    return [
      separator,
      <a key={row.id} href={href}>
        {row.id}
      </a>,
    ]
  })
  return <>{links}</>
}

function describeOutcome(row: RequestRow): string {
  return row.outcome === 'sent' ? '' : OUTCOMES[row.outcome].text
}

function Actions({ row }: { row: RequestRow }) {
  const note = row.lacks && `It ${LACKS[row.lacks]}.`
  return (
    <div class="buttons">
      <GoBackButton row={row} />
      <Act isOff={note !== undefined} title={note} onClick={() => sendRequest(readRequest(row))}>
        Send again
      </Act>
      <Menu name="Copy as">
        {listCopies(row).map(({ label, render }) => (
          <Button
            key={label}
            class="item"
            onClick={() => attempt(async () => copy(await render(), note))}
          >
            {label}
          </Button>
        ))}
      </Menu>
    </div>
  )
}

function readRequest(row: RequestRow) {
  return requestOf(row, read('state', row.sandbox), mockUrl)
}

type Copy = { label: string; render(): string | Promise<string> }

function listCopies(row: RequestRow): Copy[] {
  const copies: Copy[] = []
  // No other program reaches a mock inside a page.
  if (!drawer) copies.push({ label: 'curl', render: () => renderCurl(readRequest(row)) })
  copies.push({ label: 'fetch', render: () => renderFetch(readRequest(row)) })
  if (isTestable(row)) copies.push({ label: 'Vitest test', render: () => renderTest(row) })
  return copies
}

async function renderTest(row: RequestRow): Promise<string> {
  const moment = await askMoment(row)
  return renderTests([testOf(row, moment, mockUrl)])
}
