// What was true when a request came, how that moment differs from another, and what one change
// would have made of it.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { toJson } from '../../contract/int64-json.ts'
import type { StateDiff, WhatIfChange } from '../../control/control.ts'
import { findOtherFields, listDifferences } from '../../control/differences.ts'
import {
  type CommandRequest,
  isTestable,
  requestOf,
  testOf,
} from '../../control/text/copy-logged.ts'
import { renderTests } from '../../control/text/copy-script.ts'
import { describeWhatIfChange } from '../../control/text/describe-what-if.ts'
import { nameOf } from '../../control/text/find-sent.ts'
import { printDuration } from '../../control/text/row-line.ts'
import {
  isRequest,
  type LoggedMessage,
  type RequestRow,
  type TimelineRow,
} from '../../world/row.ts'
import { attempt } from '../model/actions.ts'
import { mockUrl } from '../model/connection.ts'
import { draftOf, hasDraft } from '../model/drafts.ts'
import { askMoment, read, readPast, readRows } from '../model/mock.ts'
import { link, route } from '../model/route.ts'
import { OUTCOMES, SLOW_MS } from '../model/rows.ts'
import { count, diffLines, indentJson, shorten, showHidden } from '../model/text.ts'
import {
  Act,
  Button,
  colour,
  copy,
  Loading,
  type NamedValues,
  Pairs,
  Status,
  UNSAVED,
} from '../ui/controls.tsx'
import { draftOfRow, SendForm } from './send-form.tsx'

const MAX_LISTED = 100
const MAX_OPEN = 5
const LINES_ABOVE_PX = 40
/** Fields that the client adds by itself: what if keeps them, and `fetch` sets them. */
const TRANSPORT =
  /^(authorization|host|connection|keep-alive|content-length|user-agent|(accept|sec-|transfer-).*)$/

function pairsOf(diff: StateDiff): NamedValues {
  const all = listDifferences(diff)
  const render = (isPet: boolean) =>
    all
      .filter(([about]) => about in diff.pets === isPet)
      .map(([, text]) => <p key={text}>{showHidden(text)}</p>)
  const [pets, others] = [render(true), render(false)]
  const content = [
    <summary key="">{count(pets.length, 'difference')}</summary>,
    ...pets.slice(0, MAX_LISTED),
  ]
  const folded = <details open={pets.length <= MAX_OPEN} children={content} />
  const settings = others.length > 0 ? [['Settings', others] as const] : []
  return [['Animals', pets.length > 0 ? folded : 'the same'], ...settings]
}

export function Saw({ row }: { row: RequestRow }) {
  const { id: before, sandbox } = row
  const past = readPast(row, 'saw', (mock) =>
    Promise.all([mock.diff({ before }), mock.assumptions({ before })]),
  )
  if (typeof past !== 'object') return <Loading said={past} />
  const [diff, assumptions] = past
  const named = assumptions.filter(({ id }) => row.assumptions.includes(id))
  const hrefOf = (id: string) => link('assumptions', id, {}, sandbox)
  const links = named.map(({ id, choice }) => <a key={id} href={hrefOf(id)}>{`${id}=${choice}`}</a>)
  return (
    <section class="card" aria-label="What this request saw">
      <h3>Its state, compared with {showHidden(diff.scenario)}</h3>
      <Pairs pairs={[...pairsOf(diff), ...links.map((one) => ['Depends on', one] as const)]} />
    </section>
  )
}

export function Comparison({ row }: { row: TimelineRow }) {
  const rows = (readRows() ?? []).filter(({ sandbox }) => sandbox === row.sandbox)
  const other = rows.find((one) => one.id !== row.id && nameOf(one) === route.value.query.compare)
  const [since, before] = other && other.id < row.id ? [other, row] : [row, other]
  const moments = { since: since.id, ...(before && { before: before.id }) }
  const diff = readPast(row, `${since.id} ${(before ?? rows[0])?.id}`, (mock) => mock.diff(moments))
  const both =
    before && isRequest(since) && isRequest(before) ? ([since, before] as const) : undefined
  const pairs = both && { Request: pairOf(both, sentOf), Response: pairOf(both, answerOf) }
  const sides = Object.entries(pairs ?? {})
  const same = sides.flatMap(([name, { isSame }]) =>
    isSame ? [[`${name}s`, 'the same'] as const] : [],
  )
  return (
    <section class="card" aria-label="Comparison">
      {route.value.query.compare && !other && <p class="muted">Open another row to compare.</p>}
      <h3>{`From before row ${since.id} to ${before ? `before row ${before.id}` : 'now'}`}</h3>
      {typeof diff === 'object' ? (
        <Pairs pairs={[...same, ...pairsOf(diff)]} />
      ) : (
        <Loading said={diff} />
      )}
      {sides.map(
        ([name, { pair, isSame }]) => !isSame && <Sides key={name} name={name} both={pair} />,
      )}
    </section>
  )
}

/** `text` is the first line: what the head shows. `nothing` stands for an empty body. */
type Side = LoggedMessage &
  Readonly<{ label: string; text: string; head: ComponentChildren; nothing: string }>

const pairOf = (rows: readonly [RequestRow, RequestRow], sideOf: (row: RequestRow) => Side) => {
  const pair = [sideOf(rows[0]), sideOf(rows[1])] as const
  const hasMarks = compareBodies(pair).some((lines) => lines.some(({ isMarked }) => isMarked))
  return { pair, isSame: pair[0].text === pair[1].text && !hasMarks }
}

function sentOf({ id, method, target, request: { headers, body } }: RequestRow): Side {
  const text = `${method} ${target}`
  const label = `row ${id}`
  const own = Object.entries(headers).filter(
    ([name]) => name === 'authorization' || !TRANSPORT.test(name),
  )
  const head = [<bdi key="" class="target" children={shorten(showHidden(text), 60)} />, ' ', label]
  return { headers: Object.fromEntries(own), body, label, text, head, nothing: 'No body' }
}

const answerOf = (row: RequestRow) => toAnswer(row, `row ${row.id}`)

function toAnswer(
  row: Pick<RequestRow, 'status' | 'outcome' | 'durationMs' | 'response'>,
  label: string,
): Side {
  const { status, outcome, durationMs, response } = row
  const late = durationMs > SLOW_MS && ` after ${printDuration(durationMs)}`
  const head = [<Status key="" row={row} />, ' ', label, late]
  const nothing = outcome === 'sent' ? 'No body' : OUTCOMES[outcome][1]
  return { ...response, label, text: `${status} ${outcome}`, head, nothing }
}

const AS_IT_WAS: WhatIfChange = {}
/** The form names a method, the mock's own alternatives do not. */
const EDITED: WhatIfChange = { request: { method: '' } }
/** What was asked last about a request, and the draft that it was made from. */
const asked = new Map<string, { readonly change: WhatIfChange; readonly text: string }>()

type WhatIfProps = {
  row: RequestRow
  children: ComponentChildren
  messages(isCompared: boolean): ComponentChildren
}

/**
 * What is known about a request, with its alternatives below; its messages, with the chosen
 * alternative above.
 */
export function WhatIfColumns({ row, children, messages }: WhatIfProps) {
  const draft = draftOfRow(row)
  const text = JSON.stringify(draftOf(draft))
  // What was sent or discarded is not what you would ask now.
  const last = hasDraft(draft) || asked.get(draft)?.text === text ? asked.get(draft) : undefined
  const [chosen, choose] = useState(AS_IT_WAS)
  const isEdited = chosen.request?.method !== undefined
  const isStale = isEdited && last?.text !== text
  const isComparing = !!route.value.query.compare
  useEffect(
    () => document.querySelector('.what-if form')?.scrollIntoView({ block: 'nearest' }),
    [isEdited],
  )
  const others = readPast(row, 'alternatives', (mock) =>
    mock.whatIf(row.id, { alternatives: true }),
  )
  const list = (typeof others === 'object' ? others : []).map((one) => ({
    ...one,
    shown: one.status !== null && one,
  }))
  const other = isEdited ? last?.change : chosen
  const hasSides = !isComparing && other && other !== AS_IT_WAS
  const would = last && askWhatIf(row, last.change)
  const edited = {
    change: last?.change ?? EDITED,
    error: null,
    shown: typeof would === 'object' && would,
  }
  const choices = [{ change: AS_IT_WAS, error: null, shown: row }, ...list, edited]
  const ask = (change: WhatIfChange) => {
    asked.set(draft, { change, text: JSON.stringify(draftOf(draft)) })
    choose(change)
  }
  const form = { draft, request: withAllHeaders(row) }
  const renderChoice = ({ change, shown, error }: (typeof choices)[number]) => {
    const name = sayChange(change)
    return (
      <Act
        key={name}
        class="row"
        aria-pressed={name === sayChange(chosen)}
        onClick={() => choose(change)}
      >
        {shown ? <Status row={shown} /> : <span />}
        <span>
          {name} {change.request?.method !== undefined && hasDraft(draft) && UNSAVED}{' '}
          {error && <bdi class="muted">· {showHidden(error)}</bdi>}
        </span>
      </Act>
    )
  }
  return (
    <>
      <div class="stack">
        {children}
        {!isComparing && (
          <section class="card what-if" aria-label="What if">
            <h3>What if…</h3>
            {choices.map(renderChoice)}
            {typeof others === 'string' && <Loading said={others} />}
            {isEdited && <SendForm {...form} hasFault={!!row.struck} onAsk={ask} />}
          </section>
        )}
      </div>
      <div class="stack">
        {isComparing && <Comparison row={row} />}
        {isStale && hasSides && <p>Edited. Ask again.</p>}
        {hasSides && (
          <div class="stack" inert={isStale} children={<Alternative row={row} change={other} />} />
        )}
        {messages(!!hasSides)}
      </div>
    </>
  )
}

/** The request as the log has it, with a key that works: the log has none. */
function withAllHeaders(row: RequestRow): CommandRequest {
  const { headers, ...request } = requestOf(row, read('state', row.sandbox), mockUrl)
  const logged = Object.entries(row.request.headers).filter(([name]) => !TRANSPORT.test(name))
  return { ...request, headers: { ...headers, ...Object.fromEntries(logged) } }
}

const askWhatIf = (row: RequestRow, change: WhatIfChange) =>
  readPast(row, JSON.stringify(change), (mock) => mock.whatIf(row.id, change))

function Alternative({ row, change }: { row: RequestRow; change: WhatIfChange }) {
  const would = askWhatIf(row, change)
  if (typeof would !== 'object') return <Loading said={would} />
  const reasons = [
    would.differs === null && 'the same response',
    change.request && would.error,
    ...would.notes,
  ]
  const { method = row.method, target = row.target } = change.request ?? {}
  const canTest = isTestable(row) && isTestable({ ...row, method, target })
  const both = [toAnswer(row, 'as it was'), toAnswer(would, sayChange(change))] as const
  const copyTests = () =>
    attempt(async () => {
      const moment = await askMoment(row)
      copy(
        renderTests([
          testOf(row, moment, mockUrl),
          testOf({ ...row, ...would }, moment, mockUrl, change),
        ]),
      )
    })
  return (
    <>
      <Sides both={both} />
      <div class="buttons">
        {canTest && <Button text="Copy both as tests" onClick={copyTests} />}
        <span class="muted">{showHidden(reasons.filter(Boolean).join(' · '))}</span>
      </div>
    </>
  )
}

/**
 * Each line has its place in both columns, so that equal lines stay level wherever long ones wrap.
 */
function Sides({ name, both }: { name?: string; both: readonly [Side, Side] }) {
  const what = name ?? 'Response'
  const bodies = compareBodies(both)
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!name) section.current?.scrollIntoView({ block: 'nearest' })
    const marked = section.current?.querySelector<HTMLElement>('.marked')
    section.current?.querySelector('.code')?.scrollTo(0, (marked?.offsetTop ?? 0) - LINES_ABOVE_PX)
  }, [toJson(bodies)])
  return (
    <section ref={section} class="sides" aria-label={`Both ${what}s`}>
      {both.map(({ head }, index) => (
        <h3 key={index} class="muted" children={head} />
      ))}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it */}
      <div class="code" tabIndex={0}>
        {both.map(({ label, nothing }, index) => (
          <fieldset key={index} aria-label={`${what} ${label}`}>
            {bodies[index]?.length === 0 && <pre class="muted">{nothing}</pre>}
            {bodies[index]?.map(({ text, place, isMarked }) => (
              <pre
                key={place}
                class={isMarked ? 'marked' : ''}
                style={{ gridRow: place + 1 }}
                children={colour(text)}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </section>
  )
}

/**
 * The header fields that differ, then the body, with the lines that differ marked. What follows
 * them is level.
 */
function compareBodies(both: readonly [LoggedMessage, LoggedMessage]) {
  const names = both.every(({ headers }) => Object.keys(headers).length > 0)
    ? findOtherFields(...both)
    : []
  const bodies = both.map(({ body }) =>
    body === '' ? [] : showHidden(indentJson(body)).split('\n'),
  )
  const marked = diffLines(bodies[0] ?? [], bodies[1] ?? [])
  const most = Math.max(...marked.map(({ length }) => length))
  const start = marked.flat()[0] ?? 0
  return both.map(({ headers }, index) => {
    const own = marked[index]?.length ?? 0
    const textOf = (name: string) => (headers[name] ? showHidden(`${name}: ${headers[name]}`) : '')
    const fields = names.map((name, place) => ({ text: textOf(name), place, isMarked: true }))
    const lines = (bodies[index] ?? []).map((text, line) => {
      const isAfter = line >= start + own
      return {
        text,
        place: names.length + line + (isAfter ? most - own : 0),
        isMarked: line >= start && !isAfter,
      }
    })
    return [...fields.filter(({ text }) => text !== ''), ...lines]
  })
}

const sayChange = (change: WhatIfChange): string =>
  change.request?.method === undefined ? describeWhatIfChange(change) : 'edited…'
