// The commands for a mock that runs elsewhere: each is one or two calls of its control API, and a line or two about the result.
import type { ClockChange, ControlClient, Health } from '../client/control-client.ts'
import { describeFault } from '../client/describe-fault.ts'
import type { ClockState } from '../control/control.ts'
import type { OperationId } from '../generated/contract.ts'
import { readScenarioFile } from '../scenario/files.ts'
import { isScenarioFile } from '../scenario/resolve.ts'
import type { LiveFault } from '../world/faults.ts'
import type { JournalEntry } from '../world/journal.ts'
import { escapeUnsafe } from './escape.ts'
import { hasColour, toPrettyLine } from './log-line.ts'
import { formatOf, print, toDocumentText } from './print-document.ts'
import { note, toAnimals } from './say.ts'
import { type RemoteFlags, withMock } from './with-mock.ts'
import { writeWhole } from './write-whole.ts'

export async function runSeed(nameOrFile: string, flags: RemoteFlags): Promise<void> {
  const document = isScenarioFile(nameOrFile) ? await readScenarioFile(nameOrFile) : undefined
  const health = await withMock(flags, (mock) => (document ? mock.load(document) : mock.loadByName(nameOrFile)))
  print(`Loaded ${toSentence(health)}\n`)
}

export async function runReset(flags: RemoteFlags): Promise<void> {
  print(`Reset to ${toSentence(await withMock(flags, (mock) => mock.reset()))}\n`)
}

export interface SnapshotFlags extends RemoteFlags {
  readonly output?: string
}

export async function runSnapshot(flags: SnapshotFlags): Promise<void> {
  const format = flags.output === undefined ? 'json' : formatOf(flags.output)
  const text = await toDocumentText(await withMock(flags, (mock) => mock.state()), format)
  if (flags.output === undefined) print(text)
  else await writeWhole(flags.output, text)
}

export interface RequestsFlags extends RemoteFlags {
  readonly follow?: boolean
  readonly json?: boolean
  readonly operation?: OperationId
  readonly status?: number
  readonly method?: string
  readonly limit?: number
}

export function runRequests(flags: RequestsFlags): Promise<void> {
  return withMock(flags, (mock) => showRequests(mock, flags))
}

async function showRequests(mock: ControlClient, flags: RequestsFlags): Promise<void> {
  const { operation, status, method, limit } = flags
  // The stream is opened first: what happens while the journal is read would be lost otherwise.
  const events = flags.follow ? await mock.events() : undefined
  const entries = await mock.requests({
    ...(operation === undefined ? {} : { operation }),
    ...(status === undefined ? {} : { status }),
    ...(method === undefined ? {} : { method }),
    ...(limit === undefined ? {} : { limit }),
  })
  const colour = hasColour(process.stdout, process.env)
  const show = (entry: JournalEntry) => print(`${flags.json ? escapeUnsafe(JSON.stringify(entry)) : toPrettyLine(entry, colour)}\n`)
  for (const entry of entries) show(entry)
  if (!events) return
  // What happened between the two calls comes twice.
  const shown = new Set(entries.map(({ id }) => id))
  for await (const event of events) {
    if (event.type !== 'exchange') continue
    const { entry } = event
    if (isWanted(entry, flags) && !shown.has(entry.id)) show(entry)
  }
  note('the mock has stopped')
}

function isWanted(entry: JournalEntry, { operation, status, method }: RequestsFlags): boolean {
  return (
    (operation === undefined || entry.operation === operation) &&
    (status === undefined || entry.status === status) &&
    (method === undefined || entry.method === method)
  )
}

/** Shows the clock, after the change if there is one. */
export async function runClock(change: ClockChange | undefined, flags: RemoteFlags): Promise<void> {
  print(`${toTime(await withMock(flags, ({ clock }) => (change ? clock.change(change) : clock.get())))}\n`)
}

export interface StatusFlags extends RemoteFlags {
  readonly json?: boolean
}

export async function runStatus(flags: StatusFlags): Promise<void> {
  const status = await withMock(flags, readStatus)
  if (flags.json) {
    print(await toDocumentText(status, 'json'))
    return
  }
  const choices = Object.entries(status.assume).map(([question, choice]) => `${question}=${choice}`)
  const rows = [
    ['Mock', `${flags.url} (version ${status.version})`],
    ['Scenario', status.scenario],
    ['Animals', String(status.pets)],
    ['Clock', toTime(status.clock)],
    ['Faults', status.faults.length === 0 ? 'none' : status.faults.map(toFaultText).join('; ')],
    ['Assumes', choices.length === 0 ? 'the defaults' : choices.join(', ')],
  ]
  print(rows.map(([name = '', text = '']) => `${name.padEnd(9)} ${escapeUnsafe(text)}\n`).join(''))
}

async function readStatus(mock: ControlClient) {
  const { version, scenario, pets } = await mock.health()
  const assumptions = await mock.assumptions()
  const changed = assumptions.filter((assumption) => assumption.choice !== assumption.default)
  return {
    version,
    scenario,
    pets,
    clock: await mock.clock.get(),
    faults: await mock.faults.list(),
    assume: Object.fromEntries(changed.map(({ id, choice }) => [id, choice])),
  }
}

function toFaultText(fault: LiveFault): string {
  const { id, operation, seen, struck } = fault
  return `${id}: ${operation} ${describeFault(fault)} (struck ${struck} of ${seen})`
}

function toTime({ now, frozen }: ClockState): string {
  return `${now}${frozen ? ' (frozen)' : ''}`
}

function toSentence({ scenario, pets }: Health): string {
  return `${escapeUnsafe(scenario)} (${toAnimals(pets)})`
}
