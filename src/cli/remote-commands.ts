// The commands for a mock that runs elsewhere: each is one or two calls of its control API, and a line or two about the result.
import type { Json } from '../contract/int64-json.ts'
import type { AssumptionState, ClockState, MockEvent } from '../control/control.ts'
import { isScenarioFile, readScenarioFile } from '../scenario/files.ts'
import type { LiveFault } from '../world/faults.ts'
import type { JournalEntry } from '../world/journal.ts'
import { escapeUnsafe } from './escape.ts'
import { hasColour, toPrettyLine } from './log-line.ts'
import { formatOf, print, toDocumentText } from './print-document.ts'
import { createRemote, type Remote, type RemoteFlags } from './remote.ts'
import { note, toAnimals } from './say.ts'
import { writeWhole } from './write-whole.ts'

/** What `GET /__mock/health` says. */
interface Health {
  readonly version: string
  readonly scenario: string
  readonly pets: number
}

export async function runSeed(nameOrFile: string, flags: RemoteFlags): Promise<void> {
  const remote = createRemote(flags)
  const health = isScenarioFile(nameOrFile)
    ? await remote.put('/state', await readScenarioFile(nameOrFile))
    : await remote.put('/scenario', { name: nameOrFile })
  print(`${toSentence(health)} loaded\n`)
}

export async function runReset(flags: RemoteFlags): Promise<void> {
  print(`${toSentence(await createRemote(flags).post('/reset'))} loaded anew\n`)
}

export interface SnapshotFlags extends RemoteFlags {
  readonly output?: string
}

export async function runSnapshot(flags: SnapshotFlags): Promise<void> {
  const format = flags.output === undefined ? 'json' : formatOf(flags.output)
  const text = await toDocumentText(await createRemote(flags).get('/state'), format)
  if (flags.output === undefined) print(text)
  else await writeWhole(flags.output, text)
}

export interface RequestsFlags extends RemoteFlags {
  readonly follow?: boolean
  readonly json?: boolean
  readonly operation?: string
  readonly status?: number
  readonly method?: string
  readonly limit?: number
}

export async function runRequests(flags: RequestsFlags): Promise<void> {
  const { operation, status, method, limit } = flags
  const remote = createRemote(flags)
  // The stream is opened first: what happens while the journal is read would be lost otherwise.
  const events = flags.follow ? await remote.events() : undefined
  const entries = as<readonly JournalEntry[]>(await remote.get('/requests', { operation, status, method, limit }))
  const colour = hasColour(process.stdout, process.env)
  const show = (entry: JournalEntry) => print(`${flags.json ? escapeUnsafe(JSON.stringify(entry)) : toPrettyLine(entry, colour)}\n`)
  for (const entry of entries) show(entry)
  if (!events) return
  for await (const event of events) {
    const { entry } = as<MockEvent & { entry?: JournalEntry }>(event)
    if (entry && isWanted(entry, flags) && !entries.some(({ id, at }) => id === entry.id && at === entry.at)) show(entry)
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
export async function runClock(change: Readonly<Record<string, string | boolean>> | undefined, flags: RemoteFlags): Promise<void> {
  const remote = createRemote(flags)
  print(`${toTime(as<ClockState>(change ? await remote.put('/clock', change) : await remote.get('/clock')))}\n`)
}

export interface StatusFlags extends RemoteFlags {
  readonly json?: boolean
}

export async function runStatus(flags: StatusFlags): Promise<void> {
  const status = await readStatus(createRemote(flags))
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

async function readStatus(remote: Remote) {
  const { version, scenario, pets } = as<Health>(await remote.get('/health'))
  const assumptions = as<readonly AssumptionState[]>(await remote.get('/assumptions'))
  const changed = assumptions.filter((assumption) => assumption.choice !== assumption.default)
  return {
    version,
    scenario,
    pets,
    clock: as<ClockState>(await remote.get('/clock')),
    faults: as<readonly LiveFault[]>(await remote.get('/faults')),
    assume: Object.fromEntries(changed.map(({ id, choice }) => [id, choice])),
  }
}

function toFaultText({ id, operation, status, delay, drop, seen, struck }: LiveFault): string {
  const effects = [
    ...(delay === undefined ? [] : [`waits ${typeof delay === 'number' ? delay : delay.join('-')} ms`]),
    ...(status === undefined ? [] : [`answers ${status}`]),
    ...(drop ? ['drops'] : []),
  ]
  return `${id}: ${operation} ${effects.join(', ')} (struck ${struck} of ${seen})`
}

function toTime({ now, frozen }: ClockState): string {
  return `${now}${frozen ? ' (stopped)' : ''}`
}

function toSentence(health: Json): string {
  const { scenario, pets } = as<Health>(health)
  return `scenario ${escapeUnsafe(scenario)} with ${toAnimals(pets)} is`
}

/** What the control API sends has the shape that its routes give it. */
function as<T>(value: Json): T {
  return value as unknown as T
}
