// What the page knows about the mock: a cache of signals, read when a view asks for them and again when an event makes them stale.
import { batch, effect, type Signal, signal } from '@preact/signals'
import { type ControlClient, ControlError } from '../client/client.ts'
import { parseInt64 } from '../contract/int64-json.ts'
import type { ClockState, MockEvent, PetFilter, PetPage } from '../control/control.ts'
import { extras } from '../control/methods.ts'
import type { Pet } from '../generated/contract.ts'
import { MAX_LOG_ENTRIES } from '../limits.ts'
import type { LogEntry } from '../world/log-entry.ts'
import type { Scenario } from '../world/start.ts'
import { dropUndo, notify } from './actions.ts'
import { connection, control, listen } from './connection.ts'
import { mergeEntries } from './entry.ts'
import { currentSandbox } from './route.ts'

const READERS = {
  summary: (mock) => mock.summary(),
  state: (mock) => mock.state({ pets: false }),
  faults: (mock) => mock.faults.list(),
  clock: async (mock) => ({ ...(await mock.clock.get()), readAt: Date.now() }),
  assumptions: (mock) => mock.assumptions(),
  sandboxes: (mock) => mock.sandboxes(),
  requests: async (mock) => mergeEntries(await mock.requests({ waiting: true }).catch(readEach), [], MAX_LOG_ENTRIES),
} satisfies Readonly<Record<string, (mock: ControlClient) => Promise<unknown>>>

type Readers = typeof READERS
type Kind = keyof Readers | 'pets' | 'shipped'

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
/** Events within this time are shown together. */
const BATCH_MS = 60

const cache = new Map<string, Resource>()
const waitingEvents: MockEvent[] = []

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

/** Ids of requests only count up while a mock runs, so a lower one is that of another run. */
async function welcomeBack(): Promise<void> {
  const known = [...cache.values()].flatMap(({ kind, value }) => (kind === 'requests' ? ((value.peek() as LogEntry[]) ?? []) : []))
  const [last] = await control(scope())
    .requests({ limit: 1 })
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

/** The request log, newest first. */
export function useRequests(): readonly LogEntry[] | undefined {
  return hasSandboxes() === undefined ? undefined : use('requests', scope())
}

/** A Worker keeps sandboxes apart and refuses to list the requests of all. */
async function readEach(): Promise<LogEntry[]> {
  const keys = await control(null).sandboxes()
  return (await Promise.all(keys.map((key) => control(key).requests({ waiting: true })))).flat()
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
  if (events.some((event) => event.type === 'change' && ['load', 'reset'].includes(event.row.method))) dropUndo()
  batch(() => {
    for (const resource of cache.values()) {
      const isGlobal = resource.kind === 'sandboxes' || resource.sandbox === '*'
      const own = events.filter(({ sandbox }) => isGlobal || sandbox === resource.sandbox)
      if (own.some((event) => isStaleAfter(event, resource.kind))) void refresh(resource)
      const entries = own.flatMap((event) => ('entry' in event ? [event.entry] : []))
      if (resource.kind === 'requests' && entries.length > 0) addToLog(resource, entries)
    }
  })
}

function addToLog(resource: Resource, entries: readonly LogEntry[]): void {
  const log = resource.value.peek() as LogEntry[] | undefined
  // A log that is being read may lack an entry of now.
  if (resource.isReading || !log) void refresh(resource)
  if (log) resource.value.value = mergeEntries(log, entries, MAX_LOG_ENTRIES)
}

/** A change by hand is rare, so that everything may be read again. */
function isStaleAfter(event: MockEvent, kind: Kind): boolean {
  if (!('entry' in event)) return true
  const { operation, status } = event.entry
  return (operation === 'createPet' && status === 201 ? STALE_AFTER_CREATE : STALE_AFTER_REQUEST).includes(kind)
}
