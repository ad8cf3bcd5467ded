// One row in full: first the reason, then what you can do with it, what would have been, and its
// messages.
import { Fragment } from 'preact'
import { isRefused, toneOf } from '../../control/rows/reasons.ts'
import { printDuration } from '../../control/rows/row-line.ts'
import { renderCurl } from '../../control/text/copy-curl.ts'
import { isMoved, isTestable, requestOf, testOf } from '../../control/text/copy-logged.ts'
import { renderFetch, renderTests } from '../../control/text/copy-script.ts'
import { nameOf } from '../../control/text/find-sent.ts'
import { describeKeyRule } from '../../control/text/working-key.ts'
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
import { Button, MockButton } from '../ui/button.tsx'
import { Status, Waited } from '../ui/chip.tsx'
import { copy } from '../ui/copy.ts'
import { Menu } from '../ui/menu.tsx'
import { Pane } from '../ui/pane.tsx'
import { renderComparison } from './comparison.tsx'
import { sendRequest } from './send-form.tsx'
import { TakeBack } from './timeline-line.tsx'
import { WhatIf } from './what-if.tsx'

type DetailLine = (Item & { readonly isLeft: boolean }) | undefined

export function RowDetail({ row, line }: { row: TimelineRow | undefined; line: DetailLine }) {
  if (!row) return <Pane title={`Row ${route.value.part}`}>Not among the last rows.</Pane>
  if (isChange(row)) return renderChange(row, line)
  return renderRequest(row, line)
}

function renderChange(row: ChangeRow, line: DetailLine) {
  const title = (
    <>
      <bdi>{showHidden(row.text)}</bdi> {renderNumber(row)}
    </>
  )
  return (
    <Pane hasRows more={renderCompare(row)} title={title}>
      <p class="muted">{describeMoment(row, line)}</p>
      <div class="buttons">
        {renderGoBack(row)}
        {line && <TakeBack line={line} />}
      </div>
      {renderComparison(row)}
    </Pane>
  )
}

function renderRequest(row: RequestRow, line: DetailLine) {
  const { sandbox, key } = row
  const isWaiting = row.outcome === 'waiting'
  const took = isWaiting ? <Waited since={row.realAt} /> : printDuration(row.durationMs)
  const shownKey = sandbox === null ? key : shorten(sandbox)
  const title = (
    <>
      <Status row={row} /> <span class="method">{row.method}</span>{' '}
      <bdi class="target">{showHidden(row.target)}</bdi> {renderNumber(row)}
    </>
  )
  return (
    <Pane hasRows more={renderCompare(row)} title={title}>
      <WhatIf row={row}>
        {renderReason(row, line)}
        <p class="muted">
          {describeMoment(row, line)} · {took} ·{' '}
          <span class="key">{shownKey === null ? 'no key' : `key ${shownKey}`}</span>
          {row.operation !== null && ` · ${row.operation}`}
        </p>
        {renderActions(row)}
      </WhatIf>
    </Pane>
  )
}

function renderNumber(row: TimelineRow) {
  return <small class="no">{`row\u00a0${row.id}`}</small>
}

function describeMoment(row: TimelineRow, line: DetailLine): string {
  const left = line?.isLeft ? 'Left behind · ' : ''
  const moved = isMoved(row) ? ` (${formatDate(row.at)} by the mock's clock)` : ''
  return `${left}${formatTime(row.realAt)} UTC${moved}`
}

/** The next row that you open is the other side. */
function renderCompare(row: TimelineRow) {
  const isComparing = Boolean(route.value.query.compare)
  const compare = isComparing ? '' : nameOf(row)
  return (
    <MockButton aria-pressed={isComparing} onClick={() => adjust({ query: { compare } })}>
      Compare
    </MockButton>
  )
}

function renderGoBack(row: TimelineRow) {
  const rewind = () => change((mock) => mock.rewind(row.id), { sandbox: row.sandbox })
  return (
    <MockButton class="button primary" onClick={rewind}>
      Go back to here
    </MockButton>
  )
}

function renderReason(row: RequestRow, line: DetailLine) {
  const { sandbox } = row
  const run = line?.kind === 'request' ? line.rows : []
  const tone = toneOf(row)
  const isPlain = tone === 'good' && row.faults.length === 0
  const className = isPlain ? 'note' : `card reason ${tone === 'good' ? 'warn' : tone}`
  const separator = isPlain && ' · '
  const [first = describeOutcome(row), ...others] = causesOf(row).map(sayCause)
  const added = addedId(row)
  const isThere = added !== undefined && !line?.isLeft && readPet(added, sandbox)
  const wasKeyRefused = row.status === 401 && isRefused(row)
  return (
    <section class={className} aria-label="Why this response">
      {first && <strong>{showHidden(first)}</strong>}
      {others.map((text) => [separator, <bdi key={text}>{showHidden(text)}</bdi>])}
      {isThere && separator}
      {isThere && <a href={link('animals', added, {}, sandbox)}>Show animal {added}</a>}
      {wasKeyRefused && <p>{capitalize(describeKeyRule(read('state', sandbox)))}.</p>}
      {run.length > 1 && (
        <p class="attempts">
          Sent {count(run.length)} times. Rows {renderLinks(run, row)}
        </p>
      )}
    </section>
  )
}

/** Links to the rows of a run, the oldest first. */
function renderLinks(rows: readonly RequestRow[], current: RequestRow) {
  return rows.toReversed().map((row, index) => {
    const href = link('timeline', nameOf(row), route.value.query)
    return (
      <Fragment key={row.id}>
        {index > 0 && ', '}
        {row === current ? <b>{row.id}</b> : <a href={href}>{row.id}</a>}
      </Fragment>
    )
  })
}

function describeOutcome(row: RequestRow): string {
  return row.outcome === 'sent' ? '' : OUTCOMES[row.outcome].text
}

function renderActions(row: RequestRow) {
  const note = row.lacks && `It ${LACKS[row.lacks]}.`
  return (
    <div class="buttons">
      {renderGoBack(row)}
      <MockButton
        isOff={note !== undefined}
        title={note}
        onClick={() => sendRequest(readRequest(row))}
      >
        Send again
      </MockButton>
      <Menu name="Copy as">
        {listCopies(row).map(([label, render]) => (
          <Button key={label} class="item" onClick={() => copyResult(render, note)}>
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

type Render = () => string | Promise<string>

function copyResult(render: Render, note: string | undefined) {
  return attempt(async () => copy(await render(), note))
}

function listCopies(row: RequestRow) {
  const copies: [label: string, render: Render][] = []
  // No other program reaches a mock inside a page.
  if (!drawer) copies.push(['curl', () => renderCurl(readRequest(row))])
  copies.push(['fetch', () => renderFetch(readRequest(row))])
  if (isTestable(row)) copies.push(['Vitest test', () => renderTest(row)])
  return copies
}

async function renderTest(row: RequestRow): Promise<string> {
  const moment = await askMoment(row)
  return renderTests([testOf(row, moment, mockUrl)])
}
