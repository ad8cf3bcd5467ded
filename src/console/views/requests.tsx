// The home view: the request log, live, newest first, one line a request with its reason. Without requests it is the quick start.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { LogEntry } from '../../world/log-entry.ts'
import { change } from '../actions.ts'
import { control } from '../connection.ts'
import { addedId, filterEntries, nameOf, SHOWS } from '../entry.ts'
import { requestScope, useRequests } from '../mock.ts'
import { adjust, link, route } from '../route.ts'
import { count, duration, isMoved, shorten, showHidden, timeOf } from '../text.ts'
import { Button, Chip, ResponseStatus, Search, Segments } from '../ui/controls.tsx'
import { List, Row } from '../ui/pane.tsx'
import { QuickStart } from './quick-start.tsx'
import { RequestDetail } from './request-detail.tsx'
import { NEW_REQUEST, SendPane } from './send-form.tsx'

const STEP = 200
/** A response that took this long says so in the list. */
const LONG_MS = 100

export function Requests() {
  const entries = useRequests()
  const { part, query } = route.value
  const scroller = useRef<HTMLDivElement>(null)
  const [isScrolled, setScrolled] = useState(false)
  const [length, setLength] = useState(STEP)
  const newest = entries?.[0] && nameOf(entries[0])
  const [held, setHeld] = useState<string>()
  const isHeld = entries !== undefined && (isScrolled || part !== '')
  // New requests wait while a detail is open or the list is scrolled.
  useEffect(() => setHeld(isHeld ? newest : undefined), [isHeld])
  if (!entries) return <p class="empty">Loading…</p>
  const visible = entries.slice(Math.max(0, held === undefined ? 0 : entries.findIndex((entry) => nameOf(entry) === held)))
  const shown = filterEntries(visible, query)
  const fresh = filterEntries(entries, query).length - shown.length
  const showNew = () => {
    scroller.current?.scrollTo(0, 0)
    setHeld(newest)
  }
  return (
    <>
      <div class="view">
        <h1 class="hidden" tabIndex={-1}>
          Requests
        </h1>
        {entries.length > 0 && <Tools entries={visible} />}
        <div class="scroller" ref={scroller} onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollTop > 0)}>
          {entries.length === 0 && <QuickStart />}
          {fresh > 0 && (
            <Button class="primary fresh" onClick={showNew}>
              {count(fresh)} new
            </Button>
          )}
          <List label="Requests, newest first">
            {shown.slice(0, length).map((entry) => (
              <li key={nameOf(entry)}>
                <Request entry={entry} />
              </li>
            ))}
          </List>
          {entries.length > 0 && shown.length === 0 && (
            <p class="empty">
              No request matches. <Button onClick={() => adjust({ query: { q: '', show: '', assumption: '' } })}>Clear the filter</Button>
            </p>
          )}
          {shown.length > length && (
            <p class="empty">
              <Button onClick={() => setLength(length + STEP)}>Show {Math.min(STEP, shown.length - length)} older</Button>
            </p>
          )}
        </div>
      </div>
      {part === NEW_REQUEST && <SendPane />}
      {part !== NEW_REQUEST && part !== '' && <RequestDetail key={part} entry={entries.find((entry) => nameOf(entry) === part)} />}
    </>
  )
}

function Tools({ entries }: { entries: readonly LogEntry[] }) {
  const { query } = route.value
  const clear = async () => {
    await control(requestScope()).clearRequests()
    return 'Cleared the request log'
  }
  return (
    <div class="tools">
      <Search label="Search path, body, reason" value={query.q ?? ''} onInput={(q) => adjust({ query: { q } })} />
      <Segments
        label="Show"
        value={query.show ?? 'all'}
        options={Object.keys(SHOWS).map((show) => ({ id: show, label: show, amount: filterEntries(entries, { ...query, show }).length }))}
        onChange={(show) => adjust({ query: { show: show === 'all' ? '' : show } })}
      />
      {query.assumption && (
        <Button aria-label={`Stop filtering by ${query.assumption}`} onClick={() => adjust({ query: { assumption: '' } })}>
          {query.assumption} ✕
        </Button>
      )}
      <span class="grow" />
      <a class="button" href={link('requests', NEW_REQUEST)}>
        New request
      </a>
      <Button onClick={() => change(clear)}>Clear</Button>
    </div>
  )
}

function Request({ entry }: { entry: LogEntry }) {
  const { at, realAt, method, target, sandbox } = entry
  return (
    <Row class="request" part={nameOf(entry)}>
      <time dateTime={at} title={`Real time ${realAt}`}>
        {isMoved(Date.parse(at), Date.parse(realAt)) && <span class="date">{at.slice(0, 10)} </span>}
        {timeOf(at)}
      </time>
      <ResponseStatus entry={entry} />
      <span class="method">{method}</span>
      <bdi class="path">{showHidden(target)}</bdi>
      {requestScope() === '*' && <span class="key">{sandbox === null ? 'no sandbox' : shorten(sandbox, 16)}</span>}
      <span class="why">
        <Why entry={entry} />
      </span>
    </Row>
  )
}

function Why({ entry }: { entry: LogEntry }) {
  const { faults, surprises, assumptions, error, notes, durationMs, outcome } = entry
  const id = addedId(entry)
  const text = error ?? notes[0] ?? (id === undefined ? undefined : `added animal ${id}`)
  return (
    <>
      {faults.map((fault) => (
        <Chip key={fault} tone="bad">
          {fault === 'Prefer' ? 'Prefer' : `fault ${fault}`}
        </Chip>
      ))}
      {outcome !== 'waiting' && durationMs >= LONG_MS && <Chip tone="warn">{duration(durationMs)}</Chip>}
      {surprises.map((surprise) => (
        <Chip key={surprise} tone="accent">
          {surprise}
        </Chip>
      ))}
      {text !== undefined && <bdi>{showHidden(text)} </bdi>}
      {assumptions.map((assumption) => (
        <Chip key={assumption}>{assumption}</Chip>
      ))}
    </>
  )
}
