// Reads a recording. A stranger may have made it: all of it is checked, and comes as values.
import { mismatch, rethrow, UsageError } from '../../contract/errors.ts'
import { version } from '../../contract/generated/version.ts'
import { MAX_RECORDING_CHARACTERS, MAX_SANDBOXES } from '../../contract/limits.ts'
import { checkValue } from '../../contract/options.ts'
import type { Problem } from '../../contract/problem.ts'
import { doAtOnce, type Task } from '../../contract/turns.ts'
import { freezeCopy } from '../../contract/values.ts'
import { type CountedFault, startFaults } from '../../world/faults.ts'
import { addNote } from '../../world/notes.ts'
import { isChange, isRecordingText, isRequest, isWaiting } from '../../world/row.ts'
import type { SavedRow } from '../../world/saved-row.ts'
import { momentOf, toScenario } from '../../world/saved-state.ts'
import type { ReadScenario } from '../../world/scenario.ts'
import { createOrigin, type Origin, type State } from '../../world/state.ts'
import type { RecordingSource } from '../../world/worlds.ts'
import { checkScenario } from '../check-scenario.ts'
import { readJsonDocument } from '../read-json-document.ts'
import { type Head, headSchema, type Line, lineSchema, RECORDING_FORMAT } from './line.ts'
import { createStateReader } from './read-state.ts'

/** A row with the states around it; undefined if those were no longer kept. */
export type Placed = Readonly<{
  row: SavedRow
  before: State | undefined
  after: State | undefined
}>

export interface Recording extends RecordingSource, Pick<Head, 'sandboxes'> {
  /** The first known state of each sandbox; the shared one has no name. */
  readonly starts: ReadonlyMap<string | undefined, State>
  readonly rows: readonly Placed[]
  /** The shared state after the last row. */
  readonly last: State
}

export function readRecording(text: string, file: string): Recording {
  return doAtOnce(takeRecording(text, file))
}

/** The task of reading a recording, which pauses after each line. */
export function* takeRecording(text: string, file: string): Task<Recording> {
  const max = MAX_RECORDING_CHARACTERS
  if (text.length > max) throw new UsageError(`${file}: longer than ${max} characters`)
  const head = readHead(text, file)
  const lines = text.trimEnd().split('\n').slice(1)
  const { starts, present, rows, readLine } = createLineReader()
  for (const [index, line] of lines.entries()) {
    parseLine(line, { file, line: index + 2 }, readLine)
    yield
  }

  const hasAllRows = rows.length === head.rows
  const hasAllStarts = starts.size === head.sandboxes + 1
  const last = present.get(undefined)
  if (hasAllRows && hasAllStarts && last) return { ...head, file, starts, rows, last }
  throw new UsageError({
    kind: 'text',
    text: 'the file ends too early',
    at: { file, line: lines.length + 1 },
  })
}

/** Collects what the lines after the first say. */
function createLineReader() {
  const origins: Origin[] = []
  const faults: CountedFault['fault'][] = []
  const starts = new Map<string | undefined, State>()
  const rows: Placed[] = []
  /** Of each sandbox, after the lines so far. */
  const present = new Map<string | undefined, State>()
  const readState = createStateReader(origins, faults)

  function readLine(given: Line): void {
    const line = checkValue(lineSchema, given, 'line')
    if (line.origin) origins.push(createOrigin(checkScenario(line.origin)))
    else if (line.fault) readFault(line.fault)
    else if (line.row) readRow(line, line.row)
    else readStart(line)
  }

  function readFault(fault: NonNullable<Line['fault']>): void {
    const { faults: checked = [] } = checkScenario({ faults: [fault] })
    for (const counted of startFaults(checked.map(freezeCopy)).faults) faults.push(counted.fault)
  }

  function readStart(line: Line): void {
    const { sandbox, state } = line
    if (present.has(sandbox) || !state) throw outOfPlace()
    const start = readState(undefined, state)
    starts.set(sandbox, start)
    present.set(sandbox, start)
    if (present.size > MAX_SANDBOXES + 1)
      throw new UsageError(`expected at most ${MAX_SANDBOXES} sandboxes`)
  }

  function readRow(line: Line, row: NonNullable<Line['row']>): void {
    const { sandbox, state } = line
    // Rows above the first state of their sandbox have lost their states.
    const before = present.get(sandbox)
    if (state && !before) throw outOfPlace()
    const after = state ? readState(before, state) : before
    if (after) present.set(sandbox, after)
    const lastId = rows.at(-1)?.row.id ?? 0
    if (row.id <= lastId) throw new UsageError('expected an id above that of the row before')
    if (isChange(row) && row.undoes !== null && row.undoes >= row.id)
      throw mismatch('line.row.undoes', 'the id of a row before')
    rows.push({ row: abortWaiting({ ...row, sandbox: sandbox ?? null }), before, after })
  }

  return { starts, present, rows, readLine }
}

function outOfPlace(): UsageError {
  return new UsageError('expected an origin, a fault, the first state of a sandbox, or a row')
}

/** A request that was waiting when the recording was made got no response. */
function abortWaiting(row: SavedRow): SavedRow {
  if (!isRequest(row) || !isWaiting(row)) return row
  const aborted = { ...row, outcome: 'aborted' as const }
  addNote(aborted, 'It was waiting when the recording was made')
  return aborted
}

export function readHead(text: string, file: string): Head {
  if (!isRecordingText(text))
    throw new UsageError(`${file} is not a recording of animal-store-mock`)
  const [first = ''] = text.split('\n', 1)
  return parseLine(first.replace('\ufeff', ''), { file, line: 1 }, checkHead)
}

function checkHead(head: Head & { readonly format: number }): Head {
  if (Number(head.format) > RECORDING_FORMAT) {
    throw new UsageError(
      `this recording is newer than animal-store-mock ${version} can read; update it`,
    )
  }
  return checkValue(headSchema, head, 'recording')
}

export function readStateBefore(recording: Recording, id: number): ReadScenario {
  const { file } = recording
  const found = recording.rows.find((one) => one.row.id === id)
  if (!found) throw new UsageError({ kind: 'not-found', what: 'Row', id: String(id), at: { file } })
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
