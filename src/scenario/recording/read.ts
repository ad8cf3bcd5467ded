// Reads a recording, and shows it in a mock. A stranger may have made it: all is checked before any
// of it is used.
import { mismatch, notFound, rethrow, UsageError } from '../../contract/errors.ts'
import { version } from '../../contract/generated/version.ts'
import { normalizeInt64, toJson } from '../../contract/int64-json.ts'
import { MAX_RECORDING_CHARACTERS, MAX_SANDBOXES } from '../../contract/limits.ts'
import { checkValue } from '../../contract/options.ts'
import { toPetText } from '../../contract/pet.ts'
import { count, type Problem } from '../../contract/problem.ts'
import { changePets } from '../../world/catalogue.ts'
import { type Course, describeClock, readClock, setClock, type Times } from '../../world/clock.ts'
import { type CountedFault, checkFaultLimit } from '../../world/faults.ts'
import { createChange } from '../../world/kept-row.ts'
import { addNote } from '../../world/notes.ts'
import { isRequest } from '../../world/row.ts'
import { restoreRow, type SavedRow } from '../../world/saved-row.ts'
import { momentOf, resumeState, toScenario } from '../../world/saved-state.ts'
import type { ReadScenario } from '../../world/scenario.ts'
import { lastKey } from '../../world/sorted.ts'
import { baseOf, createOrigin, type Origin, type State } from '../../world/state.ts'
import type { RecordingSource, Worlds } from '../../world/worlds.ts'
import { readJsonDocument, readValue } from '../document.ts'
import {
  type Head,
  headSchema,
  type Line,
  lineSchema,
  RECORDING_FORMAT,
  readSandbox,
} from './schema.ts'

/** A row with the states around it; undefined if those were no longer kept. */
type Placed = Readonly<{ row: SavedRow; before: State | undefined; after: State | undefined }>

export interface Recording extends RecordingSource, Pick<Head, 'sandboxes'> {
  /** The first known state of each sandbox; the shared one has no name. */
  readonly starts: ReadonlyMap<string | undefined, State>
  readonly rows: readonly Placed[]
}

/** Steady time begins when a mock is made: running clocks go on from that moment. */
const atStart: Times = { real: () => Date.now(), steady: () => 0 }

export function readRecording(text: string, file: string): Recording {
  const max = MAX_RECORDING_CHARACTERS
  if (text.length > max) throw new UsageError(`${file}: longer than ${max} characters`)
  const origins: Origin[] = []
  const faults: CountedFault['fault'][] = []
  const rows: Placed[] = []
  const starts = new Map<string | undefined, State>()
  const present = new Map<string | undefined, State>()
  const follow = createFollow(origins, faults)

  function readLine(line: Line): void {
    const { origin, fault, sandbox, row, state } = checkValue(lineSchema, line, 'line')
    if (origin) return void origins.push(createOrigin(readValue(origin)))
    if (fault)
      return void faults.push(
        ...createOrigin(readValue({ faults: [fault] })).faults.map((one) => one.fault),
      )
    const before = present.get(sandbox)
    // The first state has a separate line. Rows above it have lost their states.
    const isOutOfPlace = row ? state && !before : before || !state
    if (isOutOfPlace)
      throw new UsageError('expected an origin, a fault, the first state of a sandbox, or a row')
    const after = state ? follow(before, state) : before
    if (after) present.set(sandbox, after)
    if (present.size > MAX_SANDBOXES + 1)
      throw new UsageError(`expected at most ${MAX_SANDBOXES} sandboxes`)
    if (!row) return void starts.set(sandbox, after as State)
    if (row.id <= (rows.at(-1)?.row.id ?? 0))
      throw new UsageError('expected an id above that of the row before')
    const saved: SavedRow = { ...row, sandbox: sandbox ?? null }
    const ended = isRequest(saved) &&
      saved.outcome === 'waiting' && { outcome: 'aborted', notes: saved.notes }
    if (ended) addNote(ended, 'It was waiting when the recording was made')
    rows.push({ row: { ...saved, ...ended } as SavedRow, before, after })
  }

  const head = readHead(text, file)
  const lines = text.trimEnd().split('\n').slice(1)
  for (const [index, line] of lines.entries()) parseLine(line, { file, line: index + 2 }, readLine)
  const isWhole =
    rows.length === head.rows && starts.has(undefined) && starts.size === head.sandboxes + 1
  if (isWhole) return { ...head, file, starts, rows }
  throw new UsageError({
    kind: 'text',
    text: 'the file ends too early',
    at: { file, line: lines.length + 1 },
  })
}

export function readHead(text: string, file: string): Head {
  const [first = ''] = text.split('\n', 1)
  if (!/^\ufeff?\{"format":/.test(first))
    throw new UsageError(`${file} is not a recording of animal-store-mock`)
  return parseLine(
    first.replace('\ufeff', ''),
    { file, line: 1 },
    (head: Head & { readonly format: number }) => {
      if (!(Number(head.format) > RECORDING_FORMAT))
        return checkValue(headSchema, head, 'recording')
      throw new UsageError(
        `this recording is newer than animal-store-mock ${version} can read; update it`,
      )
    },
  )
}

export function readStateBefore({ file, rows }: Recording, id: number): ReadScenario {
  const found = rows.find(({ row }) => row.id === id)
  if (!found)
    rethrow(notFound('Row', id), (problems) => problems.map((one) => ({ ...one, at: { file } })))
  if (!found.before) throw new UsageError(`${file}: the state before row ${id} was not kept`)
  const at = Date.parse(found.row.at)
  return { ...toScenario(found.before, at), ...momentOf(at, `Before row ${id} of ${file}`) }
}

function parseLine<T>(text: string, at: NonNullable<Problem['at']>, read: (value: never) => T): T {
  try {
    return read(readJsonDocument(text, { at }) as never)
  } catch (error) {
    return rethrow(error, (found) => found.slice(0, 1).map((one) => ({ ...one, at })))
  }
}

/** The states of the lines. What is the same is one value, since an undo compares identities. */
function createFollow(origins: readonly Origin[], faults: readonly CountedFault['fault'][]) {
  const clocks = new Map<string, Course>()

  return (before: State | undefined, line: NonNullable<Line['state']>): State => {
    const { pets, removed, origin: nth, faults: counts, ...saved } = line
    const origin = pick(origins, nth, 'origin')
    const changed = [
      ...removed.map((id) => ({ key: normalizeInt64(id), after: undefined })),
      ...pets.map((pet) => ({ key: normalizeInt64(pet.id), after: toPetText(pet) })),
    ]
    const catalogue = changePets(baseOf(origin, before).catalogue, changed)
    const resumed = resumeState(
      { ...saved, scenario: readValue(saved.scenario) },
      origin,
      atStart,
      catalogue,
    )
    const moment = toJson(saved.clock)
    const clock = clocks.get(moment) ?? resumed.clock
    clocks.set(moment, clock)
    const counted = counts.map(([nth, seen, applied]) => ({
      fault: pick(faults, nth, 'faults'),
      seen,
      applied,
    }))
    const ids = new Set(checkFaultLimit(counted).map(({ fault }) => fault.id))
    if (ids.size < counted.length) throw mismatch('line.state.faults', 'every id once')
    const last = lastKey(catalogue.all)
    if (last === undefined || BigInt(last) < resumed.nextId)
      return { ...resumed, clock, faults: counted }
    throw mismatch('line.state.nextId', 'an id above all others')
  }
}

function pick<T>(defined: readonly T[], nth: number, name: 'origin' | 'faults'): T {
  const found = defined[nth - 1]
  if (found) return found
  throw mismatch(`line.state.${name}`, 'the number of one in a line before')
}

/**
 * Replaces all states and timelines with recorded ones, and stops the clocks; the shared state is
 * up to the caller.
 */
export function replaceByRecording(
  worlds: Worlds,
  { file, version, madeAt, starts, rows }: Recording,
) {
  const { times } = worlds
  const text = `opened ${file}: ${count(rows.length, 'row')}, recorded by animal-store-mock ${version} at ${madeAt}`
  const readTime = ({ clock }: State) =>
    describeClock(clock, readClock(clock, atStart)).now ?? madeAt
  const stop = (state: State): State => ({
    ...state,
    clock: setClock(state.clock, readTime(state), true, times),
  })
  for (const key of worlds.keys()) worlds.remove(key)
  worlds.recording = { file, version, madeAt }
  for (const [sandbox, state] of starts) worlds.resume(state, sandbox, readSandbox(sandbox))
  for (const { row, before, after } of rows) {
    const { advance, timeline } = worlds.of(row.sandbox ?? undefined)
    const kept = restoreRow(row)
    if (before && after) advance({ ...kept, isRecorded: true }, after)
    else timeline.restore([kept], 0)
  }
  const change = { realAt: times.real(), method: 'openRecording', text } as const
  for (const { state, advance } of worlds.all().slice(1)) {
    advance(createChange({ ...change, at: Date.parse(readTime(state)) }), stop(state))
  }
  // A change that names nothing cannot be undone.
  return { text, state: stop(worlds.of().state), changed: [] }
}
