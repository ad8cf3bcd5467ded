// One request in full: the reason and what to do about it first, then what you can do with it, then its bodies, then its headers.
import { useState } from 'preact/hooks'
import { renderCurl } from '../../client/copy/curl.ts'
import { renderFetch, renderTest } from '../../client/copy/script.ts'
import type { LogEntry } from '../../world/log-entry.ts'
import { change, notify } from '../actions.ts'
import { control } from '../connection.ts'
import { isCut, requestOf, testOf, toneOf } from '../entry.ts'
import { advise, type LineMark, markLines, reasonOf } from '../explain.ts'
import { use } from '../mock.ts'
import { link } from '../route.ts'
import { duration, isMoved, shorten, showHidden, timeOf } from '../text.ts'
import { Button, Copy, ResponseStatus } from '../ui/controls.tsx'
import { Json } from '../ui/json.tsx'
import { Pane } from '../ui/pane.tsx'
import { SendForm, sendRequest } from './send-form.tsx'

const CUT_NOTE = 'The body was longer: the log keeps its beginning, and only that is copied and sent.'
const TIMES = [
  ['once', 1],
  ['twice', 2],
  ['always', undefined],
] as const

export function RequestDetail({ entry }: { entry: LogEntry | undefined }) {
  if (!entry) return <Pane title="Request">This request is not in the log. It was cleared, or newer ones took its place.</Pane>
  const { at, realAt, durationMs, key, sandbox, method, target, outcome } = entry
  const when = `${timeOf(at)} UTC${isMoved(Date.parse(at), Date.parse(realAt)) ? ` by the mock's clock, ${at.slice(0, 10)}` : ''}`
  const hasResponse = entry.status !== 0 && outcome !== 'waiting'
  const keyText = sandbox !== null ? `key ${shorten(sandbox)}` : key === null ? 'no key' : `key ${key}`
  return (
    <Pane
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
      <Part title="Request body" text={entry.request.body} marks={markLines(entry)} isOpen />
      {hasResponse && <Part title="Response body" text={entry.response.body} isOpen />}
      <Part title="Request headers" text={formatHeaders(entry.request.headers)} />
      {hasResponse && <Part title="Response headers" text={formatHeaders(entry.response.headers)} />}
    </Pane>
  )
}

function Reason({ entry }: { entry: LogEntry }) {
  const faults = use('faults', entry.sandbox) ?? []
  const assumptions = use('assumptions', entry.sandbox) ?? []
  const advice = advise(entry, faults, assumptions)
  const [first = '', ...others] = reasonOf(entry).split('; ')
  return (
    <section class={`reason ${toneOf(entry)}`} aria-label="Why this response">
      <strong>
        <bdi>{showHidden(first)}</bdi>
      </strong>
      {others.map((other) => (
        <bdi key={other}>{showHidden(other)}</bdi>
      ))}
      {advice !== '' && (
        <p>
          {advice}{' '}
          {entry.faults.some((id) => faults.some((fault) => fault.id === id)) && <a href={link('faults', '', {}, entry.sandbox)}>Show</a>}
        </p>
      )}
      {entry.surprises.length > 0 && <p>Surprises: {entry.surprises.join(', ')}</p>}
      {entry.assumptions.map((id) => {
        const known = assumptions.find((one) => one.id === id)
        return (
          <p key={id}>
            The spec leaves this open: <code>{id}</code> is <code>{known?.choice ?? '…'}</code>.{' '}
            <a href={link('assumptions', id, {}, entry.sandbox)}>Change</a>
          </p>
        )
      })}
      {entry.notes
        .filter((note) => note !== entry.error)
        .map((note) => (
          <p key={note}>
            <bdi>{showHidden(note)}</bdi>
          </p>
        ))}
    </section>
  )
}

function Actions({ entry }: { entry: LogEntry }) {
  const [isEditing, setEditing] = useState(false)
  const state = use('state', entry.sandbox)
  const faults = use('faults', entry.sandbox) ?? []
  const assumptions = use('assumptions', entry.sandbox) ?? []
  const isWhole = !isCut(entry.request.body)
  const note = isWhole ? undefined : CUT_NOTE
  const request = () => requestOf(entry, state)
  const copies = {
    curl: () => renderCurl(request()),
    fetch: () => renderFetch(request()),
    'Vitest test': () => renderTest(testOf(entry, state, faults, assumptions)),
  }
  const sendAgain = async () => {
    const { text } = await sendRequest(request())
    notify(`Sent again: ${text}`)
  }
  return (
    <>
      <div class="buttons">
        <Button class="primary" isOff={!isWhole} title={note} onClick={sendAgain}>
          Send again
        </Button>
        <Button aria-expanded={isEditing} onClick={() => setEditing(!isEditing)}>
          Edit and send
        </Button>
        <span class="buttons">
          <span class="muted">Copy as</span>
          {Object.entries(copies).map(([label, text]) => (
            <Copy key={label} aria-label={`Copy as ${label}`} text={text} note={note}>
              {label}
            </Copy>
          ))}
        </span>
        {entry.operation !== null && (
          <span class="buttons">
            <span class="muted">Fail {entry.operation}</span>
            {TIMES.map(([label, times]) => (
              <Button key={label} aria-label={`Fail ${label}`} onClick={() => fail(entry, label, times)}>
                {label}
              </Button>
            ))}
          </span>
        )}
      </div>
      {isEditing && <SendForm request={request()} />}
    </>
  )
}

function fail({ operation, sandbox }: LogEntry, label: string, times: number | undefined): void {
  if (operation === null) return
  void change(async () => {
    await control(sandbox).faults.add({ operation, status: 503, ...(times === undefined ? {} : { times }) })
    return `${operation} responds 503 ${label}`
  })
}

interface PartProps {
  readonly title: string
  readonly text: string
  readonly marks?: readonly LineMark[]
  readonly isOpen?: boolean
}

function Part({ title, text, marks, isOpen }: PartProps) {
  if (text === '') return null
  return (
    <details open={isOpen}>
      <summary>
        {title} {isCut(text) && '(cut)'}
      </summary>
      <Json text={text} label={title} marks={marks} />
    </details>
  )
}

function formatHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}
