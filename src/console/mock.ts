// What the page knows about the mock: a cache of signals, read when a view asks for them and again when an event makes them stale. Also
// how the page changes the mock: one handler turns errors into messages, and one offers to undo.
import { batch, type Signal, signal } from '@preact/signals'
import { type ControlClient, ControlError, createClient } from '../client/client.ts'
import { parseInt64 } from '../contract/int64-json.ts'
import type { Change, MockEvent, PetFilter, PetPage, StateSummary } from '../control/control.ts'
import type { Pet } from '../generated/contract.ts'
import { MAX_JOURNAL_ENTRIES } from '../limits.ts'
import type { JournalEntry } from '../world/journal-entry.ts'
import { mergeEntries } from './entry.ts'
import { currentSandbox } from './route.ts'
import { type Connection, type SharedEvents, shareEvents } from './share-events.ts'
import { count } from './text.ts'

/** A line in the bar. */
interface Notice {
  readonly text: string
  readonly kind: 'done' | 'busy' | 'problem'
  readonly undo?: Step
}

const READERS = {
  summary: (mock) => mock.summary(),
  state: (mock) => mock.state({ pets: false }),
  faults: (mock) => mock.faults.list(),
  clock: async (mock) => ({ ...(await mock.clock.get()), readAt: Date.now() }),
  assumptions: (mock) => mock.assumptions(),
  scenarios: (mock) => mock.scenarios(),
  sandboxes: (mock) => mock.sandboxes(),
  requests: async (mock) => mergeEntries(await mock.requests().catch(readEach), [], MAX_JOURNAL_ENTRIES),
} satisfies Readonly<Record<string, (mock: ControlClient) => Promise<unknown>>>

type Readers = typeof READERS
type Kind = keyof Readers | 'pets'

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

/** What a change makes stale; everything for one that is not listed. */
const STALE: Readonly<Partial<Record<Change, readonly Kind[]>>> = {
  pets: ['pets', 'summary'],
  faults: ['faults'],
  clock: ['clock'],
  latency: ['state'],
  assumptions: ['assumptions'],
  requests: ['requests', 'assumptions'],
  sandboxes: ['sandboxes'],
}
/** Events within this time are shown together. */
const BATCH_MS = 60
const NOTICE_MS = 8_000
/** The page gives up waiting for the event of a change after this time. */
const EVENT_LIMIT_MS = 1_500
const POLL_MS = 2_000
/** A larger state is not kept for undo. */
const MAX_UNDO_PETS = 20_000

export const connection = signal<Connection>({ kind: 'connecting' })
export const notice = signal<Notice | undefined>(undefined)
/** When requests came in while the page looked on, by `performance.now()`. */
export const arrivals = new WeakMap<JournalEntry, number>()

const cache = new Map<string, Resource>()
const clients = new Map<string | null, ControlClient>()
let shared: SharedEvents
const waitingEvents: MockEvent[] = []
/** Called on the next change. */
let hear = () => {}
let noticeTimer: ReturnType<typeof setTimeout> | undefined

export function start(): void {
  const { locks } = navigator
  const channel = new BroadcastChannel('animal-store-mock')
  const listen: ControlClient['events'] = (options) =>
    control('*')
      .events(options)
      .catch((error: unknown) => {
        if (!(error instanceof ControlError) || error.status !== 400) throw error
        // A Worker keeps sandboxes apart, and its stream is about the shared state only.
        setInterval(refreshAll, POLL_MS)
        return control(null).events(options)
      })
  shared = shareEvents({ storage: sessionStorage, channel, locks, listen, onConnection, onEvent })
}

/** The control of the state that is shown, or of another one. */
export function control(sandbox: string | null = currentSandbox()): ControlClient {
  const known = clients.get(sandbox)
  if (known) return known
  const client = createClient(location.origin, { token: () => shared.token(), sandbox: () => sandbox ?? undefined })
  clients.set(sandbox, client)
  return client
}

export const unlock = (token: string) => shared.unlock(token)
export const retry = () => shared.retry()

/** What the mock has; undefined until it has been read. A component that calls this is rendered again when it changes. */
export function use<K extends keyof Readers>(
  kind: K,
  sandbox: string | null = currentSandbox(),
): Awaited<ReturnType<Readers[K]>> | undefined {
  return find(kind, sandbox, '', () => READERS[kind](control(sandbox))).value.value as Awaited<ReturnType<Readers[K]>> | undefined
}

/** Whether every API key has a sandbox; undefined until that is known. */
export function hasSandboxes(): boolean | undefined {
  const summary = use('summary', null)
  return summary && summary.sandboxes !== undefined
}

/** The sandbox whose requests are shown: `*`, all of them, if there are sandboxes and none is chosen. */
export function requestScope(): string | null {
  return hasSandboxes() && currentSandbox() === null ? '*' : currentSandbox()
}

/** The request log, newest first. */
export function useRequests(): readonly JournalEntry[] | undefined {
  return hasSandboxes() === undefined ? undefined : use('requests', requestScope())
}

/** A Worker keeps sandboxes apart and refuses to list the requests of all. */
async function readEach(): Promise<JournalEntry[]> {
  const keys = await control(null).sandboxes()
  return (await Promise.all(keys.map((key) => control(key).requests()))).flat()
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
      if (error.status !== 0 && error.status !== 401) say(error.message, 'problem')
    }
    await new Promise((resolve) => setTimeout(resolve, BATCH_MS))
  }
  resource.isReading = false
}

function refreshAll(): void {
  for (const resource of cache.values()) void refresh(resource)
}

function onConnection(next: Connection): void {
  connection.value = next
  // Without a token the page shows nothing, not even what it still knows.
  if (next.kind === 'locked') for (const { value } of cache.values()) value.value = undefined
  if (next.kind === 'live') refreshAll()
  if (next.kind === 'live' && notice.value?.kind === 'problem') notice.value = undefined
  // Something may have happened while no stream was open.
  if (next.kind === 'waiting') withdrawUndo()
}

function onEvent(event: MockEvent): void {
  const isChange =
    event.type === 'change' ? event.what !== 'sandboxes' : event.entry.operation === 'createPet' && event.entry.status === 201
  if (isChange) {
    withdrawUndo()
    hear()
  }
  if (event.type !== 'change') arrivals.set(event.entry, performance.now())
  if (waitingEvents.length === 0) setTimeout(applyEvents, BATCH_MS)
  waitingEvents.push(event)
}

function applyEvents(): void {
  const events = waitingEvents.splice(0)
  batch(() => {
    for (const resource of cache.values()) {
      const isLog = resource.kind === 'requests'
      const isGlobal = resource.kind === 'sandboxes' || (isLog && resource.sandbox === '*')
      applyTo(
        resource,
        events.filter(({ sandbox }) => isGlobal || sandbox === resource.sandbox),
      )
    }
  })
}

function applyTo(resource: Resource, events: readonly MockEvent[]): void {
  const log = resource.kind === 'requests' ? (resource.value.peek() as JournalEntry[] | undefined) : undefined
  const entries = events.flatMap((event) => (event.type === 'change' ? [] : [event.entry]))
  if (log && entries.length > 0) resource.value.value = mergeEntries(log, entries, MAX_JOURNAL_ENTRIES)
  // Without faults there is nothing to count.
  const isIdle = resource.kind === 'faults' && (resource.value.peek() as readonly unknown[] | undefined)?.length === 0
  const isStale = events.some((event) => {
    const kinds = event.type === 'change' ? STALE[event.what] : isIdle ? [] : staleAfter(event.entry)
    return !kinds || kinds.includes(resource.kind)
  })
  // A log that is being read may lack an entry of now.
  if (isStale || (resource.kind === 'requests' && entries.length > 0 && (resource.isReading || !log))) void refresh(resource)
}

function staleAfter({ operation, status, assumptions, faults }: JournalEntry): readonly Kind[] {
  return [
    ...(operation === 'createPet' && status === 201 ? (['pets', 'summary'] as const) : []),
    ...(assumptions.length > 0 ? (['assumptions'] as const) : []),
    // A fault counts the calls that it lets pass, too.
    ...(faults.length > 0 || operation !== null ? (['faults'] as const) : []),
  ]
}

/** Shows a message: until it is dismissed, if it is a problem, and until the next change, if it can be undone. */
export function say(text: string, kind: Notice['kind'] = 'done', takeBack?: Step): void {
  clearTimeout(noticeTimer)
  notice.value = { text, kind, ...(takeBack ? { undo: takeBack } : {}) }
  if (kind === 'done' && !takeBack) noticeTimer = setTimeout(dismiss, NOTICE_MS)
}

export function dismiss(): void {
  notice.value = undefined
}

/** Runs what you asked for and reports what the mock refuses. */
export async function act<T>(run: () => Promise<T>): Promise<T | undefined> {
  if (notice.value?.kind === 'problem') dismiss()
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ControlError)) throw error
    if (error.status === 0) retry()
    say(error.message, 'problem')
    return undefined
  }
}

/** One change, and what to say about it. */
export interface Step {
  run(): Promise<unknown>
  text(): string
}

/** Makes one change and offers to undo it until the next change of any kind. Resolves to whether it was made. */
export async function change(step: Step, takeBack?: Step): Promise<boolean> {
  const isDone = await act(async () => {
    // The event of this very change must not withdraw the offer.
    const heard = new Promise<void>((resolve) => {
      hear = resolve
      setTimeout(resolve, EVENT_LIMIT_MS)
    })
    await step.run()
    await heard
    say(step.text(), 'done', takeBack)
    return true
  })
  return isDone === true
}

/** Does what the message offers. */
export async function undo(): Promise<void> {
  const step = notice.value?.undo
  if (!step) return
  dismiss()
  await act(async () => {
    await step.run()
    say(step.text())
  })
}

/** Replaces the whole state, and keeps the one before for undo. */
export async function replaceState(mock: ControlClient, verb: string, run: () => Promise<StateSummary>): Promise<void> {
  say('Working…', 'busy')
  const toStep = (did: string, replace: () => Promise<StateSummary>): Step => {
    let text = ''
    const describe = ({ scenario, pets }: StateSummary) => `${did} ${scenario} (${count(pets, 'animal')}). The request log was cleared.`
    return { run: async () => (text = describe(await replace())), text: () => text }
  }
  const before = await act(async () => ((await mock.summary()).pets > MAX_UNDO_PETS ? undefined : mock.state()))
  await change(toStep(verb, run), before && toStep('Put back', () => mock.load(before)))
}

function withdrawUndo(): void {
  const current = notice.value
  if (current?.undo) say(current.text)
}
