// One request in full: the reason and what to do about it first, then what you can do with it, then its messages.
import { useState } from 'preact/hooks'
import { renderCurl } from '../../client/copy/curl.ts'
import { renderFetch, renderTest } from '../../client/copy/script.ts'
import { isUsedUp } from '../../client/describe-fault.ts'
import type { LogEntry } from '../../world/log-entry.ts'
import { notify } from '../actions.ts'
import { breakAgain, breakThere, EFFECTS } from '../break.ts'
import { control, serverUrl } from '../connection.ts'
import { isCut, nameOf, requestOf, testOf, toneOf } from '../entry.ts'
import { advise, causesOf, describePlain, markLines } from '../explain.ts'
import { use, useRequests } from '../mock.ts'
import { link } from '../route.ts'
import { capitalize, duration, isMoved, shorten, showHidden, size, timeOf } from '../text.ts'
import { Act, Button, Copy, copy, ResponseStatus, Tabs } from '../ui/controls.tsx'
import { Json } from '../ui/json.tsx'
import { Item, Menu } from '../ui/menu.tsx'
import { Pane } from '../ui/pane.tsx'
import { SendForm, sendRequest } from './send-form.tsx'

const CUT_NOTE = 'The body was longer: the log keeps its beginning, and only that is copied and sent.'

export function RequestDetail({ entry }: { entry: LogEntry | undefined }) {
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
      <Reason entry={entry} />
      <Actions entry={entry} />
      <Messages entry={entry} />
    </Pane>
  )
}

function Reason({ entry }: { entry: LogEntry }) {
  const faults = use('faults', entry.sandbox) ?? []
  const assumptions = use('assumptions', entry.sandbox) ?? []
  const advice = advise(entry, faults, assumptions)
  const causes = causesOf(entry, faults, useRequests() ?? [])
  const [first = { text: describePlain(entry) }, ...others] = causes
  return (
    <section class={`reason ${toneOf(entry)}`} aria-label="Why this response">
      <strong>
        <bdi>{showHidden(first.chip ? `${capitalize(first.chip)}: ${first.text}` : first.text)}</bdi>
      </strong>
      {others.map(({ chip, text }) => (
        <bdi key={text}>{showHidden([chip, text].filter(Boolean).join(': '))}</bdi>
      ))}
      {advice !== '' && <p>{advice}</p>}
      {faults
        .filter((fault) => entry.faults.includes(fault.id) && isUsedUp(fault))
        .map((fault) => (
          <p key={fault.id}>
            It is used up. <Act onClick={() => breakAgain(fault)}>Again</Act>
          </p>
        ))}
      {entry.assumptions.map((id) => {
        const known = assumptions.find((one) => one.id === id)
        return (
          <p key={id}>
            The spec leaves this open: <code>{id}</code> is <code>{known?.choice ?? '…'}</code>.{' '}
            <a href={link('assumptions', id, {}, entry.sandbox)}>Change</a>
          </p>
        )
      })}
    </section>
  )
}

function Actions({ entry }: { entry: LogEntry }) {
  const { operation, sandbox } = entry
  const [isEditing, setEditing] = useState(false)
  const state = use('state', sandbox)
  const faults = use('faults', sandbox) ?? []
  const assumptions = use('assumptions', sandbox) ?? []
  const isWhole = !isCut(entry.request.body)
  const note = isWhole ? undefined : CUT_NOTE
  const request = () => requestOf(entry, state)
  const copies = {
    curl: () => renderCurl({ ...request(), origin: serverUrl }),
    fetch: () => renderFetch(request()),
    'Vitest test': () => renderTest(testOf(entry, state, faults, assumptions)),
  }
  const sendAgain = async () => {
    const { text } = await sendRequest(request())
    const [again] = (await control(sandbox).requests({ limit: 1, waiting: true })) ?? []
    notify(`Sent again: ${text}`)
    if (again && again.id > entry.id && again.target === entry.target) location.hash = link('timeline', nameOf(again))
  }
  return (
    <>
      <div class="buttons">
        <Act class="button primary" isOff={!isWhole} title={note} onClick={sendAgain}>
          Send again
        </Act>
        <Button aria-expanded={isEditing} onClick={() => setEditing(!isEditing)}>
          Edit
        </Button>
        <Menu label="Copy as" width={180}>
          {Object.entries(copies).map(([label, render]) => (
            <Item key={label} label={label} isFree onClick={() => copy(render(), note)} />
          ))}
        </Menu>
        {operation !== null && (
          <Menu label={`Fail ${operation}`} width={220}>
            {EFFECTS.map((effect) => (
              <Item key={effect.label} label={effect.label} onClick={() => breakThere(effect, operation, faults, sandbox)} />
            ))}
          </Menu>
        )}
      </div>
      {isEditing && <SendForm request={request()} />}
    </>
  )
}

/** The offending line of the request is what you look for, if there is one; else the response. */
function Messages({ entry }: { entry: LogEntry }) {
  const { request, response, status, outcome } = entry
  const marks = markLines(entry)
  const hasResponse = status !== 0 && outcome !== 'waiting'
  const [tab, setTab] = useState(marks.length > 0 || !hasResponse ? 'Request' : 'Response')
  const all = { ...request.headers, ...response.headers }
  const { headers, body } = tab === 'Request' ? request : response
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  const about = body === '' ? 'no body' : `${type ?? 'no type'} · ${isCut(body) ? 'cut' : size(body)}`
  return (
    <>
      <Tabs label="Message" value={tab} options={['Request', ...(hasResponse ? ['Response'] : []), 'Headers']} onChange={setTab}>
        {tab === 'Headers' ? Object.keys(all).length : about}
      </Tabs>
      {tab === 'Headers' ? (
        <>
          <Part title="Request headers" text={formatHeaders(request.headers)} />
          {hasResponse && <Part title="Response headers" text={formatHeaders(response.headers)} />}
        </>
      ) : (
        <Part title={`${tab} body`} text={body} marks={tab === 'Request' ? marks : []} />
      )}
    </>
  )
}

function Part({ title, text, marks = [] }: { title: string; text: string; marks?: ReturnType<typeof markLines> }) {
  if (text === '') return null
  return (
    <div class="with-copy">
      <Copy aria-label={`Copy the ${title.toLowerCase()}`} text={() => text} />
      <Json text={text} label={title} marks={marks} />
    </div>
  )
}

function formatHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}
