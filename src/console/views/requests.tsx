// The home view: the request log, live, newest first, one line a request with its reason. Without requests it is the quick start.
import { useRef, useState } from 'preact/hooks'
import type { JournalEntry } from '../../world/journal-entry.ts'
import { addedId, filterEntries, findEntry, nameOf, SHOWS } from '../entry.ts'
import { act, arrivals, control, requestScope, say, useRequests } from '../mock.ts'
import { adjust, link, route } from '../route.ts'
import { count, duration, isMoved, shorten, showHidden, timeOf } from '../text.ts'
import { Button, Chip, ResponseStatus, Search, Segments } from '../ui/controls.tsx'
import { walkRows } from '../ui/pane.tsx'
import { QuickStart } from './quick-start.tsx'
import { RequestDetail } from './request-detail.tsx'
import { NEW_REQUEST, SendPane } from './send-form.tsx'

const STEP = 200
/** A response that took this long says so in the list. */
const LONG_MS = 100
const GLOW_MS = 1_500
const LABELS: Readonly<Record<keyof typeof SHOWS, string>> = { all: 'All', errors: 'Errors', faults: 'Faults', dropped: 'Dropped' }

export function Requests() {
  const entries = useRequests()
  const { part, query } = route.value
  const scroller = useRef<HTMLDivElement>(null)
  const [isScrolled, setScrolled] = useState(false)
  const [length, setLength] = useState(STEP)
  const held = useHeld(entries, isScrolled || part !== '')
  if (!entries) return <p class="empty">Loading…</p>
  const visible = held.names ? entries.filter((entry) => held.names?.has(nameOf(entry))) : entries
  const shown = filterEntries(visible, query)
  const fresh = filterEntries(entries, query).length - shown.length
  const current = part === '' || part === NEW_REQUEST ? undefined : findEntry(entries, part)
  const showNew = () => {
    scroller.current?.scrollTo(0, 0)
    held.release()
  }
  return (
    <>
      <div class="view requests">
        <h1 class="hidden" tabIndex={-1}>
          Requests
        </h1>
        {entries.length === 0 ? (
          <div class="scroller">
            <QuickStart />
          </div>
        ) : (
          <>
            <Tools entries={visible} />
            <div class="scroller" ref={scroller} onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollTop > 0)}>
              {fresh > 0 && (
                <Button class="primary fresh" onClick={showNew}>
                  {count(fresh)} new
                </Button>
              )}
              <ol class="list" aria-label="Requests, newest first" data-focus-list onKeyDown={walkRows}>
                {shown.slice(0, length).map((entry) => (
                  <li key={nameOf(entry)}>
                    <Row entry={entry} isOpen={entry === current} hasKey={requestScope() === '*'} />
                  </li>
                ))}
              </ol>
              {shown.length === 0 && (
                <p class="empty">
                  No request matches.{' '}
                  <Button onClick={() => adjust({ query: { q: '', show: '', assumption: '' } })}>Clear the filter</Button>
                </p>
              )}
              {shown.length > length && (
                <Button class="more" onClick={() => setLength(length + STEP)}>
                  Show {Math.min(STEP, shown.length - length)} older
                </Button>
              )}
            </div>
          </>
        )}
      </div>
      {part === NEW_REQUEST ? <SendPane /> : part !== '' && <RequestDetail entry={current} />}
    </>
  )
}

/** The names of the requests that stay in the list while new ones wait; undefined if none wait. */
function useHeld(entries: readonly JournalEntry[] | undefined, isHeld: boolean) {
  const names = useRef<ReadonlySet<string> | undefined>(undefined)
  const [, render] = useState(0)
  if (!isHeld || !entries) names.current = undefined
  else names.current ??= new Set(entries.map(nameOf))
  const release = () => {
    names.current = undefined
    render((turn) => turn + 1)
  }
  return { names: names.current, release }
}

function Tools({ entries }: { entries: readonly JournalEntry[] }) {
  const { query } = route.value
  const clear = () =>
    act(async () => {
      await control(requestScope()).clearRequests()
      say('Cleared the request log')
    })
  return (
    <div class="tools">
      <Search label="Search path, body, reason" value={query.q ?? ''} onInput={(q) => adjust({ query: { q } })} />
      <Segments
        label="Show"
        value={query.show ?? 'all'}
        options={(Object.keys(LABELS) as (keyof typeof SHOWS)[]).map((id) => ({
          id,
          label: LABELS[id],
          count: count(entries.filter(SHOWS[id]).length),
        }))}
        onChange={(show) => adjust({ query: { show: show === 'all' ? '' : show } })}
      />
      {query.assumption && (
        <Button name={`Stop filtering by ${query.assumption}`} onClick={() => adjust({ query: { assumption: '' } })}>
          {query.assumption} ✕
        </Button>
      )}
      <span class="spread" />
      <a class="button" href={link('requests', NEW_REQUEST)}>
        New request
      </a>
      <Button onClick={clear}>Clear</Button>
    </div>
  )
}

function Row({ entry, isOpen, hasKey }: { entry: JournalEntry; isOpen: boolean; hasKey: boolean }) {
  const { at, realAt, method, target, sandbox } = entry
  const name = nameOf(entry)
  const isNew = performance.now() - (arrivals.get(entry) ?? Number.NEGATIVE_INFINITY) < GLOW_MS
  return (
    <a
      class={`row request${isNew ? ' new' : ''}`}
      href={link('requests', name, route.value.query)}
      data-part={name}
      {...(isOpen ? { 'aria-current': 'true' as const } : {})}
    >
      <time dateTime={at} title={`Real time ${realAt}`}>
        {isMoved(Date.parse(at), Date.parse(realAt)) && <span class="date">{at.slice(0, 10)} </span>}
        {timeOf(at)}
      </time>
      <ResponseStatus entry={entry} />
      <span class="method">{method}</span>
      <bdi class="path">{showHidden(target)}</bdi>
      {hasKey && <span class="key">{sandbox === null ? 'no sandbox' : shorten(sandbox, 16)}</span>}
      <span class="why">
        <Why entry={entry} />
      </span>
    </a>
  )
}

function Why({ entry }: { entry: JournalEntry }) {
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
