// One request in full: first the reason, then what you can do with it, what would have been, and
// its messages.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { renderCurl } from '../../control/text/copy-curl.ts'
import { isMoved, isTestable, requestOf, testOf } from '../../control/text/copy-logged.ts'
import { renderFetch, renderTests } from '../../control/text/copy-script.ts'
import { nameOf } from '../../control/text/find-sent.ts'
import { isRefused, toneOf } from '../../control/text/reasons.ts'
import { printDuration } from '../../control/text/row-line.ts'
import { describeKeyRule } from '../../control/text/working-key.ts'
import {
  type ChangeRow,
  isChange,
  isCut,
  LACKS,
  type RequestRow,
  type TimelineRow,
} from '../../world/row.ts'
import { attempt, change, undo } from '../model/actions.ts'
import { drawer, mockUrl } from '../model/connection.ts'
import { askMoment, read, readPet } from '../model/mock.ts'
import { adjust, link, route } from '../model/route.ts'
import {
  addedId,
  causesOf,
  type Item,
  markLines,
  OUTCOMES,
  sayCause,
  verbOf,
} from '../model/rows.ts'
import {
  capitalize,
  count,
  dateTime,
  fieldLines,
  shorten,
  showHidden,
  size,
  timeOf,
} from '../model/text.ts'
import { Act, Button, Json as Code, copy, Menu, OneOf, Status, Waited } from '../ui/controls.tsx'
import { Pane } from '../ui/pane.tsx'
import { Comparison, Saw, WhatIfColumns } from './moment.tsx'
import { sendRequest } from './send-form.tsx'

type DetailLine = Item & { readonly isLeft: boolean }

export function RowDetail({
  row,
  line,
}: {
  row: TimelineRow | undefined
  line: DetailLine | undefined
}) {
  if (!row) return <Pane title={`Row ${route.value.part}`}>Not among the last rows.</Pane>
  const { at, realAt, sandbox } = row
  const clock = isMoved(row) ? ` (${dateTime(at)} by the mock's clock)` : ''
  const when = `${line?.isLeft ? 'Left behind · ' : ''}${timeOf(realAt)} UTC${clock}`
  const isComparing = !!route.value.query.compare
  // The next row that you open is the other side.
  const compare = () => adjust({ query: { compare: isComparing ? '' : nameOf(row) } })
  const more = <Act class="button" aria-pressed={isComparing} text="Compare" onClick={compare} />
  const rewind = () => change((mock) => mock.rewind(row.id), undefined, sandbox)
  const goBack = <Act key="back" class="button primary" text="Go back to here" onClick={rewind} />
  if (isChange(row)) {
    const title = [<bdi key="">{showHidden(row.text)}</bdi>, ' ', <RowNumber key="no" row={row} />]
    return (
      <Pane hasRows more={more} title={title}>
        <p class="muted">{when}</p>
        <div class="buttons" children={[goBack, line && <TakeBack key="undo" line={line} />]} />
        <Comparison row={row} />
      </Pane>
    )
  }
  const { durationMs, key, method, target, outcome } = row
  const shown = sandbox === null ? key : shorten(sandbox)
  const title = (
    <>
      <Status row={row} /> <span class="method">{method}</span>{' '}
      <bdi class="target">{showHidden(target)}</bdi> <RowNumber row={row} />
    </>
  )
  return (
    <Pane hasRows more={more} title={title}>
      <WhatIfColumns
        row={row}
        messages={(isCompared) => <Messages row={row} isCompared={isCompared} />}
      >
        <Reason row={row} group={line?.kind === 'request' ? line.rows : []} isLeft={line?.isLeft} />
        <p class="muted">
          {when} · {outcome === 'waiting' ? <Waited since={realAt} /> : printDuration(durationMs)} ·{' '}
          <span class="key">{shown === null ? 'no key' : `key ${shown}`}</span>
          {row.operation !== null && <> · {row.operation}</>}
        </p>
        <Actions row={row} goBack={goBack} />
      </WhatIfColumns>
    </Pane>
  )
}

export function TakeBack({
  line,
  ...others
}: {
  line: DetailLine
  class?: string
  tabIndex?: number
}) {
  if (line.kind === 'request' || line.steps.length === 0 || line.isLeft) return null
  const { rows, steps } = line
  const row = line.kind === 'fold' ? line.rewind : (rows[0] as ChangeRow)
  const verb = verbOf(row)
  return (
    <Act
      {...others}
      aria-label={`${verb} ${row.text}`}
      text={verb}
      onClick={() => undo(steps, row.sandbox)}
    />
  )
}

const RowNumber = ({ row }: { row: TimelineRow }) => (
  <small class="no">{`row\u00a0${row.id}`}</small>
)

type ReasonProps = { row: RequestRow; group: readonly RequestRow[]; isLeft: boolean | undefined }
function Reason({ row, group, isLeft }: ReasonProps) {
  const { sandbox, status, outcome } = row
  const added = addedId(row)
  const isThere = added && !isLeft && readPet(added, sandbox)
  const animal = isThere && <a href={link('animals', added, {}, sandbox)}>Show animal {added}</a>
  const [first = outcome === 'sent' ? '' : OUTCOMES[outcome][1], ...others] =
    causesOf(row).map(sayCause)
  const tone = toneOf(row)
  const isPlain = tone === 'good' && row.faults.length === 0
  const linkTo = (one: RequestRow, index: number) => [
    one === row ? (
      <b>{one.id}</b>
    ) : (
      <a href={link('timeline', nameOf(one), route.value.query)}>{one.id}</a>
    ),
    index === 0 ? '' : ', ',
  ]
  return (
    <section
      class={isPlain ? 'note' : `card reason ${tone === 'good' ? 'warn' : tone}`}
      aria-label="Why this response"
    >
      {first && <strong>{showHidden(first)}</strong>}
      {others.map((text) => [isPlain && ' · ', <bdi key={text}>{showHidden(text)}</bdi>])}
      {animal && [isPlain && ' · ', animal]}
      {status === 401 && isRefused(row) && (
        <p>{capitalize(describeKeyRule(read('state', sandbox)))}.</p>
      )}
      {group.length > 1 && (
        <p class="attempts">
          Sent {count(group.length)} times. Rows {group.map(linkTo).reverse()}
        </p>
      )}
    </section>
  )
}

function Actions({ row, goBack }: { row: RequestRow; goBack: ComponentChildren }) {
  const state = read('state', row.sandbox)
  const note = row.lacks && `It ${LACKS[row.lacks]}.`
  const request = () => requestOf(row, state, mockUrl)
  const copyAs = (render: () => string | Promise<string>) =>
    attempt(async () => copy(await render(), note))
  const copies = {
    // No other program reaches a mock inside a page.
    ...(!drawer && { curl: () => renderCurl(request()) }),
    fetch: () => renderFetch(request()),
    ...(isTestable(row) && {
      'Vitest test': async () => renderTests([testOf(row, await askMoment(row), mockUrl)]),
    }),
  }
  return (
    <div class="buttons">
      {goBack}
      <Act
        isOff={note !== undefined}
        title={note}
        text="Send again"
        onClick={() => sendRequest(request())}
      />
      <Menu name="Copy as">
        {Object.entries(copies).map(([label, render]) => (
          <Button key={label} class="item" text={label} onClick={() => copyAs(render)} />
        ))}
      </Menu>
    </div>
  )
}

/**
 * You look for the offending line of the request, if there is one; else for the response, unless it
 * is shown above.
 */
function Messages({ row, isCompared }: { row: RequestRow; isCompared: boolean }) {
  const { request, response, status, outcome } = row
  const marks = markLines(row)
  const hasResponse = !isCompared && status !== 0 && outcome !== 'waiting'
  const messages = { ...(hasResponse && { Response: response }), Request: request }
  const [chosen, choose] = useState('')
  const shown = useRef<HTMLDivElement>(null)
  useEffect(() => void (chosen && shown.current?.scrollIntoView({ block: 'nearest' })), [chosen])
  const first = hasResponse && marks.length === 0 ? 'Response' : 'Request'
  const tab = chosen === '' || (chosen === 'Response' && !hasResponse) ? first : chosen
  const { body } = messages[tab as keyof typeof messages] ?? { body: '' }
  const length = isCut(body) ? 'cut' : size(body)
  const labelOf = (id: string) => (isCompared && id === 'Request' ? 'Request as it was' : id)
  const tabs = [...Object.keys(messages), 'Headers', 'What it saw'].map(
    (id) => [id, labelOf(id)] as const,
  )
  return (
    <div ref={shown} class="stack">
      <div class="card-head">
        <OneOf label="Message" value={tab} options={tabs} onChange={choose} />
        {tab in messages && <span class="muted">{body === '' ? 'no body' : length}</span>}
      </div>
      {tab === 'What it saw' && <Saw row={row} />}
      {tab === 'Headers' &&
        Object.entries(messages).map(([name, { headers: given }]) => (
          <Code
            key={name}
            text={fieldLines(given)}
            label={`${name} headers`}
            title={name}
            canCopy
          />
        ))}
      {body !== '' && (
        <Code text={body} label={`${tab} body`} marks={tab === 'Request' ? marks : []} canCopy />
      )}
    </div>
  )
}
