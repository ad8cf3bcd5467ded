// What the page knows about the mock: a cache of signals, read when a view asks for them and again when an event makes them stale.
import { batch, effect, type Signal, signal } from '@preact/signals'
import { type ControlClient, ControlError } from '../client/client.ts'
import type { Moment } from '../client/copy/logged.ts'
import { parseInt64 } from '../contract/int64-json.ts'
import type { ClockState, MockEvent, PetFilter, PetPage } from '../control/control.ts'
import { extras } from '../control/methods.ts'
import type { Pet } from '../generated/contract.ts'
import { MAX_LOG_ENTRIES } from '../limits.ts'
import type { LogEntry } from '../world/log-entry.ts'
import type { Scenario } from '../world/start.ts'
import { notify } from './actions.ts'
import { connection, control, listen } from './connection.ts'
import { isChange, mergeRows, type Row } from './entry.ts'
import { currentSandbox } from './route.ts'

const READERS = {
  summary: (mock) => mock.summary(),
  state: (mock) => mock.state({ pets: false }),
  faults: (mock) => mock.faults.list(),
  clock: async (mock) => ({ ...(await mock.clock.get()), readAt: Date.now() }),
  assumptions: (mock) => mock.assumptions(),
  sandboxes: (mock) => mock.sandboxes(),
  rows: async (mock) => mergeRows(await mock.timeline({ waiting: true }).catch(readEach), [], MAX_LOG_ENTRIES),
} satisfies Readonly<Record<string, (mock: ControlClient) => Promise<unknown>>>

type Readers = typeof READERS
type Kind = keyof Readers | 'pets' | 'shipped' | 'past'

interface Resource {
  readonly kind: Kind
  /** The key of the sandbox, `*` for all of them, null for the shared state. */
  readonly sandbox: string | null
  readonly value: Signal<unknown>
  read(): Promise<unknown>
  isWatched: boolean
  isStale: boolean
  isReading: boolean
}

/** What a request makes stale: a fault counts the calls that it lets pass, too. */
const STALE_AFTER_REQUEST: readonly Kind[] = ['faults', 'assumptions']
const STALE_AFTER_CREATE: readonly Kind[] = [...STALE_AFTER_REQUEST, 'pets', 'summary']
/** What a change makes stale, by the kind of item that it says it changed. A change that names none replaced everything. */
const STALE_AFTER_CHANGE: Readonly<Record<string, readonly Kind[]>> = {
  pet: ['pets', 'summary'],
  fault: ['faults', 'state'],
  choice: ['assumptions', 'state'],
  latency: ['state', 'summary'],
  clock: ['clock', 'state'],
}
/** Events within this time are shown together. */
const BATCH_MS = 60

const cache = new Map<string, Resource>()
const waitingEvents: MockEvent[] = []
let known: { rows: readonly Row[]; requests: readonly LogEntry[] } = { rows: [], requests: [] }

export function start(): void {
  let isAway = false
  effect(() => {
    isAway ||= connection.value === 'waiting'
  })
  const onLive = () => {
    if (isAway) void welcomeBack()
    isAway = false
    refreshAll()
  }
  void listen(onLive, (event) => {
    if (waitingEvents.length === 0) setTimeout(applyEvents, BATCH_MS)
    waitingEvents.push(event)
  })
}

/** Ids of rows only count up while a mock runs, so a lower one is that of another run. */
async function welcomeBack(): Promise<void> {
  const known = [...cache.values()].flatMap(({ kind, value }) => (kind === 'rows' ? ((value.peek() as Row[]) ?? []) : []))
  const [last] = await control(scope())
    .timeline({ limit: 1 })
    .catch(() => [])
  const isNew = known.some(({ id }) => id > (last?.id ?? 0))
  notify(isNew ? 'The mock is back. It has restarted, so its state and its log are new.' : 'The mock is back.')
}

/** What the mock has; undefined until it has been read. A component that calls this is rendered again when it changes. */
export function use<K extends keyof Readers>(
  kind: K,
  sandbox: string | null = currentSandbox(),
): Awaited<ReturnType<Readers[K]>> | undefined {
  return find(kind, sandbox, '', () => READERS[kind](control(sandbox))).value.value as Awaited<ReturnType<Readers[K]>> | undefined
}

/** The mock's time now. */
export function mockNow({ now, frozen, readAt }: ClockState & { readonly readAt: number }): number {
  return Date.parse(now) + (frozen ? 0 : Date.now() - readAt)
}

/** Whether every API key has a sandbox; undefined until that is known. */
export function hasSandboxes(): boolean | undefined {
  const summary = use('summary', null)
  return summary && summary.sandboxes !== undefined
}

/** The sandbox whose requests are shown: `*`, all of them, if there are sandboxes and none is chosen. */
export function scope(): string | null {
  return hasSandboxes() && currentSandbox() === null ? '*' : currentSandbox()
}

/** Requests and changes, newest first. */
export function useRows(): readonly Row[] | undefined {
  return hasSandboxes() === undefined ? undefined : use('rows', scope())
}

/** The request log, newest first. */
export function useRequests(): readonly LogEntry[] | undefined {
  const rows = useRows()
  if (rows && rows !== known.rows) known = { rows, requests: rows.filter((row): row is LogEntry => !isChange(row)) }
  return rows && known.requests
}

/** A Worker keeps sandboxes apart and refuses to list the rows of all. */
async function readEach(): Promise<Row[]> {
  const keys = await control(null).sandboxes()
  return (await Promise.all(keys.map((key) => control(key).timeline({ waiting: true })))).flat()
}

/** The state just before a request, without its animals, and how it differed from its scenario; a text if that is no longer known. */
export function useMoment({ id, sandbox }: LogEntry): Moment | string | undefined {
  const read = () => readMoment(id, sandbox, false).catch((error: ControlError) => error.message)
  return find('past', sandbox, String(id), read).value.value as Moment | string | undefined
}

export async function readMoment(before: number, sandbox: string | null, pets: boolean): Promise<Moment> {
  const mock = control(sandbox)
  const [state, diff] = await Promise.all([mock.state({ before, pets }), mock.diff({ before })])
  return { state, diff }
}

export function usePets(filter: PetFilter): PetPage | undefined {
  const sandbox = currentSandbox()
  return find('pets', sandbox, JSON.stringify(filter), () => control(sandbox).pets.list(filter)).value.value as PetPage | undefined
}

/** An animal; null if there is none. */
export function usePet(id: string): Pet | null | undefined {
  const sandbox = currentSandbox()
  const read = async () => {
    const digits = parseInt64(id)
    return (digits !== undefined && (await control(sandbox).pets.get(digits))) || null
  }
  return find('pets', sandbox, `id ${id}`, read).value.value as Pet | null | undefined
}

/** A shipped scenario, whatever is loaded. */
export function useShipped(name: string): Scenario | undefined {
  const read = () => control(null).call<Scenario>(extras.scenario, name)
  return find('shipped', null, name, read).value.value as Scenario | undefined
}

function find(kind: Kind, sandbox: string | null, variant: string, read: () => Promise<unknown>): Resource {
  const name = JSON.stringify([kind, sandbox, variant])
  const known = cache.get(name)
  if (known) return known
  const value = signal<unknown>(undefined, {
    watched() {
      resource.isWatched = true
      if (resource.isStale) void refresh(resource)
    },
    unwatched() {
      resource.isWatched = false
      // There are as many variants as filters.
      if (variant !== '') cache.delete(name)
    },
  })
  const resource: Resource = { kind, sandbox, value, read, isWatched: false, isStale: true, isReading: false }
  cache.set(name, resource)
  return resource
}

async function refresh(resource: Resource): Promise<void> {
  resource.isStale = true
  if (resource.isReading || !resource.isWatched) return
  resource.isReading = true
  while (resource.isStale && resource.isWatched) {
    resource.isStale = false
    try {
      resource.value.value = await resource.read()
    } catch (error) {
      // The connection reports a missing token, and a mock that does not respond.
      if (!(error instanceof ControlError)) throw error
      if (error.status !== 0 && error.status !== 401) notify(error.message, 'problem')
    }
    await new Promise((resolve) => setTimeout(resolve, BATCH_MS))
  }
  resource.isReading = false
}

function refreshAll(): void {
  for (const resource of cache.values()) void refresh(resource)
}

function applyEvents(): void {
  const events = waitingEvents.splice(0)
  batch(() => {
    for (const resource of cache.values()) {
      const isGlobal = resource.kind === 'sandboxes' || resource.sandbox === '*'
      const own = events.filter(({ sandbox }) => isGlobal || sandbox === resource.sandbox)
      if (own.some((event) => isStaleAfter(event, resource.kind))) void refresh(resource)
      const rows = own.flatMap((event): readonly Row[] => ('entry' in event ? [event.entry] : 'row' in event ? [event.row] : []))
      if (resource.kind === 'rows' && rows.length > 0) addRows(resource, rows)
    }
  })
}

function addRows(resource: Resource, rows: readonly Row[]): void {
  const log = resource.value.peek() as Row[] | undefined
  // A log that is being read may lack a row of now.
  if (resource.isReading || !log) void refresh(resource)
  if (log) resource.value.value = mergeRows(log, rows, MAX_LOG_ENTRIES)
}

function isStaleAfter(event: MockEvent, kind: Kind): boolean {
  if (kind === 'past') return false
  if (event.type === 'sandbox') return kind === 'sandboxes' || kind === 'summary'
  if (event.type === 'change') {
    const { changed } = event.row
    return changed.length === 0 || changed.some((item) => STALE_AFTER_CHANGE[item.split(' ', 1)[0] ?? '']?.includes(kind))
  }
  const { operation, status } = event.entry
  return (operation === 'createPet' && status === 201 ? STALE_AFTER_CREATE : STALE_AFTER_REQUEST).includes(kind)
}
