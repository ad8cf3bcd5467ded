// What the page asks the mock, and what it knows about it.
import type { UsageError } from '../../contract/errors.ts'
import type { Pet } from '../../contract/generated/contract.ts'
import { parseInt64 } from '../../contract/int64-json.ts'
import { MAX_LOG_ROWS } from '../../contract/limits.ts'
import type { ControlClient } from '../../control/client/client.ts'
import type {
  AssumptionState,
  ClockState,
  PetFilter,
  PetPage,
  WhatIfChange,
} from '../../control/control.ts'
import type { TestStart } from '../../control/text/copy-logged.ts'
import type { LiveFault } from '../../world/faults.ts'
import { isRequest, type RequestRow, type TimelineRow } from '../../world/row.ts'
import { mergeRows } from './arrange.ts'
import { type Ask, control, listen, throwUnlessApart } from './connection.ts'
import { catchUp } from './hold.ts'
import { currentMoment } from './moment.ts'
import { notify } from './notice.ts'
import { type Kind, refreshAll, takeEvent, watch } from './resources.ts'
import { currentSandbox, leaveRow, NEW, route } from './route.ts'
import { supposeChoices, supposeClock, supposeFaults, supposePet, supposePets } from './suppose.ts'

const NEWEST = { waiting: true, limit: MAX_LOG_ROWS }
/** What there is now, or was just before a row. */
type AskAt<T> = (mock: ControlClient, before: number | undefined) => Promise<T>
const READERS = {
  summary: readSummary,
  state: (mock, before) => mock.state({ pets: false, before }),
  faults: readFaults,
  clock: readClock,
  assumptions: (mock, before) => mock.assumptions({ before }),
  sandboxes: (mock) => mock.sandboxes(),
  scenarios: (mock) => mock.scenarios(),
  rows: async (mock) => mergeRows(await mock.timeline(NEWEST).catch(readEach)),
} satisfies Readonly<Record<Exclude<Kind, 'onward' | 'past' | 'pets'>, AskAt<unknown>>>
/** Those of a moment before now show that moment. */
const OF_MOMENT: readonly Kind[] = ['summary', 'state', 'faults', 'clock', 'assumptions']

type Readers = typeof READERS
type Read<K extends keyof Readers> = Awaited<ReturnType<Readers[K]>>

async function readSummary(mock: ControlClient, before: number | undefined) {
  const summary = await mock.summary()
  if (before === undefined) return summary
  const { total, byStatus } = await mock.pets.list({ before, limit: 1 })
  return { ...summary, pets: total, byStatus }
}

async function readFaults(mock: ControlClient, before: number | undefined): Promise<LiveFault[]> {
  if (before === undefined) return await mock.faults.list()
  const { faults = [] } = await mock.state({ pets: false, before })
  return faults.map((fault) => ({ seen: 0, applied: 0, ...fault }) as LiveFault)
}

async function readClock(mock: ControlClient, before: number | undefined) {
  const readAt = Date.now()
  if (before === undefined) return { ...(await mock.clock.get()), readAt }
  const { now = '' } = await mock.state({ pets: false, before })
  return { now: new Date(now).toISOString(), frozen: true, readAt }
}

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

/** With a sandbox, what there is now; else what there is at the moment of the page. */
export function read<K extends keyof Readers>(kind: K, sandbox?: string | null) {
  const moment = sandbox === undefined ? currentMoment() : undefined
  const own = sandbox === undefined ? currentSandbox() : sandbox
  const ask: AskAt<unknown> = READERS[kind]
  if (!moment || !OF_MOMENT.includes(kind))
    return watch(kind, own, '', () => ask(control(own), undefined)) as Read<K> | undefined
  const { before, change = {} } = moment
  const past = readUnsupposed(kind, before)
  return past === undefined ? undefined : (supposeIn(kind, past, change) as Read<K>)
}

/** What there was before a row, without what is supposed. */
export function readUnsupposed<K extends keyof Readers>(
  kind: K,
  before: number,
): Read<K> | undefined {
  const sandbox = currentSandbox()
  const ask: AskAt<unknown> = READERS[kind]
  const name = `${kind} before ${before}`
  return watch('past', sandbox, name, () => ask(control(sandbox), before)) as Read<K> | undefined
}

/** What was read of a moment, with what is supposed. */
function supposeIn(kind: Kind, past: unknown, change: WhatIfChange): unknown {
  switch (kind) {
    case 'faults':
      return supposeFaults(past as LiveFault[], change)
    case 'assumptions':
      return supposeChoices(past as AssumptionState[], change)
    case 'clock':
      return supposeClock(past as ClockState, change)
    case 'state':
      return supposeLatency(past as Read<'state'>, change)
    default:
      return past
  }
}

function supposeLatency(state: Read<'state'>, { latency }: WhatIfChange): object {
  return latency === undefined ? state : { ...state, latency: latency ?? undefined }
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
export function sayRefusal(error: UsageError): string {
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

/** A text if the mock refuses the filter, or has forgotten the moment. */
export function readPets(filter: PetFilter): PetPage | string | undefined {
  const moment = currentMoment()
  const page = watchPets(currentSandbox(), JSON.stringify(filter), (mock, before) =>
    mock.pets.list({ ...filter, before }).catch(sayRefusal),
  )
  return typeof page === 'object' && moment?.change ? supposePets(page, moment.change) : page
}

/** Null if there is no such animal. */
export function readPet(id: string, sandbox = currentSandbox()): Pet | null | undefined {
  const moment = currentMoment()
  const digits = parseInt64(id)
  const pet = watchPets(sandbox, `id ${id}`, async (mock, before) => {
    if (digits === undefined) return null
    if (before === undefined) return (await mock.pets.get(digits)) ?? null
    const { pets } = await mock.pets.list({ search: String(digits), before })
    return pets.find((one) => String(one.id) === String(digits)) ?? null
  })
  return pet && moment?.change ? supposePet(pet, moment.change) : pet
}

function watchPets<T>(sandbox: string | null, what: string, ask: AskAt<T>): T | undefined {
  const before = currentMoment()?.before
  if (before === undefined) {
    return watch('pets', sandbox, what, () => ask(control(sandbox), undefined))
  }
  return watch('past', sandbox, `${what} before ${before}`, () => ask(control(sandbox), before))
}
