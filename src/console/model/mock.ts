// What the page asks the mock, and what it knows about it.
import type { UsageError } from '../../contract/errors.ts'
import type { Pet } from '../../contract/generated/contract.ts'
import { parseInt64 } from '../../contract/int64-json.ts'
import { MAX_LOG_ROWS } from '../../contract/limits.ts'
import type { ClockState, PetFilter, PetPage } from '../../control/control.ts'
import type { TestStart } from '../../control/text/copy-logged.ts'
import { isRequest, type RequestRow, type TimelineRow } from '../../world/row.ts'
import { mergeRows } from './arrange.ts'
import { type Ask, control, listen, throwUnlessApart } from './connection.ts'
import { catchUp } from './hold.ts'
import { notify } from './notice.ts'
import { type Kind, refreshAll, takeEvent, watch } from './resources.ts'
import { currentSandbox, leaveRow, NEW, route } from './route.ts'

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
} satisfies Readonly<Record<Exclude<Kind, 'past' | 'pets'>, Ask<unknown>>>

type Readers = typeof READERS
type Read<K extends keyof Readers> = Awaited<ReturnType<Readers[K]>>

let lastRows: readonly TimelineRow[] = []

/** Follows the mock from now on. */
export function start(): void {
  const onLive = (wasAway: boolean) => {
    if (wasAway) welcomeBack()
    refreshAll()
  }
  listen(onLive, takeEvent)
}

async function welcomeBack(): Promise<void> {
  const [newest] = lastRows
  const rows = await READERS.rows(control(scope())).catch(() => undefined)
  if (!rows) return
  const isNewest = (row: TimelineRow) => row.id === newest?.id && row.realAt === newest.realAt
  // Without the newest known row, the log belongs to another run.
  const hasRestarted = newest !== undefined && !rows.some(isNewest)
  const { view, part } = route.value
  // Another request may have the id of the one that is shown.
  if (hasRestarted && view === 'timeline' && part !== NEW) leaveRow()
  if (hasRestarted) catchUp()
  notify(hasRestarted ? 'The mock has restarted.' : 'The mock is back.')
}

export function read<K extends keyof Readers>(kind: K, sandbox = currentSandbox()) {
  const ask: Ask<unknown> = READERS[kind]
  return watch(kind, sandbox, '', () => ask(control(sandbox))) as Read<K> | undefined
}

/** In milliseconds. */
export function mockNow(clock: ClockState & { readonly readAt: number }): number {
  const readNow = Date.parse(clock.now)
  return clock.frozen ? readNow : readNow + Date.now() - clock.readAt
}

/** Whether every API key has a sandbox; undefined until that is known. */
export function hasSandboxes(): boolean | undefined {
  const summary = read('summary', null)
  return summary && summary.sandboxes !== undefined
}

/** The sandbox that is shown, `*` for all, or null for the shared state. */
export function scope(): string | null {
  const sandbox = currentSandbox()
  return sandbox === null && hasSandboxes() ? '*' : sandbox
}

export function readRows(): readonly TimelineRow[] | undefined {
  if (hasSandboxes() === undefined) return undefined
  const rows = read('rows', scope())
  lastRows = rows ?? lastRows
  return rows
}

export function readRequests(): readonly RequestRow[] {
  return (readRows() ?? []).filter(isRequest)
}

async function readEach(error: UsageError): Promise<TimelineRow[]> {
  throwUnlessApart(error)
  const keys = [null, ...(await control(null).sandboxes())]
  const timelines = await Promise.all(keys.map((key) => control(key).timeline(NEWEST)))
  return timelines.flat()
}

/**
 * What the mock says about the past of a row, which stays the same. A text if the mock refuses,
 * such as when it has forgotten that.
 */
export function readPast<T>(row: TimelineRow, what: string, ask: Ask<T>): T | string | undefined {
  const { id, sandbox } = row
  return watch('past', sandbox, `${id} ${what}`, () => ask(control(sandbox)).catch(sayRefusal))
}

/** What is shown stays if the mock does not respond. */
function sayRefusal(error: UsageError): string {
  if (error.status === 0) throw error
  return error.message
}

export async function askMoment(row: RequestRow): Promise<TestStart> {
  const mock = control(row.sandbox)
  const before = row.id
  const questions = [mock.state({ before }), mock.diff({ before }), mock.summary()] as const
  const [state, diff, summary] = await Promise.all(questions)
  const { recording } = summary
  // Rows since then are not in the file.
  const isRecorded = recording !== undefined && row.realAt <= recording.madeAt
  return { state, diff, file: isRecorded ? recording.file : undefined }
}

/** A text if the mock refuses the filter. */
export function readPets(filter: PetFilter): PetPage | string | undefined {
  return watch('pets', currentSandbox(), JSON.stringify(filter), () =>
    control().pets.list(filter).catch(sayRefusal),
  )
}

/** Null if there is no such animal. */
export function readPet(id: string, sandbox = currentSandbox()): Pet | null | undefined {
  return watch('pets', sandbox, `id ${id}`, async () => {
    const digits = parseInt64(id)
    if (digits === undefined) return null
    return (await control(sandbox).pets.get(digits)) ?? null
  })
}
