// The home view: requests and changes, live, newest first, one line each with the reason. Without rows it is the quick start.
import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChangeRow } from '../../world/change.ts'
import type { LogEntry } from '../../world/log-entry.ts'
import { undo } from '../actions.ts'
import { FINAL, filterRows, findUndone, isChange, nameOf, SHOWS, slowness, type Row as TimelineRow } from '../entry.ts'
import { causesOf, tellingAssumptions } from '../explain.ts'
import { scope, use, useRequests, useRows } from '../mock.ts'
import { adjust, link, route } from '../route.ts'
import { capitalize, count, duration, isMoved, shorten, showHidden, timeOf } from '../text.ts'
import { Act, Button, Chip, ResponseStatus, Search, Segments } from '../ui/controls.tsx'
import { List, Row } from '../ui/pane.tsx'
import { Strip } from '../ui/strip.tsx'
import { QuickStart } from './quick-start.tsx'
import { RequestDetail } from './request-detail.tsx'
import { NEW_REQUEST, SendPane } from './send-form.tsx'

const STEP = 200
/** The id of the newest row that you cleared. */
const hiddenUpTo = signal(0)
const NO_FILTER = { q: '', show: '', assumption: '', from: '', to: '' }

export function Timeline() {
  const all = useRows()
  // Clear hides rows; the mock keeps them.
  const entries = all?.filter(({ id }) => id > hiddenUpTo.value)
  const { part, query } = route.value
  const scroller = useRef<HTMLDivElement>(null)
  const [isScrolled, setScrolled] = useState(false)
  const [length, setLength] = useState(STEP)
  const newest = entries?.[0] && nameOf(entries[0])
  const [held, setHeld] = useState<string>()
  const isHeld = entries !== undefined && (isScrolled || part !== '')
  // New requests wait while a detail is open or the list is scrolled.
  useEffect(() => setHeld(isHeld ? newest : undefined), [isHeld])
  // What an address names is in sight.
  const isLoaded = entries !== undefined
  useEffect(() => scroller.current?.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest' }), [isLoaded])
  if (!entries) return <p class="empty">Loading…</p>
  const placeOf = (name: string | undefined) => entries.findIndex((entry) => nameOf(entry) === name)
  // A request that was sent from here is in sight at once.
  const first = [placeOf(held), placeOf(part)].filter((index) => index >= 0)
  const visible = entries.slice(held === undefined || first.length === 0 ? 0 : Math.min(...first))
  const shown = filterRows(visible, query)
  const place = shown.findIndex((entry) => nameOf(entry) === part)
  const undone = findUndone(entries)
  const listed = shown.slice(0, Math.max(length, place + 1))
  const fresh = filterRows(entries, query).length - shown.length
  const showNew = () => {
    scroller.current?.scrollTo(0, 0)
    setHeld(newest)
  }
  return (
    <>
      <div class="view">
        <h1 class="hidden" tabIndex={-1}>
          Timeline
        </h1>
        {entries.length > 0 && <Strip rows={filterRows(visible, { from: query.from ?? '', to: query.to ?? '' })} />}
        {entries.length > 0 && <Tools rows={visible} newest={entries[0]?.id ?? 0} />}
        <div class="scroller" ref={scroller} onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollTop > 0)}>
          {entries.every(isChange) && <QuickStart />}
          {entries.length > 0 && <Columns />}
          {fresh > 0 && (
            <Button class="primary fresh" onClick={showNew}>
              {count(fresh)} new
            </Button>
          )}
          <List label="Requests and changes, newest first">
            {listed.map((row) => (
              <li key={nameOf(row)} id={`row-${nameOf(row)}`}>
                {isChange(row) ? <Change row={row} isUndone={undone.has(nameOf(row))} /> : <Request entry={row} />}
              </li>
            ))}
          </List>
          {entries.length > 0 && shown.length === 0 && (
            <p class="empty">
              Nothing matches. <Button onClick={() => adjust({ query: NO_FILTER })}>Clear the filter</Button>
            </p>
          )}
          {shown.length > listed.length && (
            <p class="empty">
              <Button onClick={() => setLength(length + STEP)}>Show {Math.min(STEP, shown.length - length)} older</Button>
            </p>
          )}
          {entries.length < (all?.length ?? 0) && (
            <p class="empty">
              <Button onClick={() => (hiddenUpTo.value = 0)}>Show {count((all?.length ?? 0) - entries.length, 'cleared row')}</Button>
            </p>
          )}
        </div>
      </div>
      {part === NEW_REQUEST && <SendPane />}
      {part !== NEW_REQUEST && part !== '' && <RequestDetail key={part} entry={useRequests()?.find((entry) => nameOf(entry) === part)} />}
    </>
  )
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

function Tools({ rows, newest }: { rows: readonly TimelineRow[]; newest: number }) {
  const { query } = route.value
  const entries = rows.filter((row) => !isChange(row))
  const { show = 'all', from, to, assumption } = query
  return (
    <div class="tools">
      <Search
        label="Search: words, 4xx, >200ms, key:ann"
        hint="createPet, 4xx, >200ms, key:ann  ( / )"
        value={query.q ?? ''}
        onInput={(q) => adjust({ query: { q } })}
      />
      <Segments
        label="Show"
        value={show in SHOWS ? show : 'all'}
        options={Object.keys(SHOWS).map((id) => ({
          id,
          label: capitalize(id),
          amount: filterRows(entries, { ...query, show: id }).length,
        }))}
        onChange={(id) => adjust({ query: { show: id === 'all' ? '' : id } })}
      />
      {assumption && (
        <Button aria-label={`Stop filtering by ${assumption}`} onClick={() => adjust({ query: { assumption: '' } })}>
          {assumption} ✕
        </Button>
      )}
      {from && (
        <Button aria-label="Show other times, too" onClick={() => adjust({ query: { from: '', to: '' } })}>
          rows {from} to {to} ✕
        </Button>
      )}
      <span class="grow" />
      <a class="button" href={link('timeline', NEW_REQUEST)}>
        New request
      </a>
      <Button class="quiet" title="Hides these rows; the mock keeps them" onClick={() => (hiddenUpTo.value = newest)}>
        Clear
      </Button>
    </div>
  )
}

/** Undo takes back this change alone; an undone undo is a redo. */
function Change({ row, isUndone }: { row: ChangeRow; isUndone: boolean }) {
  const { id, at, text, undoes, sandbox } = row
  const since = (useRequests() ?? []).filter((entry) => entry.id > id && entry.sandbox === sandbox).length
  return (
    <div class={`row request change ${isUndone ? 'undone' : ''}`}>
      <time dateTime={at}>{timeOf(at)}</time>
      <span class="sign" aria-hidden="true">
        ◆
      </span>
      <span class="text">
        <bdi>{showHidden(text)}</bdi>{' '}
        <span class="muted">
          {scope() === '*' && `· ${sandbox === null ? 'no sandbox' : shorten(sandbox, 16)} `}
          {since > 0 && `· ${count(since, 'request')} since`}
        </span>
      </span>
      {isUndone ? (
        <span class="muted">undone</span>
      ) : (
        !FINAL.includes(row.method) && (
          <Act class="button link" aria-label={`${undoes === null ? 'Undo' : 'Redo'} ${text}`} onClick={() => undo(id, sandbox)}>
            {undoes === null ? 'Undo' : 'Redo'}
          </Act>
        )
      )}
    </div>
  )
}

function Request({ entry }: { entry: LogEntry }) {
  const { at, realAt, method, target, sandbox, outcome, durationMs } = entry
  return (
    <Row class="request" part={nameOf(entry)}>
      <time dateTime={at} title={`Real time ${realAt}`}>
        {isMoved(Date.parse(at), Date.parse(realAt)) && <span class="date">{at.slice(0, 10)} </span>}
        {timeOf(at)}
      </time>
      <ResponseStatus entry={entry} />
      <span class="method">{method}</span>
      <bdi class="path">{showHidden(target)}</bdi>
      {scope() === '*' && <span class="key">{sandbox === null ? 'no sandbox' : shorten(sandbox, 16)}</span>}
      <span class="why">
        <Why entry={entry} />
      </span>
      <span class={`took ${slowness(entry)}`}>{outcome === 'sent' ? duration(durationMs) : '–'}</span>
    </Row>
  )
}

/** The reason in one line: who is behind it, what happened, and the open questions that it depends on. */
function Why({ entry }: { entry: LogEntry }) {
  const faults = use('faults', entry.sandbox) ?? []
  const causes = causesOf(entry, faults, useRequests() ?? [])
  return (
    <>
      {causes.map(({ chip, tone, text }) => (
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
