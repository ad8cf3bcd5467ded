// Puts a recording into the worlds of a mock.
import { UsageError } from '../contract/errors.ts'
import { restoreRow } from '../service/show-row.ts'
import { describeClock, readClock, setClock } from '../world/clock.ts'
import { createChange } from '../world/row.ts'
import type { State } from '../world/state.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Recording } from './read.ts'

/** Replaces all states and timelines with recorded ones, and stops the clocks: that of the shared state is up to the caller. */
export function showRecording(worlds: Worlds, { file, version, madeAt, starts, rows }: Recording) {
  const { times } = worlds
  const isSandboxed = starts.size > 1
  // The clients of a mock in use expect one state for all keys.
  if (isSandboxed && !worlds.hasSandboxes && worlds.of().timeline.lastId > 0) {
    throw new UsageError(`${file} has sandboxes, and this mock has none; use animal-store-mock open`)
  }
  const text = `opened ${file}, which animal-store-mock ${version} recorded at ${madeAt}`
  const readTime = ({ clock }: State) => describeClock(clock, readClock(clock, times)).now ?? madeAt
  const stop = (state: State): State => ({ ...state, clock: setClock(state.clock, readTime(state), true, times) })
  for (const key of worlds.keys()) worlds.remove(key)
  worlds.recording = { file, version, madeAt }
  worlds.hasSandboxes ||= isSandboxed
  for (const [sandbox, state] of starts) worlds.resume(state, sandbox)
  for (const { row, before, after, ...own } of rows) {
    const { advance, timeline } = worlds.of(row.sandbox ?? undefined)
    // The states before the oldest rows may be gone.
    if (before && after) advance({ ...restoreRow(row), ...own, isRecorded: true }, after)
    else timeline.restore([restoreRow(row)], 0)
  }
  for (const [, { state, advance }] of worlds.all().slice(1)) {
    const at = Date.parse(readTime(state))
    advance(createChange({ at, realAt: times.real(), method: 'openRecording', changed: [], text }), stop(state))
  }
  // A change that names nothing cannot be undone.
  return { text, state: stop(worlds.of().state), changed: [] }
}
