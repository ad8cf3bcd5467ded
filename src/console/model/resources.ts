// What the page has read from the mock: read when a view first shows it, read again when an event
// makes it stale, and forgotten when no view shows it.
import { UsageError } from '../../contract/errors.ts'
import { contract } from '../../contract/generated/contract.ts'
import type { MockEvent } from '../../control/control.ts'
import { type ChangeRow, isChange, type TimelineRow } from '../../world/row.ts'
import { mergeRows } from './arrange.ts'
import { control } from './connection.ts'
import { notify } from './notice.ts'
import { signal } from './signal.ts'

/** `past` is about a moment before now, and `onward` about all since one. */
export type Kind =
  | 'assumptions'
  | 'clock'
  | 'faults'
  | 'onward'
  | 'past'
  | 'pets'
  | 'rows'
  | 'sandboxes'
  | 'scenarios'
  | 'state'
  | 'summary'

type Resource = {
  readonly kind: Kind
  /** `*` for all sandboxes, and null for the shared state. */
  readonly sandbox: string | null
  readonly shown: { value: unknown }
  ask(): Promise<unknown>
  isStale: boolean
  isReading: boolean
}

const BATCH_MS = 60
/** It answers up to a thousand requests again. */
const ONWARD_MS = 1_000
/** One click makes fewer changes. */
const LAST_ROWS = 200
/** No change makes these stale. */
const LASTING: readonly Kind[] = ['past', 'scenarios']

const resources = new Map<string, Resource>()
/** The names of the resources that the last rendering has used. */
const used = new Set<string>()
const waitingEvents: MockEvent[] = []

/** Undefined until it is read. `variant` tells resources of a kind and a sandbox apart. */
export function watch<T>(
  kind: Kind,
  sandbox: string | null,
  variant: string,
  ask: () => Promise<T>,
): T | undefined {
  const name = JSON.stringify([kind, sandbox, variant])
  used.add(name)
  let resource = resources.get(name)
  if (!resource) {
    const shown = signal<unknown>(undefined)
    resource = { kind, sandbox, shown, ask, isStale: true, isReading: false }
    resources.set(name, resource)
    refresh(resource)
  }
  return resource.shown.value as T | undefined
}

export function renderWatching(render: () => void): void {
  used.clear()
  render()
  for (const name of resources.keys()) if (!used.has(name)) resources.delete(name)
}

export function refreshAll(): void {
  for (const resource of resources.values()) refresh(resource)
}

async function refresh(resource: Resource): Promise<void> {
  resource.isStale = true
  if (resource.isReading) return
  resource.isReading = true
  try {
    while (resource.isStale) {
      resource.isStale = false
      await read(resource)
      const pauseMs = resource.kind === 'onward' ? ONWARD_MS : BATCH_MS
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  } finally {
    resource.isReading = false
  }
}

async function read(resource: Resource): Promise<void> {
  const value = await resource.ask().catch(report)
  if (value !== undefined) resource.shown.value = value
}

/** The connection reports a missing token, and a mock that does not respond. */
function report(error: unknown): void {
  if (!(error instanceof UsageError)) throw error
  if (error.status !== 0 && error.status !== 401) notify(error.message, 'problem')
}

/**
 * Reads what a change may have changed, so that a message comes with its state. Resolves to the
 * last changes.
 */
export async function reread(sandbox: string | null): Promise<readonly ChangeRow[]> {
  // Most responses have only the id of their row, and the event that shows the row may come after
  // the message.
  const lastRows = control(sandbox).timeline({ limit: LAST_ROWS }).catch(report)
  const changeable = [...resources.values()].filter(isChangeable)
  await Promise.all(changeable.map(read))
  const rows = (await lastRows) ?? []
  return rows.filter(isChange)
}

/** Whether a change can make it stale. Rows are not here: `reread` asks for them separately. */
function isChangeable({ kind }: Resource): boolean {
  return kind !== 'rows' && !LASTING.includes(kind)
}

/** Events come in bursts: each burst makes the page read once. */
export function takeEvent(event: MockEvent): void {
  if (waitingEvents.length === 0) setTimeout(applyEvents, BATCH_MS)
  waitingEvents.push(event)
}

function applyEvents(): void {
  const events = waitingEvents.splice(0)
  for (const resource of resources.values()) {
    const isAboutAll = resource.kind === 'sandboxes' || resource.sandbox === '*'
    const own = events.filter((event) => isAboutAll || event.sandbox === resource.sandbox)
    if (own.some((event) => isStaleAfter(event, resource.kind))) refresh(resource)
    if (resource.kind === 'rows') addRows(resource, own)
  }
}

function addRows(resource: Resource, events: readonly MockEvent[]): void {
  const rows: TimelineRow[] = []
  for (const event of events) if (event.type !== 'sandbox') rows.push(event.row)
  if (rows.length === 0) return
  const known = resource.shown.value as TimelineRow[] | undefined
  // A log that is being read may lack one of these rows.
  if (resource.isReading || !known) refresh(resource)
  if (known) resource.shown.value = mergeRows(known, rows)
}

function isStaleAfter(event: MockEvent, kind: Kind): boolean {
  if (LASTING.includes(kind)) return false
  if (event.type === 'sandbox') return true
  if (event.type === 'change') {
    // Other rows change with an undo, and with a change that names no item: it has replaced the
    // state or cleared the rows.
    return kind !== 'rows' || event.row.undoes !== null || event.row.changed.length === 0
  }
  const { operation } = event.row
  // Every request counts for faults and assumptions, and may be one that would differ.
  if (kind === 'faults' || kind === 'assumptions' || kind === 'onward') return true
  const changesPets = operation !== null && contract.operations[operation].method !== 'GET'
  return changesPets && (kind === 'pets' || kind === 'summary')
}
