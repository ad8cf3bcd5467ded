// One request in full: the reason and what to do about it first, then what you can do with it, then what would have been, then its messages.
import { useState } from 'preact/hooks'
import { isCut, renderCurl, renderFetch, renderTests, requestOf, testOf } from '../../render/copy.ts'
import { isUsedUp } from '../../render/describe-fault.ts'
import { toneOf } from '../../render/rows.ts'
import { isChange, type RequestRow } from '../../world/row.ts'
import { attempt, change, undo } from '../actions.ts'
import { isInPage, mockUrl } from '../connection.ts'
import { readMoment, use, useRequests } from '../mock.ts'
import { adjust, link, route } from '../route.ts'
import { addedId, adviseOnKey, causesOf, isRetried, markLines, nameOf, OUTCOMES, type Row, spanOf } from '../rows.ts'
import { capitalize, count, dateTime, duration, fieldLines, isMoved, shorten, showHidden, size, timeOf } from '../text.ts'
import { Act, Json as Code, copy, Item, Menu, OneOf, Status, Waited } from '../ui/controls.tsx'
import { isNarrow, Pane } from '../ui/pane.tsx'
import { Comparison, Saw, WhatIfCard } from './moment.tsx'
import { sendRequest } from './send-form.tsx'

const SAW = 'What it saw'
const CUT_NOTE = 'The log has only the beginning of the body.'

export function RowDetail({ row: entry, group }: { row: Row | undefined; group: readonly RequestRow[] }) {
  const title = `Row ${route.value.part}`
  if (!entry || isChange(entry)) {
    const more = entry?.canUndo && <Act text={entry.isUndo ? 'Redo' : 'Undo'} onClick={() => undo([entry.id], entry.sandbox)} />
    return <Pane title={title} more={more} children={showHidden(entry?.text ?? 'It is no longer in the log.')} />
  }
  const { at, realAt, durationMs, key, sandbox, method, target, outcome } = entry
  const clock = isMoved(Date.parse(at), Date.parse(realAt)) ? ` (${dateTime(at)} by the mock's clock)` : ''
  const shown = sandbox === null ? key : shorten(sandbox)
  // The next row that you open is the other side.
  const compare = () => adjust({ query: { compare: nameOf(entry) }, ...(isNarrow() && { part: '' }) })
  return (
    <Pane
      hasRows
      more={<Act class="button quiet" title="Compare (c)" text="Compare" onClick={compare} />}
      title={
        <>
          <Status entry={entry} /> <span class="method">{method}</span> <bdi class="target">{showHidden(target)}</bdi>{' '}
          <small class="no">{`row\u00a0${entry.id}`}</small>
        </>
      }
    >
      <Reason entry={entry} group={group} />
      <p class="muted">
        {timeOf(realAt)} UTC{clock} · {outcome === 'waiting' ? <Waited since={realAt} /> : duration(durationMs)} ·{' '}
        {shown === null ? 'no key' : `key ${shown}`}
        {entry.operation !== null && <> · {entry.operation}</>}
      </p>
      <Actions entry={entry} />
      {route.value.query.compare && <Comparison entry={entry} />}
      <WhatIfCard entry={entry} />
      <Messages entry={entry} />
    </Pane>
  )
}

function Reason({ entry, group }: { entry: RequestRow; group: readonly RequestRow[] }) {
  const { sandbox, status, outcome } = entry
  const faults = (use('faults', sandbox) ?? []).filter(({ id }) => entry.faults.includes(id))
  const added = addedId(entry)
  const animal = added && <a href={link('animals', added, {}, sandbox)}>Show animal {added}</a>
  const causes = causesOf(entry).map(({ chip, text }) => (chip ? `${capitalize(chip)}: ${text}` : text))
  const [first = outcome === 'sent' ? '' : OUTCOMES[outcome][1], ...others] = causes
  const isPlain = toneOf(entry) === 'good' && entry.faults.length === 0
  const Text = isPlain ? 'bdi' : 'strong'
  const linkTo = (row: RequestRow, index: number) => [
    row === entry ? <b>{row.id}</b> : <a href={link('timeline', nameOf(row), route.value.query)}>{row.id}</a>,
    ` (+${duration(spanOf([row, ...group.slice(-1)]))})${index === 0 ? '' : ', '}`,
  ]
  const again = useRequests().find((row) => nameOf(row) === route.value.query.again)
  return (
    <section class={isPlain ? 'note' : `card reason ${toneOf(entry) === 'good' ? 'warn' : toneOf(entry)}`} aria-label="Why this response">
      {first && <Text>{showHidden(first)}</Text>}
      {others.map((text) => (
        <bdi key={text}>{showHidden(text)}</bdi>
      ))}
      {animal && [' ', animal]}
      {status === 401 && <p>{adviseOnKey(use('assumptions', sandbox))}</p>}
      {faults.map((fault) => (
        <p key={fault.id}>The fault is {isUsedUp(fault) ? 'used up' : 'still on'}.</p>
      ))}
      {group.length > 1 && (
        <p class="attempts">
          Sent {count(group.length)} times in {duration(spanOf(group))}.
          {isRetried(group) && ' Browsers send again when a connection is dropped.'} Rows {group.map(linkTo).reverse()}
        </p>
      )}
      {again && again.id < entry.id && (
        <p>
          Sent again: <a href={link('timeline', nameOf(again))}>the first</a> got <b>{again.status || 'no response'}</b>.{' '}
          <a href={link('timeline', nameOf(entry), { ...route.value.query, compare: nameOf(again) })}>What changed</a>
        </p>
      )}
    </section>
  )
}

function Actions({ entry }: { entry: RequestRow }) {
  const { id, sandbox } = entry
  const state = use('state', sandbox)
  const note = isCut(entry.request.body) ? CUT_NOTE : undefined
  const request = () => requestOf(entry, state, mockUrl)
  const copies = {
    // No other program reaches a mock inside a page.
    ...(!isInPage && { curl: () => renderCurl(request()) }),
    fetch: () => renderFetch(request()),
    'Vitest test': async () => renderTests([testOf(entry, await readMoment(entry, true), mockUrl)]),
  }
  return (
    <div class="buttons">
      <Act class="button primary" text="Go back to here" onClick={() => change((mock) => mock.rewind(id), undefined, sandbox)} />
      <Act isOff={note !== undefined} title={note} text="Send again" onClick={() => sendRequest(request(), entry)} />
      <Menu name="Copy as">
        {Object.entries(copies).map(([label, render]) => (
          <Item key={label} label={label} onClick={() => attempt(async () => copy(await render(), note))} />
        ))}
      </Menu>
    </div>
  )
}

/** The offending line of the request is what you look for, if there is one; else the response. */
function Messages({ entry }: { entry: RequestRow }) {
  const { request, response, status, outcome } = entry
  const marks = markLines(entry)
  const hasResponse = status !== 0 && outcome !== 'waiting'
  const messages = { ...(hasResponse && { Response: response }), Request: request }
  const [chosen, choose] = useState('')
  const first = hasResponse && marks.length === 0 ? 'Response' : 'Request'
  const tab = chosen === '' || (chosen === 'Response' && !hasResponse) ? first : chosen
  const { body, headers } = messages[tab as keyof typeof messages] ?? { body: '', headers: {} }
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'no type'
  const tabs = [...Object.keys(messages), 'Headers', SAW].map((name) => [name, name] as const)
  return (
    <>
      <div class="card-head">
        <OneOf label="Message" value={tab} options={tabs} onChange={choose} />
        {tab in messages && <span class="muted">{body === '' ? 'no body' : `${type} · ${isCut(body) ? 'cut' : size(body)}`}</span>}
      </div>
      {tab === SAW && <Saw entry={entry} />}
      {tab === 'Headers' &&
        Object.entries(messages).map(([name, { headers: given }]) => (
          <Code key={name} text={fieldLines(given)} label={`${name} headers`} title={name} canCopy />
        ))}
      {body !== '' && <Code text={body} label={`${tab} body`} marks={tab === 'Request' ? marks : []} canCopy />}
    </>
  )
}
