// Shows a recording in a mock, in place of all that it held.
import { count } from '../../contract/problem.ts'
import { describeClock, readClock, setClock } from '../../world/clock.ts'
import { createChange } from '../../world/kept-row.ts'
import { restoreRow } from '../../world/saved-row.ts'
import type { State } from '../../world/state.ts'
import type { Worlds } from '../../world/worlds.ts'
import { readSandbox } from './line.ts'
import type { Recording } from './read.ts'
import { atStart } from './read-state.ts'

/**
 * Replaces all states and timelines with recorded ones, and stops the clocks; the shared state is
 * up to the caller.
 */
export function replaceByRecording(worlds: Worlds, recording: Recording) {
  const { file, version, madeAt, starts, rows } = recording
  for (const key of worlds.keys()) worlds.remove(key)
  worlds.recording = { file, version, madeAt }
  for (const [sandbox, state] of starts) worlds.resume(state, sandbox, readSandbox(sandbox))
  for (const { row, before, after } of rows) {
    const { advance, timeline } = worlds.of(row.sandbox ?? undefined)
    const kept = restoreRow(row)
    if (before && after) advance({ ...kept, isRecorded: true }, after)
    else timeline.restore([kept], 0)
  }

  const source = `recorded by animal-store-mock ${version} at ${madeAt}`
  const text = `opened ${file}: ${count(rows.length, 'row')}, ${source}`
  const realAt = worlds.times.real()
  const readTime = ({ clock }: State) =>
    describeClock(clock, readClock(clock, atStart)).now ?? madeAt
  const stop = (state: State): State => {
    return { ...state, clock: setClock(state.clock, readTime(state), true, worlds.times) }
  }
  for (const { state, advance } of worlds.all().slice(1)) {
    const at = Date.parse(readTime(state))
    advance(createChange({ realAt, at, method: 'openRecording', text }), stop(state))
  }
  // A change that names nothing cannot be undone.
  return { text, state: stop(worlds.of().state), changed: [] }
}
