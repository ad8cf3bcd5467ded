// What the page knows about the mock: a cache, read when a view shows it and again when an event
// makes it stale.
import { UsageError } from '../../contract/errors.ts'
import type { Pet } from '../../contract/generated/contract.ts'
import { parseInt64 } from '../../contract/int64-json.ts'
import { MAX_LOG_ROWS } from '../../contract/limits.ts'
import type { ClockState, MockEvent, PetFilter, PetPage } from '../../control/control.ts'
import type { Moment } from '../../control/text/copy-logged.ts'
import {
  type ChangeRow,
  isChange,
  isRequest,
  type RequestRow,
  type TimelineRow,
} from '../../world/row.ts'
import { type Ask, control, listen, throwUnlessApart } from './connection.ts'
import { notify } from './notice.ts'
import { currentSandbox, leaveRow, NEW, route } from './route.ts'
import { mergeRows } from './rows.ts'
import { signal } from './signal.ts'

const NEWEST = { waiting: true, limit: MAX_LOG_ROWS }
const READERS = {
  summary: (mock) => mock.summary(),
  state: (mock) => mock.state({ pets: false }),
  faults: (mock) => mock.faults.list(),
  clock: async (mock) => ({ ...(await mock.clock.get()), readAt: Date.now() }),
  assumptions: (mock) => mock.assumptions(),
  sandboxes: (mock) => mock.sandboxes(),
  scenarios: (mock) => mock.scenarios(),
  rows: async (mock) => mergeRows(await mock.timeline(NEWEST).catch(readEach)),
} satisfies Readonly<Record<string, Ask<unknown>>>

type Known = {
  readonly [K in keyof typeof READERS]: Awaited<ReturnType<(typeof READERS)[K]>> | undefined
}
type Kind = keyof Known | 'pets' | 'past'

/** The sandbox is `*` for all of them, and null for the shared state. */
type Source = Readonly<{ kind: Kind; sandbox: string | null; ask(): Promise<unknown> }>
type Resource = Source & {
  readonly value: { value: unknown }
  isStale: boolean
  isReading: boolean
}

const BATCH_MS = 60
/** What no change makes stale. */
const LASTING: readonly Kind[] = ['past', 'scenarios']
const cache = new Map<string, Resource>()
const shown = new Set<string>()
const waitingEvents: MockEvent[] = []
let lastRows: readonly TimelineRow[] = []

export function start(): void {
  const onLive = (wasAway: boolean) => {
    if (wasAway) void welcomeBack()
    for (const resource of cache.values()) void refresh(resource)
  }
  void listen(onLive, (event) => {
    if (waitingEvents.length === 0) setTimeout(applyEvents, BATCH_MS)
    waitingEvents.push(event)
  })
}

/** A log without the newest known row belongs to another run. */
async function welcomeBack(): Promise<void> {
  const [newest] = lastRows
  const rows = await READERS.rows(control(scope())).catch(() => undefined)
  if (!rows) return
  const isNew =
    newest !== undefined &&
    !rows.some(({ id, realAt }) => id === newest.id && realAt === newest.realAt)
  const { view, part } = route.value
  // Another request may have the id of the one that is shown.
  if (isNew && view === 'timeline' && part !== NEW) leaveRow()
  notify(`The mock ${isNew ? 'has restarted' : 'is back'}.`)
}

export const read = <K extends keyof Known>(kind: K, sandbox = currentSandbox()) =>
  find<unknown>(kind, sandbox, '', () => READERS[kind](control(sandbox))) as Known[K]

export const mockNow = ({
  now,
  frozen,
  readAt,
}: ClockState & { readonly readAt: number }): number =>
  Date.parse(now) + (frozen ? 0 : Date.now() - readAt)

/** Whether every API key has a sandbox; undefined until that is known. */
export function hasSandboxes(): boolean | undefined {
  const summary = read('summary', null)
  return summary && summary.sandboxes !== undefined
}

export const scope = (): string | null =>
  hasSandboxes() && currentSandbox() === null ? '*' : currentSandbox()

export function readRows(): readonly TimelineRow[] | undefined {
  const rows = hasSandboxes() === undefined ? undefined : read('rows', scope())
  lastRows = rows ?? lastRows
  return rows
}

export const readRequests = (): readonly RequestRow[] => (readRows() ?? []).filter(isRequest)

async function readEach(error: UsageError): Promise<TimelineRow[]> {
  throwUnlessApart(error)
  const keys = [null, ...(await control(null).sandboxes())]
  return (await Promise.all(keys.map((key) => control(key).timeline(NEWEST)))).flat()
}

/**
 * What the mock says about the past of a row, which stays; a text if it refuses, as when it has
 * forgotten that.
 */
export function readPast<T>(
  { id, sandbox }: TimelineRow,
  what: string,
  ask: Ask<T>,
): T | string | undefined {
  return find('past', sandbox, `${id} ${what}`, () => ask(control(sandbox)).catch(sayRefusal))
}

/** What is shown stays if the mock does not respond. */
function sayRefusal(error: UsageError): string {
  if (error.status === 0) throw error
  return error.message
}

export async function askMoment({ id: before, sandbox, realAt }: RequestRow): Promise<Moment> {
  const mock = control(sandbox)
  const answers = [mock.state({ before }), mock.diff({ before }), mock.summary()] as const
  const [state, diff, { recording }] = await Promise.all(answers)
  // Rows since then are not in the file.
  return { state, diff, file: recording && realAt <= recording.madeAt ? recording.file : undefined }
}

export const readPets = (filter: PetFilter): PetPage | string | undefined =>
  find('pets', currentSandbox(), JSON.stringify(filter), () =>
    control().pets.list(filter).catch(sayRefusal),
  )

export function readPet(id: string, sandbox = currentSandbox()): Pet | null | undefined {
  const digits = parseInt64(id)
  const get = async () =>
    (digits !== undefined && (await control(sandbox).pets.get(digits))) || null
  return find('pets', sandbox, `id ${id}`, get)
}

function find<T>(
  kind: Kind,
  sandbox: string | null,
  variant: string,
  ask: () => Promise<T>,
): T | undefined {
  const name = JSON.stringify([kind, sandbox, variant])
  const known = cache.get(name)
  const resource: Resource = known ?? {
    kind,
    sandbox,
    value: signal(undefined),
    ask,
    isStale: true,
    isReading: false,
  }
  shown.add(name)
  if (!known) {
    cache.set(name, resource)
    void refresh(resource)
  }
  return resource.value.value as T | undefined
}

export function renderWatching(render: () => void): void {
  shown.clear()
  render()
  for (const name of cache.keys()) if (!shown.has(name)) cache.delete(name)
}

async function refresh(resource: Resource): Promise<void> {
  resource.isStale = true
  if (resource.isReading) return
  resource.isReading = true
  try {
    while (resource.isStale) {
      resource.isStale = false
      await ask(resource)
      await new Promise((resolve) => setTimeout(resolve, BATCH_MS))
    }
  } finally {
    resource.isReading = false
  }
}

async function ask(resource: Resource): Promise<void> {
  const value = await resource.ask().catch(report)
  if (value !== undefined) resource.value.value = value
}

/**
 * Reads what a change may have changed, so that a message comes with its state. Resolves to the
 * last changes.
 */
export async function reread(sandbox: string | null): Promise<readonly ChangeRow[]> {
  // Most responses have only the id of their row, and the event that shows the row may come after
  // the message.
  const rows = control(sandbox).timeline({ limit: 200 }).catch(report)
  await Promise.all(
    [...cache.values()].filter(({ kind }) => kind !== 'rows' && !LASTING.includes(kind)).map(ask),
  )
  return ((await rows) ?? []).filter(isChange)
}

/** The connection reports a missing token, and a mock that does not respond. */
function report(error: unknown): void {
  if (!(error instanceof UsageError)) throw error
  if (error.status !== 0 && error.status !== 401) notify(error.message, 'problem')
}

function applyEvents(): void {
  const events = waitingEvents.splice(0)
  for (const resource of cache.values()) {
    const isGlobal = resource.kind === 'sandboxes' || resource.sandbox === '*'
    const own = events.filter(({ sandbox }) => isGlobal || sandbox === resource.sandbox)
    if (own.some((event) => isStaleAfter(event, resource.kind))) void refresh(resource)
    const rows = own.flatMap((event) => ('row' in event ? event.row : []))
    if (resource.kind !== 'rows' || rows.length === 0) continue
    const log = resource.value.value as TimelineRow[] | undefined
    // A log that is being read may lack a row of now.
    if (resource.isReading || !log) void refresh(resource)
    if (log) resource.value.value = mergeRows(log, rows)
  }
}

/**
 * Other rows change with an undo, and with a change that names no item: it replaced the state, or
 * cleared the rows.
 */
function isStaleAfter(event: MockEvent, kind: Kind): boolean {
  if (LASTING.includes(kind)) return false
  if (event.type === 'sandbox') return true
  if (event.type === 'change')
    return kind !== 'rows' || event.row.undoes !== null || event.row.changed.length === 0
  const isAdded = event.row.operation === 'createPet' && (kind === 'pets' || kind === 'summary')
  return isAdded || kind === 'faults' || kind === 'assumptions'
}
