// The control methods for the timeline: what happened in a state, and the ways back.
import { describeKey } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { MAX_LOG_ENTRIES } from '../limits.ts'
import { writeRecording } from '../recording/write.ts'
import { showRow } from '../service/show-row.ts'
import { putAt } from '../world/clock.ts'
import { compareStates, type Difference, putBack } from '../world/difference.ts'
import { isChange, type TimelineRow } from '../world/row.ts'
import { comeBack } from '../world/state.ts'
import type { World } from '../world/worlds.ts'
import type { RequestFilter } from './control.ts'
import { type Changed, conflict, findRow, readBefore, type View } from './view.ts'

function worldsOf({ world, worlds }: View, sandbox: RequestFilter['sandbox']): readonly World[] {
  return sandbox === undefined ? [world] : worlds.all().map(([, one]) => one)
}

/** The rows that match, in the order of the ids: the last ones, which alone are shown. */
function list(view: View, what: 'rows' | 'requests', given: RequestFilter): { result: TimelineRow[]; total: number } {
  const { sandbox: all, limit = all === undefined ? Number.MAX_SAFE_INTEGER : MAX_LOG_ENTRIES, ...filter } = given
  const wanted = filter.method === undefined ? filter : { ...filter, method: filter.method.toUpperCase() }
  const rows = worldsOf(view, all).flatMap(({ sandbox, requestLog }) => requestLog[what](wanted).map((row) => ({ row, sandbox })))
  rows.sort((left, right) => left.row.id - right.row.id)
  const last = rows.slice(Math.max(0, rows.length - limit))
  return { result: last.map(({ row, sandbox }) => showRow(row, sandbox)), total: rows.length }
}

function findLast({ world: { requestLog } }: View): number {
  const last = requestLog.rows().findLast((row) => isChange(row) && row.canUndo && !row.isUndo)
  if (last) return last.id
  throw conflict('There is no change to undo')
}

/** Takes one change back, and leaves what happened since: by default the latest that can be undone, and is not an undo. */
function undo(view: View, { id = findLast(view) }: { id?: number }): Changed {
  const { row, after } = findRow(view, id)
  if (!isChange(row)) throw conflict(`Row ${id} is a request; undo takes back changes, and rewind goes back to before it`)
  const before = readBefore(row)
  const { subject, obstacle, isWhole } = row
  const otherwise = `undo that first, or rewind to before row ${id}`
  if (before === after) throw conflict(`Row ${id} cannot be undone`)
  if (obstacle) throw conflict(`Row ${obstacle.id} (${obstacle.text}) replaced the whole state since; ${otherwise}`)
  const touched = new Set(isWhole ? [] : compareStates(after, view.state).map(nameItem))
  const differences = isWhole ? [] : compareStates(before, after)
  const blocked = differences.map(nameItem).find((item) => touched.has(item))
  if (blocked !== undefined) throw conflict(`${blocked.trim()} has changed since row ${id}; ${otherwise}`)
  const state = isWhole ? comeBack(before) : differences.reduce((next, one) => putBack(next, one, before), view.state)
  const isUndo = !row.isUndo
  return { state, isWhole, text: `${isUndo ? 'undid' : 'redid'}: ${subject}`, subject, isUndo, undoes: id }
}

function nameItem({ kind, id }: Difference): string {
  return `${kind} ${id}`
}

/** Nothing is replaced before all of it has been read. */
async function openRecording(
  { sandboxes, worlds }: View,
  { recording, file = 'recording.jsonl' }: { recording: string; file?: string },
): Promise<() => Changed> {
  if (sandboxes !== worlds) throw new UsageError('This mock stores its states; see the recording with animal-store-mock open')
  const [{ readRecording }, { showRecording }] = await Promise.all([import('../recording/read.ts'), import('../recording/open.ts')])
  const read = readRecording(recording, file)
  return () => showRecording(worlds, read)
}

export const timelineMethods = {
  timeline: (view: View, filter: RequestFilter) => list(view, 'rows', filter),
  requests: (view: View, filter: RequestFilter) => list(view, 'requests', filter),
  recording(view: View, { sandbox }: Pick<RequestFilter, 'sandbox'>) {
    const result = writeRecording(worldsOf(view, sandbox), view.times)
    return { result, print: () => result }
  },
  openRecording,
  undo,
  /** Goes back to the state before a row, as a whole. */
  rewind(view: View, { id }: { id: number }): Changed {
    const { row } = findRow(view, id)
    const state = comeBack(readBefore(row))
    const clock = row.isRecorded ? putAt(row.at, true, view.times) : state.clock
    return { state: { ...state, clock }, text: `went back to before row ${id}`, isWhole: true, backTo: id }
  },
  clearRequests({ world, state }: View): Changed {
    world.requestLog.clear()
    return { state, text: 'request log cleared' }
  },
  removeSandbox: ({ state, sandboxes }: View, { id }: { id: string }): Changed => {
    const isThere = sandboxes.remove(id)
    return { state, result: isThere, ...(isThere && { text: `sandbox ${describeKey(id)} removed` }) }
  },
}
