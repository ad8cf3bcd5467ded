// The worlds of a recording, finished before they take the place of those of a mock.
import { count } from '../../contract/problem.ts'
import { readClock } from '../../world/clock.ts'
import { createChange } from '../../world/kept-row.ts'
import { restoreRow } from '../../world/saved-row.ts'
import { type State, stopClock } from '../../world/state.ts'
import { checkRoomOf, prepareWorlds, type Worlds } from '../../world/worlds.ts'
import { readSandbox } from './line.ts'
import type { Placed, Recording } from './read.ts'
import { atStart } from './read-state.ts'

/**
 * The change that puts a recording in place of all states and timelines, and stops the clocks.
 * Throws if its states do not fit.
 */
export function replaceByRecording(present: Worlds, recording: Recording) {
  const { file, version, madeAt, rows, starts, last } = recording
  const source = `recorded by animal-store-mock ${version} at ${madeAt}`
  const text = `opened ${file}: ${count(rows.length, 'row')}, ${source}`
  const worlds = prepareWorlds(present, { file, version, madeAt })
  for (const [sandbox, state] of starts) worlds.resume(state, sandbox, readSandbox(sandbox))
  for (const row of rows) addRow(worlds, row)
  stopSandboxes(worlds, Date.parse(madeAt), text)
  checkRoomOf(worlds)
  const at = findEnd(last, Date.parse(madeAt))
  return {
    worlds,
    state: stopClock(last, at, worlds.times),
    text,
    // In the time of the recorded state, not of the state that it replaces.
    at,
    // A change that names nothing cannot be undone.
    changed: [],
  }
}

function addRow(worlds: Worlds, placed: Placed): void {
  const { row, before, after } = placed
  const world = worlds.of(row.sandbox ?? undefined)
  const kept = restoreRow(row)
  if (before && after) world.advance({ ...kept, isRecorded: true }, after)
  else world.timeline.restore([kept], 0)
}

function stopSandboxes(worlds: Worlds, madeAt: number, text: string): void {
  const { times } = worlds
  const realAt = times.real()
  for (const { state, advance } of worlds.all().slice(1)) {
    const at = findEnd(state, madeAt)
    const change = createChange({ realAt, at, method: 'openRecording', text })
    advance(change, stopClock(state, at, times))
  }
}

/** The last moment of a recorded state: where real time counts, when the recording was made. */
function findEnd(state: State, madeAt: number): number {
  const { frozenAt, start } = state.clock
  const followsRealTime = frozenAt === undefined && start === undefined
  return followsRealTime ? madeAt : readClock(state.clock, atStart)
}
