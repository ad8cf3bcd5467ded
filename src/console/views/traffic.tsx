// The journal, live, newest first.
import { useEffect, useRef, useState } from 'preact/hooks'
import { toHar } from '../../client/to-har.ts'
import { toJson } from '../../contract/int64-json.ts'
import { MAX_JOURNAL_ENTRIES } from '../../limits.ts'
import { isOff } from '../parts/instants.ts'
import { onRowKey } from '../parts/row-keys.ts'
import { saveFile } from '../parts/save-file.ts'
import { columnHeader, row, rowGroup, table } from '../parts/table-roles.ts'
import { toShort } from '../parts/to-short.ts'
import { ViewHead } from '../parts/view-head.tsx'
import { toHash } from '../state/address.ts'
import { isTemplate } from '../state/console-state.ts'
import {
  filterTraffic,
  findEntry,
  type ShownEntry,
  type TrafficFilter,
  toEntryName,
  toTrafficFilter,
  toTrafficQuery,
} from '../state/filter-traffic.ts'
import { ExchangeDrawer } from './exchange-drawer.tsx'
import { TrafficRow } from './traffic-row.tsx'
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
  const isMerged = isTemplate(state)
  const [held, setHeld] = useState<readonly ShownEntry[]>()
  const [length, setLength] = useState(STEP)
  const change = (part: Partial<TrafficFilter>) => adjust({ query: { ...address.query, ...toTrafficQuery({ ...filter, ...part }) } })
  const entries = held ?? world.entries
  const shown = filterTraffic(entries, filter)
  const isFull = entries.length >= MAX_JOURNAL_ENTRIES
  const isDated = shown.some(({ at, realAt }) => isOff(Date.parse(at), Date.parse(realAt)))
  const missed = held ? countOthers(world.entries, held) : 0
  const current = address.part === '' ? undefined : findEntry(entries, address.part)
  /** In one world a number is enough. */
  const toPart = (entry: ShownEntry) => (isMerged ? toEntryName(entry) : String(entry.id))
  const body = useRef<HTMLTableSectionElement>(null)
  const opened = useRef('')
  useEffect(() => {
    // From a request that is closed the focus goes to its row, wherever in the list one has walked meanwhile.
    const isFree = document.activeElement === document.body || body.current?.contains(document.activeElement)
    if (address.part === '' && isFree) body.current?.querySelector<HTMLElement>(`[data-entry="${CSS.escape(opened.current)}"]`)?.focus()
    opened.current = current ? toEntryName(current) : ''
  }, [address.part])
  const exportHar = () => {
    const ended = shown.filter(({ outcome }) => outcome !== 'waiting')
    saveFile('traffic.har', `${toJson(toHar(ended.toReversed(), { version: state.version, origin: location.origin }), 2)}\n`)
    actions.say(`Saved ${toCount(ended.length)} ${ended.length === 1 ? 'request' : 'requests'} as traffic.har`)
  }
  const clear = () => {
    if (held) setHeld([])
    void actions.clearTraffic()
  }
  return (
    <>
      <ViewHead title="Traffic" lead={<Lead state={state} />}>
        {state.hasSandboxes && state.sandbox !== undefined && (
          <a class="button" href={toHash({ ...address, part: '', query: toTrafficQuery(filter) })}>
            All sandboxes
          </a>
        )}
        <button type="button" class={held ? 'button on' : 'button'} onClick={() => setHeld(held ? undefined : world.entries)}>
          {held ? 'Resume' : 'Pause'}
        </button>
        <button
          type="button"
          class="button"
          disabled={shown.length === 0}
          title="The requests shown, as an HTTP archive"
          onClick={exportHar}
        >
          Export HAR
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
        <span class="toolbar-end numbers" title={isFull ? 'Older requests are not kept' : ''}>
          {held ? `Paused · ${toCount(missed)} new` : `${toCount(shown.length)} of ${isFull ? 'the last ' : ''}${toCount(entries.length)}`}
        </span>
      </div>
      <table class={`table traffic${isMerged ? ' merged' : ''}${isDated ? ' dated' : ''}`} {...table} aria-label="Requests, newest first">
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
            <TrafficRow
              key={toEntryName(entry)}
              entry={entry}
              isOpen={entry === current}
              link={isMerged ? (key) => toHash({ ...address, part: '', query: { ...address.query, sandbox: key } }) : undefined}
              onOpen={() => (address.part === '' ? go : adjust)({ part: toPart(entry) })}
            />
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <p class="empty">{toEmptyText(entries.length)}</p>}
      {shown.length > length && (
        <button type="button" class="button more" onClick={() => setLength(length + STEP)}>
          Show {Math.min(STEP, shown.length - length)} more
        </button>
      )}
      {address.part !== '' && (
        <ExchangeDrawer
          entry={current}
          entries={shown}
          {...{ state, actions }}
          link={isMerged && current ? toLinkIn(current.sandbox) : link}
          onOpen={(entry) => adjust({ part: entry ? toPart(entry) : '' })}
        />
      )}
    </>
  )
}

/** Links to things in the world of that key. */
function toLinkIn(sandbox: string | null): ViewProps['link'] {
  return (view, part = '', query = {}) => toHash({ view, part, query: { ...query, sandbox: sandbox ?? '' } })
}

/** How many entries arrived since the list was paused. Ids alone are not enough: a restarted mock counts from 1 again. */
function countOthers(entries: readonly ShownEntry[], held: readonly ShownEntry[]): number {
  const toMark = (entry: ShownEntry) => `${toEntryName(entry)} ${entry.at}`
  const known = new Set(held.map(toMark))
  return entries.filter((entry) => !known.has(toMark(entry))).length
}

const toCount = (count: number): string => count.toLocaleString('en')

function Lead({ state: { hasSandboxes, sandbox } }: Pick<ViewProps, 'state'>) {
  const key = sandbox === undefined ? hasSandboxes && ' with any key' : <span title={sandbox}> with the key {toShort(sandbox)}</span>
  return <>Every request to the service{key} and its response, as they happen.</>
}

function toEmptyText(entries: number): string {
  return entries === 0 ? 'No requests yet. Requests to the service appear here as they arrive.' : 'No requests match the filter.'
}
