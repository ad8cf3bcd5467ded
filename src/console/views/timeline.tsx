// The home view: requests and changes, live, newest first, one line each with the reason. Without rows it is the quick start.
import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type ChangeRow, isChange, isRequest } from '../../world/change.ts'
import type { LogEntry } from '../../world/log-entry.ts'
import { undo } from '../actions.ts'
import { causesOf, FINAL, filterRows, findUndone, nameOf, SHOWS, slowness, type Row as TimelineRow, tellingAssumptions } from '../entry.ts'
import { restarts, scope, useRequests, useRows } from '../mock.ts'
import { adjust, link, route } from '../route.ts'
import { capitalize, count, duration, isMoved, shorten, showHidden, timeOf } from '../text.ts'
import { Act, Button, Chip, OneOf, ResponseStatus, Search } from '../ui/controls.tsx'
import { List, Row } from '../ui/pane.tsx'
import { Strip } from '../ui/strip.tsx'
import { RequestDetail } from './request-detail.tsx'
import { NEW_REQUEST, openSent, QuickStart, SendPane } from './send-form.tsx'

const STEP = 200
/** The id of the newest row that you cleared; a mock that restarts counts again. */
const cleared = signal({ upTo: 0, run: 0 })
const NO_FILTER = { q: '', show: '', assumption: '', from: '', to: '' }

export function Timeline() {
  const all = useRows()
  const { part, query } = route.value
  const named = findNamed(all ?? [], part)
  const scroller = useRef<HTMLDivElement>(null)
  const [length, setLength] = useState(STEP)
  useEffect(() => openSent(useRequests()), [all])
  // An address may leave the sandbox out.
  useEffect(() => {
    if (named && nameOf(named) !== part) adjust({ part: nameOf(named) })
  }, [named])
  // What an address names is in sight.
  useEffect(() => scroller.current?.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest' }), [all === undefined])
  if (!all) return <p class="empty">Loading…</p>
  // Clear hides rows; the mock keeps them.
  const { upTo, run } = cleared.value
  const rows = run === restarts.value ? all.filter(({ id }) => id > upTo) : all
  const shown = filterRows(rows, query)
  const place = shown.findIndex((row) => nameOf(row) === part)
  const listed = shown.slice(0, Math.max(length, place + 1))
  const undone = findUndone(rows)
  const after = (text: string, label: string, onClick: () => void) => (
    <p class="empty">
      {text} <Button onClick={onClick}>{label}</Button>
    </p>
  )
  return (
    <>
      <div class="view">
        <h1 class="hidden" tabIndex={-1}>
          Timeline
        </h1>
        {rows.length > 0 && (
          <>
            <Strip rows={filterRows(rows, { ...query, q: '', show: '', assumption: '' })} />
            <Tools rows={rows} />
          </>
        )}
        <div class="scroller" ref={scroller}>
          {rows.every(isChange) && <QuickStart />}
          {rows.length > 0 && <Columns />}
          <List label="Requests and changes, newest first">
            {listed.map((row) => (
              <li key={nameOf(row)} id={`row-${nameOf(row)}`}>
                {isChange(row) ? <Change row={row} isUndone={undone.has(nameOf(row))} /> : <Request entry={row} />}
              </li>
            ))}
          </List>
          {rows.length > 0 && shown.length === 0 && after('Nothing matches.', 'Clear the filter', () => adjust({ query: NO_FILTER }))}
          {shown.length > listed.length && after('', `Show ${Math.min(STEP, shown.length - length)} older`, () => setLength(length + STEP))}
          {rows.length < all.length && after('', `Show ${count(all.length - rows.length, 'cleared row')}`, () => hideUpTo(0))}
        </div>
      </div>
      {part === NEW_REQUEST && <SendPane />}
      {part !== NEW_REQUEST && part !== '' && <RequestDetail key={part} found={named} />}
    </>
  )
}

function hideUpTo(id: number): void {
  cleared.value = { upTo: id, run: restarts.value }
}

function findNamed(rows: readonly TimelineRow[], part: string): LogEntry | undefined {
  const requests = rows.filter(isRequest)
  return requests.find((entry) => nameOf(entry) === part) ?? requests.find(({ id }) => String(id) === part)
}

function Columns() {
  return (
    <div class="row request columns" aria-hidden="true">
      <span>Time, UTC</span>
      <span />
      <span />
      <span>Path</span>
      {scope() === '*' && <span class="key">Key</span>}
      <span>Why</span>
      <span>Took</span>
    </div>
  )
}

function Tools({ rows }: { rows: readonly TimelineRow[] }) {
  const { query } = route.value
  const entries = rows.filter(isRequest)
  const { show = 'all', from, to, assumption } = query
  return (
    <div class="tools">
      <Search
        label="Search: words, 4xx, >200ms, key:ann"
        hint="createPet, 4xx, >200ms, key:ann"
        onInput={(q) => adjust({ query: { q } })}
      />
      <OneOf
        label="Show"
        value={show in SHOWS ? show : 'all'}
        options={Object.keys(SHOWS).map((id) => [id, capitalize(id), filterRows(entries, { ...query, show: id }).length])}
        onChange={(id) => adjust({ query: { show: id === 'all' ? '' : id } })}
      />
      {(assumption || from) && (
        <Button aria-label="Show everything" onClick={() => adjust({ query: NO_FILTER })}>
          {assumption || `rows ${from} to ${to}`} ✕
        </Button>
      )}
      <span class="grow" />
      <a class="button" href={link('timeline', NEW_REQUEST)}>
        New request
      </a>
      <Button class="button quiet" title="Hides these rows; the mock keeps them" onClick={() => hideUpTo(rows[0]?.id ?? 0)}>
        Clear
      </Button>
    </div>
  )
}

/** Undo takes back this change alone; an undone undo is a redo. */
function Change({ row, isUndone }: { row: ChangeRow; isUndone: boolean }) {
  const { id, text, sandbox, isUndo } = row
  const verb = isUndo ? 'Redo' : 'Undo'
  const since = useRequests().filter((entry) => entry.id > id && entry.sandbox === sandbox).length
  return (
    <div class={`row request change ${isUndone ? 'undone' : ''}`}>
      <When row={row} />
      <span class="sign" aria-hidden="true">
        ◆
      </span>
      <span class="text">
        {scope() === '*' && <span class="key">{nameSandbox(sandbox)} </span>}
        <bdi>{showHidden(text)}</bdi> {since > 0 && <span class="muted">{`· ${count(since, 'request')} since`}</span>}
      </span>
      {isUndone ? (
        <span class="muted">undone</span>
      ) : (
        !FINAL.includes(row.method) && (
          <Act class="button link" aria-label={`${verb} ${text}`} onClick={() => undo(id, sandbox)}>
            {verb}
          </Act>
        )
      )}
    </div>
  )
}

function Request({ entry }: { entry: LogEntry }) {
  const { method, target, sandbox, outcome, durationMs } = entry
  return (
    <Row class="request" part={nameOf(entry)}>
      <When row={entry} />
      <ResponseStatus entry={entry} />
      <span class="method">{method}</span>
      <bdi class="path">{showHidden(target)}</bdi>
      {scope() === '*' && <span class="key">{nameSandbox(sandbox)}</span>}
      <span class="why">
        <Why entry={entry} />
      </span>
      <span class={`took ${slowness(entry)}`}>{outcome === 'sent' ? duration(durationMs) : '–'}</span>
    </Row>
  )
}

/** By the mock's clock, with the day if that has been moved. */
function When({ row: { at, realAt } }: { row: TimelineRow }) {
  return (
    <time dateTime={at} title={`Real time ${realAt}`}>
      {isMoved(Date.parse(at), Date.parse(realAt)) && <span class="date">{at.slice(0, 10)} </span>}
      {timeOf(at)}
    </time>
  )
}

function nameSandbox(sandbox: string | null): string {
  return sandbox === null ? 'no sandbox' : shorten(sandbox, 12)
}

/** The reason in one line: who is behind it, what happened, and the open questions that it depends on. */
function Why({ entry }: { entry: LogEntry }) {
  return (
    <>
      {causesOf(entry).map(({ chip, tone, text }) => (
        <span key={text}>
          {chip && <Chip tone={tone}>{chip}</Chip>}
          <bdi>{showHidden(text)} </bdi>
        </span>
      ))}
      {tellingAssumptions(entry).map((id) => (
        <Chip key={id} tone="change">
          {id}
        </Chip>
      ))}
    </>
  )
}
