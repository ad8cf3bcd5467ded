// Puts a recording into the worlds of a mock.
import { restoreRow } from '../service/show-row.ts'
import { describeClock, readClock, setClock } from '../world/clock.ts'
import { createChange, type KeptChange } from '../world/row.ts'
import type { State } from '../world/state.ts'
import type { Worlds } from '../world/worlds.ts'
import { type Recording, readRecording } from './read.ts'

/** Reads all of a recording before it replaces anything. */
export function readToShow(text: string, file: string) {
  const recording = readRecording(text, file)
  return (worlds: Worlds) => showRecording(worlds, recording)
}

/** Replaces all states and timelines with the recorded ones. The result stops the clock of the shared state, as here those of the others. */
export function showRecording(worlds: Worlds, { file, version, madeAt, starts, rows }: Recording): { row: KeptChange; state: State } {
  const { times } = worlds
  const stop = (state: State) => {
    const { now = madeAt } = describeClock(state.clock, readClock(state.clock, times))
    const text = `opened ${file}, which animal-store-mock ${version} recorded at ${madeAt}`
    const changed = [{ kind: 'clock', id: '' }] as const
    const row = createChange({ at: Date.parse(now), realAt: times.real(), method: 'openRecording', changed, text })
    return { row, state: { ...state, clock: setClock(state.clock, now, true, times) } }
  }
  for (const key of worlds.keys()) worlds.remove(key)
  worlds.recording = { file, version, madeAt }
  worlds.hasSandboxes = starts.size > 1
  for (const [sandbox, state] of starts) worlds.resume(state, sandbox)
  for (const { row, before, after, ...own } of rows) {
    const { advance, requestLog } = worlds.of(row.sandbox ?? undefined)
    // The states before the oldest rows may be gone.
    if (before && after) advance({ ...restoreRow(row), ...own, isRecorded: true }, after)
    else requestLog.restore([restoreRow(row)], 0)
  }
  for (const [, world] of worlds.all().slice(1)) {
    const { row, state } = stop(world.state)
    world.advance(row, state)
  }
  return stop(worlds.of().state)
}
