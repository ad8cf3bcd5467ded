// What was true when a request came, how that moment differs from another one, and what would have happened if one thing had been different.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { toJson } from '../../contract/int64-json.ts'
import type { StateDiff, WhatIfChange } from '../../control/control.ts'
import type { AssumptionId } from '../../generated/contract.ts'
import { type CommandRequest, renderTests, requestOf, testOf } from '../../render/copy.ts'
import { describeWhatIfChange, listDifferences } from '../../render/differences.ts'
import { nameOf } from '../../render/rows.ts'
import { isChange, isRequest, type LoggedMessage, type RequestRow } from '../../world/row.ts'
import type { Scenario } from '../../world/scenario.ts'
import { attempt } from '../actions.ts'
import { mockUrl } from '../connection.ts'
import { readMoment, use, usePast, useRows } from '../mock.ts'
import { adjust, link, route } from '../route.ts'
import { type Row, SLOW_MS } from '../rows.ts'
import { count, diffLines, duration, indentJson, showHidden } from '../text.ts'
import { Act, Button, copy, Field, Json, Loading, type NamedValues, Pairs, Status } from '../ui/controls.tsx'
import { SendForm } from './send-form.tsx'

const MAX_LISTED = 100
const MAX_OPEN = 5
/** What the client adds by itself: what if keeps it, and `fetch` sets it. */
const TRANSPORT = /^(?:authorization|host|connection|keep-alive|content-length|transfer-encoding|accept.*|user-agent|sec-.*)$/

function pairsOf(diff: StateDiff): NamedValues {
  const all = listDifferences(diff)
  const render = (isWanted: (about: string) => boolean) =>
    all.filter(([about]) => isWanted(about)).map(([, text]) => <p key={text}>{showHidden(text)}</p>)
  const folded = Object.keys(diff.pets).flatMap((word) => {
    const texts = render((about) => about === word)
    if (texts.length === 0) return []
    const summary = <summary>{`${count(texts.length)} ${word}`}</summary>
    const content = [summary, texts.slice(0, MAX_LISTED)]
    return [<details key={word} open={texts.length <= MAX_OPEN} children={content} />]
  })
  const others = render((about) => !(about in diff.pets))
  return [['Animals', folded.length > 0 ? folded : 'the same'], ...(others.length > 0 ? [['Settings', others] as const] : [])]
}

export function Saw({ entry }: { entry: RequestRow }) {
  const moment = usePast(entry, 'moment', () => readMoment(entry, false))
  if (typeof moment !== 'object') return <Loading said={moment} />
  const { state, diff } = moment
  const usual = use('assumptions', entry.sandbox)
  const linkTo = (id: AssumptionId) => {
    const choice = state.assume?.[id] ?? usual?.find((one) => one.id === id)?.default
    return <a href={link('assumptions', id, {}, entry.sandbox)}>{`${id} = ${choice}`}</a>
  }
  return (
    <section class="card" aria-label="What this request saw">
      <h3>Its state, compared with {showHidden(diff.scenario)}</h3>
      <Pairs pairs={[...pairsOf(diff), ...entry.assumptions.map((id) => ['Depends on', linkTo(id)] as const)]} />
    </section>
  )
}

export function Comparison({ entry }: { entry: Row }) {
  const rows = (useRows() ?? []).filter(({ sandbox }) => sandbox === entry.sandbox)
  const other = rows.find((row) => row.id !== entry.id && nameOf(row) === route.value.query.compare)
  const [since, before] = other && other.id < entry.id ? [other, entry] : [entry, other]
  const moments = { since: since.id, ...(before && { before: before.id }) }
  const diff = usePast(entry, `${since.id} ${(before ?? rows[0])?.id}`, (mock) => mock.diff(moments))
  const listed = rows.filter((row, index) => row.id !== entry.id && (index < MAX_LISTED || row === other))
  const nameRow = (row: Row) => `row ${row.id}: ${isChange(row) ? row.text : `${row.status || row.outcome} ${row.method} ${row.target}`}`
  const options = [[nameOf(entry), 'now'], ...listed.map((row) => [nameOf(row), showHidden(nameRow(row))] as const)] as const
  const choose = ({ currentTarget }: Event) => adjust({ query: { compare: (currentTarget as HTMLSelectElement).value } })
  return (
    <section class="card" aria-label="Comparison">
      <Field label={`Compare row ${entry.id} with`} options={options} defaultValue={nameOf(other ?? entry)} onChange={choose} />
      {before && isRequest(since) && isRequest(before) && <Sides both={[answerOf(since), answerOf(before)]} />}
      <h3>{`From row ${since.id} to ${before ? `row ${before.id}` : 'now'}`}</h3>
      {typeof diff === 'object' ? <Pairs pairs={pairsOf(diff)} /> : <Loading said={diff} />}
    </section>
  )
}

type Answer = Pick<RequestRow, 'status' | 'outcome'> & LoggedMessage & { readonly label: string; readonly delay: number }

function answerOf({ id, status, outcome, durationMs, response }: RequestRow, label = `row ${id}`): Answer {
  return { ...response, label, status, outcome, delay: durationMs >= SLOW_MS ? durationMs : 0 }
}

const AS_IT_WAS: WhatIfChange = {}
/** The form names a method, the mock's own alternatives do not. */
const EDITED: WhatIfChange = { request: { method: '' } }

export function WhatIfCard({ entry }: { entry: RequestRow }) {
  const [chosen, choose] = useState(AS_IT_WAS)
  const isEdited = chosen.request?.method !== undefined
  const state = use('state', entry.sandbox)
  useEffect(() => document.querySelector('.what-if form')?.scrollIntoView({ block: 'nearest' }), [isEdited])
  const others = usePast(entry, 'alternatives', (mock) => mock.whatIf(entry.id, { alternatives: true }))
  const list = (typeof others === 'object' ? others : []).map((one) => ({ ...one, shown: one.status !== null && statusOf(one) }))
  const hasSides = chosen !== AS_IT_WAS && chosen !== EDITED
  const asked = isEdited && hasSides && askWhatIf(entry, chosen)
  const edited = { change: EDITED, reason: null, shown: typeof asked === 'object' && statusOf(asked) }
  const choices = [{ change: AS_IT_WAS, reason: null, shown: entry }, ...list, edited]
  return (
    <>
      <section class="card what-if" aria-label="What if">
        <p>
          <b>What if…</b> <span class="muted long">the same request, from the same moment</span>
        </p>
        {choices.map(({ change, shown, reason }) => (
          <Act key={sayChange(change)} class="row" aria-pressed={sayChange(change) === sayChange(chosen)} onClick={() => choose(change)}>
            {shown ? <Status entry={shown} /> : <span />}
            <span>
              {sayChange(change)} {reason && <bdi class="muted">· {showHidden(reason)}</bdi>}
            </span>
          </Act>
        ))}
        {typeof others === 'string' && <Loading said={others} />}
        {isEdited && <SendForm request={withAllHeaders(entry, state)} onAsk={(request) => choose({ request })} />}
      </section>
      {hasSides && <Alternative entry={entry} change={chosen} />}
      {hasSides && <h3>What was sent</h3>}
    </>
  )
}

/** The request as the log has it, with a key that works: the log has none. */
function withAllHeaders(entry: RequestRow, state: Scenario | undefined): CommandRequest {
  const { headers, ...request } = requestOf(entry, state, mockUrl)
  const logged = Object.entries(entry.request.headers).filter(([name]) => !TRANSPORT.test(name))
  return { ...request, headers: { ...headers, ...Object.fromEntries(logged) } }
}

function askWhatIf(entry: RequestRow, change: WhatIfChange) {
  return usePast(entry, JSON.stringify(change), (mock) => mock.whatIf(entry.id, change))
}

function Alternative({ entry, change }: { entry: RequestRow; change: WhatIfChange }) {
  const would = askWhatIf(entry, change)
  if (typeof would !== 'object') return <Loading said={would} />
  const copyTests = () =>
    attempt(async () => {
      const moment = await readMoment(entry, true)
      const changed = { ...testOf(entry, moment, mockUrl, change), status: would.status }
      copy(renderTests([testOf(entry, moment, mockUrl), changed]))
    })
  return (
    <Sides both={[answerOf(entry, 'as it was'), { ...would, ...statusOf(would), label: sayChange(change) }]}>
      <div class="buttons">
        <Button text="Copy both as tests" onClick={copyTests} />
        {would.differs === null && <span class="muted">It would get the same response.</span>}
      </div>
    </Sides>
  )
}

function Sides({ both, children }: { both: readonly [Answer, Answer]; children?: ComponentChildren }) {
  const bodies = compareBodies(both)
  useEffect(() => document.querySelector('.sides')?.scrollIntoView({ block: 'nearest' }), [toJson(bodies)])
  return (
    <section class="two sides" aria-label="Both responses">
      {both.map(({ label, delay, ...entry }, index) => (
        <div key={index}>
          <h3 class="muted">
            {label} <Status entry={entry} />
            {delay > 0 && ` after ${duration(delay)}`}
          </h3>
          <Json text="" label={`Response ${label}`} {...bodies[index]} />
        </div>
      ))}
      {children}
    </section>
  )
}

function statusOf({ status, drop = status === 0 }: { readonly status: number; readonly drop?: boolean }) {
  return { status, outcome: drop ? 'dropped' : 'sent' } as const
}

/** The header fields that differ, then the body, with the lines that differ marked. */
function compareBodies(both: readonly [Answer, Answer]) {
  const [one, other] = both.map(({ headers }) => headers)
  const names = Object.keys({ ...one, ...other }).filter((name) => !/^(?:Content-Length|Date)$/.test(name) && one?.[name] !== other?.[name])
  const fields = both.map(({ headers }) => names.flatMap((name) => (headers[name] ? `${name}: ${headers[name]}` : [])))
  const bodies = both.map(({ body }) => (body === '' ? [] : indentJson(body).split('\n')))
  const marked = diffLines(bodies[0] ?? [], bodies[1] ?? [])
  return fields.map((head, index) => {
    const above = head.length > 0 ? [...head, ''] : []
    const lines = [...head.keys(), ...(marked[index] ?? []).map((line) => line + above.length)]
    return { text: [...above, ...(bodies[index] ?? [])].join('\n'), marks: lines.map((line) => ({ line: line + 1, text: '' })) }
  })
}

function sayChange(change: WhatIfChange): string {
  if (change.request?.method !== undefined) return 'edited…'
  return change.without ? 'without its fault' : describeWhatIfChange(change)
}
