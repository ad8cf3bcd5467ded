// The journal, live, newest first.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { JournalEntry } from '../../world/journal.ts'
import { AnswerChip, Chip } from '../parts/chip.tsx'
import { toDuration, toTime } from '../parts/instants.ts'
import { onRowKey } from '../parts/row-keys.ts'
import { cell, columnHeader, row, rowGroup, table } from '../parts/table-roles.ts'
import { toVisible } from '../parts/to-visible.ts'
import { ViewHead } from '../parts/view-head.tsx'
import { isTemplate } from '../state/console-state.ts'
import { filterTraffic, type TrafficFilter, toTrafficFilter, toTrafficQuery } from '../state/filter-traffic.ts'
import { toErrorMessage } from '../state/to-error-message.ts'
import { ExchangeDrawer } from './exchange-drawer.tsx'
import type { ViewProps } from './view.ts'

const STEP = 100
const OUTCOMES = [
  ['all', 'All responses'],
  ['2xx', '2xx, success'],
  ['4xx', '4xx, client error'],
  ['5xx', '5xx, server error'],
  ['dropped', 'dropped'],
] as const

export function Traffic({ state, world, actions, address, go, adjust, link }: ViewProps) {
  const filter = toTrafficFilter(address.query)
  const [held, setHeld] = useState<readonly JournalEntry[]>()
  const [length, setLength] = useState(STEP)
  const change = (part: Partial<TrafficFilter>) => adjust({ query: { ...address.query, ...toTrafficQuery({ ...filter, ...part }) } })
  const entries = held ?? world.entries
  const shown = filterTraffic(entries, filter)
  const missed = held ? countOthers(world.entries, held) : 0
  const body = useRef<HTMLTableSectionElement>(null)
  useEffect(() => {
    // The focus goes along with the arrow keys, if it is in the list.
    if (body.current?.contains(document.activeElement)) body.current.querySelector<HTMLElement>('.opened .open')?.focus()
  }, [address.part])
  const clear = () => {
    if (held) setHeld([])
    void actions.clearTraffic()
  }
  return (
    <>
      <ViewHead title="Traffic" lead={toLead(isTemplate(state))}>
        <button type="button" class={held ? 'button on' : 'button'} onClick={() => setHeld(held ? undefined : world.entries)}>
          {held ? 'Resume' : 'Pause'}
        </button>
        <button type="button" class="button" disabled={world.entries.length === 0} onClick={clear}>
          Clear
        </button>
      </ViewHead>
      <div class="toolbar">
        <input
          type="search"
          class="search"
          aria-label="Search traffic"
          placeholder="Path, key, body, assumption…"
          value={filter.search}
          onInput={(event) => change({ search: event.currentTarget.value })}
        />
        <select aria-label="Operation" value={filter.operation} onChange={(event) => change({ operation: event.currentTarget.value })}>
          <option value="all">All operations</option>
          {state.operations.map(({ id }) => (
            <option key={id}>{id}</option>
          ))}
          <option value="none">No operation</option>
        </select>
        <select aria-label="Response" value={filter.outcome} onChange={(event) => change({ outcome: event.currentTarget.value })}>
          {OUTCOMES.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <label class="check">
          <input
            type="checkbox"
            checked={filter.onlyRemarkable}
            onChange={(event) => change({ onlyRemarkable: event.currentTarget.checked })}
          />
          With an assumption or fault
        </label>
        <span class="toolbar-end numbers">
          {held ? `Paused · ${toCount(missed)} new` : `${toCount(shown.length)} of ${toCount(entries.length)}`}
        </span>
      </div>
      <table class="table traffic" {...table} aria-label="Requests, newest first">
        <thead {...rowGroup}>
          <tr {...row}>
            {['Time', 'Status', 'Method', 'Path', 'Operation', 'Duration', 'Key', 'Why'].map((label) => (
              <th key={label} {...columnHeader} class={`at-${label.toLowerCase()}`}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} {...rowGroup} {...(address.part === '' ? { onKeyDown: onRowKey } : {})}>
          {shown.slice(0, length).map((entry) => (
            <Row
              key={entry.id}
              entry={entry}
              isOpen={String(entry.id) === address.part}
              onOpen={() => (address.part === '' ? go : adjust)({ part: String(entry.id) })}
            />
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <p class="empty">{toEmptyText(entries.length, isTemplate(state))}</p>}
      {shown.length > length && (
        <button type="button" class="button more" onClick={() => setLength(length + STEP)}>
          Show {Math.min(STEP, shown.length - length)} more
        </button>
      )}
      {address.part !== '' && (
        <ExchangeDrawer
          entry={entries.find(({ id }) => String(id) === address.part)}
          entries={shown}
          {...{ state, world, actions, link }}
          onOpen={(entry) => adjust({ part: entry ? String(entry.id) : '' })}
        />
      )}
    </>
  )
}

function Row({ entry, isOpen, onOpen }: { entry: JournalEntry; isOpen: boolean; onOpen: () => void }) {
  const message = toErrorMessage(entry)
  const { at, outcome, method, target, operation, status, durationMs, key, assumptions, faults } = entry
  return (
    <tr {...row} class={isOpen ? 'opened' : ''}>
      <td {...cell} class="at-time mono">
        <time dateTime={at} title={at}>
          {toTime(at)}
        </time>
      </td>
      <td {...cell} class="at-status">
        <AnswerChip status={status} outcome={outcome} />
      </td>
      <td {...cell} class="at-method mono">
        {method}
      </td>
      <td {...cell} class="at-path mono">
        <button type="button" class="open" onClick={onOpen}>
          <bdi class="path">{toVisible(target)}</bdi>
        </button>
      </td>
      <td {...cell} class="at-operation">
        {operation ?? <span class="muted">none</span>}
      </td>
      <td {...cell} class="at-duration numbers">
        {toDuration(durationMs)}
      </td>
      <td {...cell} class="at-key mono">
        {key ?? <span class="muted">no key</span>}
      </td>
      <td {...cell} class="at-why">
        {faults.map((id) => (
          <Chip key={id} tone="bad">
            {id === 'Prefer' ? 'Prefer' : `fault ${id}`}
          </Chip>
        ))}
        {assumptions.map((id) => (
          <Chip key={id}>{id}</Chip>
        ))}
        {message !== undefined && <bdi class="why-text">{toVisible(message)}</bdi>}
      </td>
    </tr>
  )
}

/** How many entries arrived since the list was paused. Ids alone are not enough: a restarted mock counts from 1 again. */
function countOthers(entries: readonly JournalEntry[], held: readonly JournalEntry[]): number {
  const known = new Set(held.map(({ id, at }) => `${id} ${at}`))
  return entries.filter(({ id, at }) => !known.has(`${id} ${at}`)).length
}

const toCount = (count: number): string => count.toLocaleString('en')

function toLead(isForTemplate: boolean): string {
  const which = isForTemplate ? 'Every request without a valid key' : 'Every request to the service'
  return `${which} and its response, as they happen.`
}

function toEmptyText(entries: number, isForTemplate: boolean): string {
  if (entries === 0 && isForTemplate) return 'Only requests without a valid key appear here; choose a sandbox to see the others.'
  return entries === 0 ? 'No requests yet. Requests to the service appear here as they arrive.' : 'No requests match the filter.'
}
