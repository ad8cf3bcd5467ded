// One request in full: the reason and what to do about it first, then what you can do with it, then its messages.
import { useState } from 'preact/hooks'
import { isCut, type Moment, renderCurl, renderFetch, renderTest, requestOf, testOf } from '../../render/copy.ts'
import { isUsedUp } from '../../render/describe-fault.ts'
import { isRequest, type RequestRow } from '../../world/row.ts'
import { attempt, change } from '../actions.ts'
import { isRetried, spanOf } from '../arrange.ts'
import { breakAgain } from '../break.ts'
import { mockUrl, serverUrl } from '../connection.ts'
import { addedId, adviseOnKey, causesOf, markLines, nameOf, OUTCOMES, toneOf } from '../entry.ts'
import { readMoment, restarts, use, useRows } from '../mock.ts'
import { link, route } from '../route.ts'
import { capitalize, count, dateTime, duration, fieldLines, isMoved, shorten, showHidden, size, timeOf } from '../text.ts'
import { Act, Button, copy, Item, Menu, OneOf, ResponseStatus, Waited } from '../ui/controls.tsx'
import { Json as Code } from '../ui/json.tsx'
import { Pane } from '../ui/pane.tsx'
import { Comparison, Saw, startComparing } from './saw.tsx'
import { saveState } from './scenarios.tsx'
import { SendForm, sendRequest } from './send-form.tsx'

const CUT_NOTE = 'The body was longer: the log keeps its beginning, and only that is copied and sent.'

/** It stays what it was, also when the log has lost it or has another request of its number. `group` has the equal requests around it. */
export function RequestDetail({ found, group }: { found: RequestRow | undefined; group: readonly RequestRow[] }) {
  const [kept, keep] = useState({ entry: found, run: restarts.value })
  const hasRestarted = kept.run !== restarts.value
  const isSame = !hasRestarted && (kept.entry?.realAt ?? found?.realAt) === found?.realAt
  if (isSame) kept.entry = found
  const { entry } = kept
  if (!entry) return <Pane title="Request">This request is not in the log. It was cleared, or newer ones took its place.</Pane>
  const { at, realAt, durationMs, key, sandbox, method, target, outcome } = entry
  const when = isMoved(Date.parse(at), Date.parse(realAt)) ? `${dateTime(at)} by the mock's clock` : `${timeOf(at)} UTC`
  const keyText = sandbox !== null ? `key ${shorten(sandbox)}` : key === null ? 'no key' : `key ${key}`
  return (
    <Pane
      hasRows
      title={
        <>
          <ResponseStatus entry={entry} /> <span class="method">{method}</span> <bdi class="target">{showHidden(target)}</bdi>{' '}
          <small>row {entry.id}</small>
        </>
      }
    >
      {!isSame && (
        <div class="card warn card-head">
          <b>{hasRestarted ? 'The mock has restarted since this request.' : 'This request is no longer in the log.'}</b>
          {found && <Button onClick={() => keep({ entry: found, run: restarts.value })}>Show the new request {found.id}</Button>}
        </div>
      )}
      <Reason entry={entry} group={group} />
      <div class="card-head">
        <p class="muted">
          {when} · {outcome === 'waiting' ? <Waited since={realAt} /> : duration(durationMs)} · {keyText}
          {entry.operation !== null && <> · {entry.operation}</>}
        </p>
        <Act class="button link" isOff={!isSame} title="Compare (c)" onClick={() => startComparing(entry)}>
          Compare
        </Act>
      </div>
      <Actions entry={entry} hasMoment={isSame} />
      {isSame && route.value.query.compare && <Comparison entry={entry} />}
      <Messages entry={entry} hasMoment={isSame} />
    </Pane>
  )
}

/** Nothing is said about a response that is as the spec says. */
function Reason({ entry, group }: { entry: RequestRow; group: readonly RequestRow[] }) {
  const { sandbox, status, outcome } = entry
  const faults = (use('faults', sandbox) ?? []).filter(({ id }) => entry.faults.includes(id))
  const added = addedId(entry)
  const causes = causesOf(entry).map(({ chip, text }) => (chip ? `${capitalize(chip)}: ${text}` : text))
  const [first = outcome === 'sent' ? '' : OUTCOMES[outcome][1], ...others] = causes
  const isPlain = toneOf(entry) === 'good' && entry.faults.length === 0
  const Text = isPlain ? 'bdi' : 'strong'
  return (
    <section class={isPlain ? 'note' : `card reason ${toneOf(entry) === 'good' ? 'warn' : toneOf(entry)}`} aria-label="Why this response">
      {first && <Text>{showHidden(first)}</Text>}
      {others.map((text) => (
        <bdi key={text}>{showHidden(text)}</bdi>
      ))}
      {added && <a href={link('animals', added, {}, sandbox)}>Show animal {added}</a>}
      {status === 401 && <p>{adviseOnKey(use('assumptions', sandbox))}</p>}
      {faults.map((fault) => (
        <p key={fault.id}>
          {isUsedUp(fault) ? 'The fault is used up. ' : 'The fault is still on. '}
          {isUsedUp(fault) && <Act onClick={() => breakAgain(fault, sandbox)}>Again</Act>}
        </p>
      ))}
      {group.length > 1 && (
        <p>
          Sent {count(group.length)} times in {duration(spanOf(group))}, rows {group.at(-1)?.id} to {group[0]?.id}.
          {isRetried(group) && ' A browser sends a request again by itself if it had used the dropped connection before.'}
        </p>
      )}
      <Again entry={entry} />
    </section>
  )
}

/** What the request got that you sent again. */
function Again({ entry }: { entry: RequestRow }) {
  const first = (useRows() ?? []).filter(isRequest).find((row) => nameOf(row) === route.value.query.again)
  if (!first || first.id >= entry.id) return null
  return (
    <p>
      Sent again: <a href={link('timeline', nameOf(first))}>the first</a> got <b>{first.status || 'no response'}</b>.{' '}
      <a href={link('timeline', nameOf(entry), { ...route.value.query, compare: nameOf(first) })}>What changed</a>
    </p>
  )
}

function Actions({ entry, hasMoment }: { entry: RequestRow; hasMoment: boolean }) {
  const { id, sandbox } = entry
  const [isEditing, setEditing] = useState(false)
  const state = use('state', sandbox)
  const isWhole = !isCut(entry.request.body)
  const note = isWhole ? undefined : CUT_NOTE
  const request = () => requestOf(entry, state, mockUrl)
  const curl = () => renderCurl({ ...request(), origin: serverUrl })
  const copies = { curl, fetch: () => renderFetch(request()) }
  const withMoment = (run: (moment: Moment) => void) => attempt(async () => run(await readMoment(id, sandbox, true)))
  const report = ({ state: then }: Moment) => {
    saveState({ ...then, description: `${then.description ?? ''}. ${curl()}` }, `bug-${id}`)
  }
  return (
    <>
      <div class="buttons">
        <Act class="button primary" isOff={!hasMoment} onClick={() => change((mock) => mock.rewind(id), undefined, sandbox)}>
          Go back to here
        </Act>
        <Act isOff={!isWhole} title={note} onClick={() => sendRequest(request(), entry)}>
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
        <Act isOff={!hasMoment} onClick={() => withMoment(report)}>
          Bug report
        </Act>
      </div>
      {isEditing && <SendForm request={request()} first={entry} />}
    </>
  )
}

/** The offending line of the request is what you look for, if there is one; else the response. */
function Messages({ entry, hasMoment }: { entry: RequestRow; hasMoment: boolean }) {
  const { request, response, status, outcome } = entry
  const marks = markLines(entry)
  const hasResponse = status !== 0 && outcome !== 'waiting'
  const messages = { ...(hasResponse && { Response: response }), Request: request }
  const fields = Object.values(messages).reduce((sum, { headers }) => sum + Object.keys(headers).length, 0)
  const [chosen, choose] = useState('')
  const first = hasResponse && marks.length === 0 ? 'Response' : 'Request'
  const tab = chosen === '' || (chosen === 'Response' && !hasResponse) ? first : chosen
  const { body, headers } = messages[tab as keyof typeof messages] ?? { body: '', headers: {} }
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'no type'
  const options = [...Object.keys(messages).map((name) => [name, name] as const), ['Headers', `Headers ${fields}`] as const]
  return (
    <>
      <div class="card-head tab-line">
        <OneOf
          class="tabs"
          label="Message"
          value={tab}
          options={hasMoment ? [...options, ['Saw', 'What it saw']] : options}
          onChange={choose}
        />
        {tab in messages && <span class="muted">{body === '' ? 'no body' : `${type} · ${isCut(body) ? 'cut' : size(body)}`}</span>}
      </div>
      {tab === 'Saw' && <Saw entry={entry} />}
      {tab === 'Headers' &&
        Object.entries(messages).map(([name, { headers: given }]) => (
          <Code key={name} text={fieldLines(given)} label={`${name} headers`} title={name} canCopy />
        ))}
      {body !== '' && <Code text={body} label={`${tab} body`} marks={tab === 'Request' ? marks : []} canCopy />}
    </>
  )
}
