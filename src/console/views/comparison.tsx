// What was true when a request came, and how the moment of a row differs from another one.
import type { StateDiff } from '../../control/control.ts'
import { listDifferences } from '../../control/describe-differences.ts'
import { nameRow } from '../../control/rows/name-row.ts'
import { isRequest, type RequestRow, type TimelineRow } from '../../world/row.ts'
import { readPast, readRows } from '../model/mock.ts'
import { link, route } from '../model/route.ts'
import { count, showHidden } from '../model/text.ts'
import { Loading } from '../ui/chip.tsx'
import { type NamedValue, Pairs } from '../ui/pane.tsx'
import { isSame, type Pair, requestSide, responseSide, Sides } from './sides.tsx'

const MAX_LISTED = 100
const MAX_OPEN = 5

/** The state that a request saw, and the assumptions that its response depends on. */
export function SeenState({ row }: { row: RequestRow }) {
  const before = row.id
  const past = readPast(row, 'saw', (mock) =>
    Promise.all([mock.diff({ before }), mock.assumptions({ before })]),
  )
  if (typeof past !== 'object') return <Loading text={past} />
  const [diff, assumptions] = past
  const pairs = [...describeDiff(diff)]
  for (const { id, choice } of assumptions) {
    if (!row.assumptions.includes(id)) continue
    const href = link('assumptions', id, {}, row.sandbox)
    const text = `${id}=${choice}`
    pairs.push(['Depends on', <a href={href}>{text}</a>])
  }
  return (
    <section class="card" aria-label="What this request saw">
      <h3>Its state, compared with {showHidden(diff.scenario)}</h3>
      <Pairs pairs={pairs} />
    </section>
  )
}

function describeDiff(diff: StateDiff): NamedValue[] {
  const pets: string[] = []
  const settings: string[] = []
  for (const [about, text] of listDifferences(diff)) {
    if (about in diff.pets) pets.push(text)
    else settings.push(text)
  }
  const pairs: NamedValue[] = [['Animals', pets.length > 0 ? renderPets(pets) : 'the same']]
  if (settings.length > 0) pairs.push(['Settings', settings.map(renderText)])
  return pairs
}

function renderPets(texts: readonly string[]) {
  return (
    <details open={texts.length <= MAX_OPEN}>
      <summary>{count(texts.length, 'difference')}</summary>
      {texts.slice(0, MAX_LISTED).map(renderText)}
    </details>
  )
}

function renderText(text: string) {
  return <p key={text}>{showHidden(text)}</p>
}

/** Compares the moment of the row with that of the chosen one, or with now. */
export function Comparison({ row }: { row: TimelineRow }) {
  const rows = (readRows() ?? []).filter((one) => one.sandbox === row.sandbox)
  const other = findCompared(rows, row)
  const isOlder = other !== undefined && other.id < row.id
  const since = isOlder ? other : row
  const before = isOlder ? row : other
  // The newest row stands for now.
  const newest = before ?? rows[0]
  const moments = before ? { since: since.id, before: before.id } : { since: since.id }
  const diff = readPast(row, `${since.id} ${newest?.id}`, (mock) => mock.diff(moments))
  const until = before ? `before row ${before.id}` : 'now'
  const messages = before ? pairMessages(since, before) : []
  const different = messages.filter((one) => !isSame(one.pair))
  const isWaiting = Boolean(route.value.query.compare) && !other
  return (
    <section class="card" aria-label="Comparison">
      {isWaiting && <p class="muted">Open another row to compare.</p>}
      <h3>
        From before row {since.id} to {until}
      </h3>
      <Differences diff={diff} messages={messages} />
      {different.map((one) => (
        <Sides key={one.name} name={one.name} pair={one.pair} />
      ))}
    </section>
  )
}

/** The row that you compare with, if you have opened another one since. */
function findCompared(rows: readonly TimelineRow[], row: TimelineRow): TimelineRow | undefined {
  const { compare } = route.value.query
  return rows.find((one) => one.id !== row.id && nameRow(one) === compare)
}

type Messages = ReturnType<typeof pairMessages>
type DifferencesProps = { diff: StateDiff | string | undefined; messages: Messages }

/** How the states differ, and which messages are the same. */
function Differences({ diff, messages }: DifferencesProps) {
  if (typeof diff !== 'object') return <Loading text={diff} />
  const same = messages.filter((one) => isSame(one.pair))
  const samePairs = same.map((one) => [`${one.name}s`, 'the same'] as const)
  const pairs = [...samePairs, ...describeDiff(diff)]
  return <Pairs pairs={pairs} />
}

/** Changes have no messages. */
function pairMessages(one: TimelineRow, other: TimelineRow) {
  if (!isRequest(one) || !isRequest(other)) return []
  const sent: Pair = [requestSide(one), requestSide(other)]
  const received: Pair = [
    responseSide(one, `row ${one.id}`),
    responseSide(other, `row ${other.id}`),
  ]
  return [
    { name: 'Request', pair: sent },
    { name: 'Response', pair: received },
  ] as const
}
