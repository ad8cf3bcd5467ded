// What was true when a request came, how that moment differs from another one, and what would have happened if one thing had been different.
import { useEffect, useState } from 'preact/hooks'
import type { StateDiff, WhatIf, WhatIfChange } from '../../control/control.ts'
import type { AssumptionId } from '../../generated/contract.ts'
import { type CommandRequest, renderTests, requestOf, testOf } from '../../render/copy.ts'
import { describeWhatIfChange, listDifferences } from '../../render/differences.ts'
import type { RequestRow } from '../../world/row.ts'
import type { Scenario } from '../../world/scenario.ts'
import { attempt } from '../actions.ts'
import { mockUrl } from '../connection.ts'
import { readMoment, use, usePast, useRows } from '../mock.ts'
import { link, route } from '../route.ts'
import { type LineMark, nameOf, type Row } from '../rows.ts'
import { count, diffLines, duration, indentJson, showHidden } from '../text.ts'
import { Act, Button, copy, Json, Loading, type NamedValues, Pairs, Status } from '../ui/controls.tsx'
import { SendForm } from './send-form.tsx'

const MAX_LISTED = 100
const MAX_OPEN = 5

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
  const chosen = rows.find((row) => nameOf(row) === route.value.query.compare)
  const [since = entry.id, before] = [...new Set([chosen?.id ?? entry.id, entry.id])].sort((one, other) => one - other)
  const diff = usePast(entry, `${since} ${before ?? rows[0]?.id}`, (mock) => mock.diff({ since, ...(before && { before }) }))
  return (
    <section class="card" aria-label="Comparison">
      <h3>{`From row ${since} to ${before ? `row ${before}` : 'now'}`}</h3>
      {typeof diff === 'object' ? <Pairs pairs={pairsOf(diff)} /> : <Loading said={diff} />}
    </section>
  )
}

const AS_IT_WAS: WhatIfChange = {}
/** The form names a method, the mock's own alternatives do not. */
const EDITED: WhatIfChange = { request: { method: '' } }

export function WhatIfCard({ entry }: { entry: RequestRow }) {
  const [chosen, choose] = useState(AS_IT_WAS)
  const isEdited = chosen.request?.method !== undefined
  const state = use('state', entry.sandbox)
  useEffect(() => document.querySelector('.what-if form')?.scrollIntoView({ block: 'nearest' }), [isEdited])
  const alternatives = usePast(entry, 'alternatives', (mock) => mock.whatIf(entry.id, { alternatives: true }))
  const list = (typeof alternatives === 'object' ? alternatives : []).map((one) => ({ ...one, shown: statusOf(one) }))
  const hasSides = chosen !== AS_IT_WAS && chosen !== EDITED
  const asked = isEdited && hasSides && askWhatIf(entry, chosen)
  const edited = { change: EDITED, reason: null, shown: typeof asked === 'object' ? statusOf(asked) : undefined }
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
        {typeof alternatives === 'string' && <Loading said={alternatives} />}
        {isEdited && <SendForm request={withAllHeaders(entry, state)} onAsk={(request) => choose({ request })} />}
      </section>
      {hasSides && <Sides entry={entry} change={chosen} />}
      {hasSides && <h3>What was sent</h3>}
    </>
  )
}

/** The request as the log has it, with a key that works: the log has none. */
function withAllHeaders(entry: RequestRow, state: Scenario | undefined): CommandRequest {
  const { headers, ...request } = requestOf(entry, state, mockUrl)
  const { authorization: _, ...logged } = entry.request.headers
  return { ...request, headers: { ...headers, ...logged } }
}

function askWhatIf(entry: RequestRow, change: WhatIfChange) {
  return usePast(entry, JSON.stringify(change), (mock) => mock.whatIf(entry.id, change))
}

function Sides({ entry, change }: { entry: RequestRow; change: WhatIfChange }) {
  const [was, would] = [askWhatIf(entry, AS_IT_WAS), askWhatIf(entry, change)]
  useEffect(() => document.querySelector('.sides')?.scrollIntoView({ block: 'nearest' }), [was, would])
  if (typeof was !== 'object') return <Loading said={was} />
  if (typeof would !== 'object') return <Loading said={would} />
  const [one, other] = compareBodies(was, would)
  const copyTests = () =>
    attempt(async () => {
      const moment = await readMoment(entry, true)
      const changed = { ...testOf(entry, moment, mockUrl, change), status: would.status }
      copy(renderTests([testOf(entry, moment, mockUrl), changed]))
    })
  return (
    <section class="two sides" aria-label="Both responses">
      <Side label="as it was" one={was} {...one} />
      <Side label={sayChange(change)} one={would} {...other} />
      <div class="buttons">
        <Button text="Copy both as tests" onClick={copyTests} />
        {would.differs === null && <span class="muted">It would get the same response.</span>}
      </div>
    </section>
  )
}

function Side({ label, one, ...body }: { label: string; one: WhatIf; text?: string; marks?: readonly LineMark[] }) {
  return (
    <div>
      <h3 class="muted">
        {label} <Status entry={statusOf(one)} />
        {one.delay > 0 && ` after ${duration(one.delay)}`}
      </h3>
      <Json text="" label={`Response ${label}`} {...body} />
    </div>
  )
}

function statusOf({ status, drop = status === 0 }: { readonly status: number; readonly drop?: boolean }) {
  return { status, outcome: drop ? 'dropped' : 'sent' } as const
}

/** The header fields that differ, then the body, with the lines that differ marked. */
function compareBodies(...both: [WhatIf, WhatIf]) {
  const names = both[1].differs?.headers.filter((name) => name !== 'Content-Length') ?? []
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
