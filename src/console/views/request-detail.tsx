// One request in full: the reason and what to do about it first, then what you can do with it, then its messages.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { renderCurl } from '../../client/copy/curl.ts'
import { isCut, type Moment, requestOf, testOf } from '../../client/copy/logged.ts'
import { renderFetch, renderTest } from '../../client/copy/script.ts'
import { CONTROL_PATH } from '../../control/methods.ts'
import { describeDelay, describeFault, isUsedUp } from '../../settings/describe-fault.ts'
import { isChange, isRequest } from '../../world/change.ts'
import type { DelayMs, LiveFault } from '../../world/faults.ts'
import type { LogEntry } from '../../world/log-entry.ts'
import { attempt, change } from '../actions.ts'
import { breakAgain, breakThere, EFFECTS } from '../break.ts'
import { control, isInPage, mockUrl, serverUrl } from '../connection.ts'
import { addedId, adviseOnKey, type Cause, causesOf, markLines, nameOf, OUTCOMES, toneOf } from '../entry.ts'
import { readMoment, restarts, use, useMoment, useRows } from '../mock.ts'
import { link, route } from '../route.ts'
import { capitalize, count, dateTime, duration, isMoved, shorten, showHidden, size, timeOf } from '../text.ts'
import { Act, Button, Chip, copy, Item, Menu, OneOf, ResponseStatus } from '../ui/controls.tsx'
import { Json as Code } from '../ui/json.tsx'
import { Pane } from '../ui/pane.tsx'
import { saveState } from './scenarios.tsx'
import { SendForm, sendRequest } from './send-form.tsx'

const CUT_NOTE = 'The body was longer: the log keeps its beginning, and only that is copied and sent.'

/** It stays what it was, also when the log has lost it or has another request of its number. */
export function RequestDetail({ found }: { found: LogEntry | undefined }) {
  const [kept, keep] = useState({ entry: found, run: restarts.value })
  const hasRestarted = kept.run !== restarts.value
  const isSame = !hasRestarted && (kept.entry?.realAt ?? found?.realAt) === found?.realAt
  if (isSame) kept.entry = found
  const { entry } = kept
  if (!entry) return <Pane title="Request">This request is not in the log. It was cleared, or newer ones took its place.</Pane>
  const { at, realAt, durationMs, key, sandbox, method, target, outcome } = entry
  const when = `${timeOf(at)} UTC${isMoved(Date.parse(at), Date.parse(realAt)) ? ` by the mock's clock, ${at.slice(0, 10)}` : ''}`
  const keyText = sandbox !== null ? `key ${shorten(sandbox)}` : key === null ? 'no key' : `key ${key}`
  return (
    <Pane
      hasRows
      title={
        <>
          <ResponseStatus entry={entry} /> <span class="method">{method}</span> <bdi class="target">{showHidden(target)}</bdi>
        </>
      }
    >
      <p class="muted">
        {when} · {outcome === 'waiting' ? 'waiting' : duration(durationMs)} · {keyText}
        {entry.operation !== null && <> · {entry.operation}</>}
      </p>
      {!isSame && (
        <div class="card warn card-head">
          <b>{hasRestarted ? 'The mock has restarted since this request.' : 'This request is no longer in the log.'}</b>
          {found && <Button onClick={() => keep({ entry: found, run: restarts.value })}>Show the new request {found.id}</Button>}
        </div>
      )}
      <Reason entry={entry} />
      <Actions entry={entry} hasMoment={isSame} />
      {isSame && <Saw entry={entry} />}
      <Messages entry={entry} />
    </Pane>
  )
}

function Reason({ entry }: { entry: LogEntry }) {
  const { sandbox, status, outcome } = entry
  const faults = use('faults', sandbox) ?? []
  const plain: Cause = { text: outcome === 'sent' ? 'As the spec says' : OUTCOMES[outcome][1] }
  const [first = plain, ...others] = causesOf(entry)
  return (
    <section class={`card reason ${toneOf(entry)}`} aria-label="Why this response">
      <strong>
        <bdi>{showHidden(first.chip ? `${capitalize(first.chip)}: ${first.text}` : first.text)}</bdi>
      </strong>
      {others.map(({ chip, text }) => (
        <bdi key={text}>{showHidden(chip ? `${chip}: ${text}` : text)}</bdi>
      ))}
      {status === 401 && <p>{adviseOnKey(use('assumptions', sandbox))}</p>}
      {faults
        .filter(({ id }) => entry.faults.includes(id))
        .map((fault) => (
          <p key={fault.id}>
            {isUsedUp(fault) ? 'The fault is used up. ' : 'The fault is still on. '}
            {isUsedUp(fault) && <Act onClick={() => breakAgain(fault, sandbox)}>Again</Act>}
          </p>
        ))}
      <Again entry={entry} />
    </section>
  )
}

/** Why a request that you sent again differs from the first one. */
function Again({ entry }: { entry: LogEntry }) {
  const rows = useRows() ?? []
  const first = rows.filter(isRequest).find((row) => nameOf(row) === route.value.query.again)
  if (!first || first.id >= entry.id) return null
  const between = rows.filter(({ id, sandbox }) => id > first.id && id < entry.id && sandbox === entry.sandbox)
  const changes = between.filter(isChange).map(({ text }) => text)
  const reasons = [
    ...(changes.length > 0 ? [`Changed since then: ${changes.toReversed().join('; ')}.`] : []),
    ...(entry.faults.join() === first.faults.join() ? [] : [`${entry.faults.length > 0 ? 'A' : 'No'} fault struck this time.`]),
    ...(between.some((row) => isRequest(row) && addedId(row)) ? ['Requests added animals between them.'] : []),
  ]
  return (
    <p>
      Sent again: <a href={link('timeline', nameOf(first), {})}>the first</a> got <b>{first.status || 'no response'}</b>
      {first.status === entry.status ? ', too. ' : '. '}
      {showHidden(reasons.join(' '))}
    </p>
  )
}

/** What was true when the request came, and what has changed since. */
function Saw({ entry }: { entry: LogEntry }) {
  const { id, sandbox, operation, at, realAt } = entry
  const moment = useMoment(entry)
  const assumptions = use('assumptions', sandbox) ?? []
  const rows = useRows() ?? []
  const since = (item: string) =>
    rows.findLast((row) => isChange(row) && row.id > id && row.sandbox === sandbox && row.changed.includes(item))
  if (moment === undefined) return null
  if (typeof moment === 'string') return <p class="muted">{showHidden(moment)}</p>
  const { state, diff } = moment
  const faults = (state.faults ?? []).filter((fault) => operation !== null && ['*', operation].includes(fault.operation))
  const pets = Object.entries(diff.pets).filter(([, list]) => list.length > 0)
  return (
    <section class="card" aria-label="What this request saw">
      <div class="card-head">
        <h3>What this request saw</h3>
        <Act onClick={() => change(() => control(sandbox).rewind(id), undefined, sandbox)}>Go back to here</Act>
      </div>
      <dl class="pairs">
        {entry.assumptions.map((question) => {
          const known = assumptions.find((one) => one.id === question)
          const then = state.assume?.[question] ?? known?.default
          const row = then === known?.choice ? undefined : since(`choice ${question}`)
          return (
            <Pair key={question} name="Assumption">
              <a class="mono" href={link('assumptions', question, {}, sandbox)}>{`${question} = ${then}`}</a>{' '}
              {row && <Chip tone="change">{`${known?.choice} since ${timeOf(row.at).slice(0, 8)}`}</Chip>}
            </Pair>
          )
        })}
        <Pair name="Faults">
          {faults.length === 0
            ? `none${operation === null ? '' : ` for ${operation}`}`
            : faults.map((fault) => describeFault(fault as LiveFault)).join('; ')}{' '}
          {faults.map(({ id: fault }) => {
            const row = since(`fault ${fault}`)
            return row && <Chip key={fault} tone="change">{`changed at ${timeOf(row.at).slice(0, 8)}`}</Chip>
          })}
        </Pair>
        {state.latency !== undefined && <Pair name="Latency">{describeDelay(state.latency as DelayMs)}</Pair>}
        <Pair name="Animals">
          {`those of ${diff.scenario}`}
          {pets.map(([word, list]) => (
            <span key={word}>
              , <a href={link('animals', '', { status: 'changed' }, sandbox)}>{`${count(list.length)} ${word}`}</a>
            </span>
          ))}
        </Pair>
        <Pair name="Clock">{isMoved(Date.parse(at), Date.parse(realAt)) ? dateTime(Date.parse(at)) : 'real time'}</Pair>
      </dl>
    </section>
  )
}

function Pair({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

function Actions({ entry, hasMoment }: { entry: LogEntry; hasMoment: boolean }) {
  const { id, operation, sandbox } = entry
  const [isEditing, setEditing] = useState(false)
  const state = use('state', sandbox)
  const isWhole = !isCut(entry.request.body)
  const note = isWhole ? undefined : CUT_NOTE
  const request = () => requestOf(entry, state, mockUrl)
  const curl = () => renderCurl({ ...request(), origin: serverUrl })
  const goBack = { method: 'POST', origin: serverUrl, target: `${CONTROL_PATH}/rewind`, headers: { 'content-type': 'application/json' } }
  const copies = {
    curl,
    ...(isInPage || !hasMoment
      ? {}
      : { 'Back to here, then curl': () => `${renderCurl({ ...goBack, body: `{"id":${id}}` })} && ${curl()}` }),
    fetch: () => renderFetch(request()),
  }
  const withMoment = (run: (moment: Moment) => void) => attempt(async () => run(await readMoment(id, sandbox, true)))
  const report = ({ state: then }: Moment) => {
    const scenario = { ...then, description: `${then.description ?? ''}. ${curl()}` }
    saveState(scenario, `bug-${id}.json`)
  }
  return (
    <>
      <div class="buttons">
        <Act class="button primary" isOff={!isWhole} title={note} onClick={() => sendRequest(request(), entry)}>
          Send again
        </Act>
        <Button aria-expanded={isEditing} onClick={() => setEditing(!isEditing)}>
          Edit
        </Button>
        <Menu name="Copy as">
          {Object.entries(copies).map(([label, render]) => (
            <Item key={label} label={label} needsMock={false} onClick={() => copy(render(), note)} />
          ))}
          {hasMoment && (
            <Item label="Vitest test" onClick={() => withMoment((moment) => copy(renderTest(testOf(entry, moment, mockUrl)), note))} />
          )}
        </Menu>
        {operation !== null && (
          <Menu name={`Fail ${operation}`}>
            {EFFECTS.map((effect) => (
              <Item key={effect.label} label={effect.label} onClick={() => breakThere(effect, operation, sandbox)} />
            ))}
          </Menu>
        )}
        <Act isOff={!hasMoment} title="Saves the state that it saw, with the request as curl" onClick={() => withMoment(report)}>
          Bug report
        </Act>
      </div>
      {isEditing && <SendForm request={request()} first={entry} />}
    </>
  )
}

/** The offending line of the request is what you look for, if there is one; else the response. */
function Messages({ entry }: { entry: LogEntry }) {
  const { request, response, status, outcome } = entry
  const marks = markLines(entry)
  const messages = { Request: request, ...(status !== 0 && outcome !== 'waiting' && { Response: response }) }
  const names = Object.keys(messages)
  const [tab, setTab] = useState(marks.length > 0 ? 'Request' : (names.at(-1) ?? ''))
  const { headers, body } = tab === 'Request' ? request : response
  const fields = Object.entries(headers)
  const type = fields.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'no type'
  return (
    <>
      <div class="card-head">
        <OneOf label="Message" value={tab} options={names.map((name) => [name, name])} onChange={setTab} />
        <span class="muted">{body === '' ? 'no body' : `${type} · ${isCut(body) ? 'cut' : size(body)}`}</span>
      </div>
      {body !== '' && <Code text={body} label={`${tab} body`} marks={tab === 'Request' ? marks : []} canCopy />}
      <Code text={fields.map(([name, value]) => `${name}: ${value}`).join('\n')} label={`${tab} headers`} canCopy />
    </>
  )
}
