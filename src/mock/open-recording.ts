// A mock with the timeline of a recording, at its end or before one of its rows.
import { MAX_LOG_ENTRIES } from '../limits.ts'
import { showRecording } from '../recording/open.ts'
import { findMoment, type Recording } from '../recording/read.ts'
import type { State } from '../world/state.ts'
import { createEngine, type Engine } from './mock.ts'
import type { MockSettings } from './mock-options.ts'

/** A mock that shows it. Every clock stands still, at the end or, in the state of the row `before`, at its moment. */
export function openRecording(recording: Recording, before?: number, options: Partial<MockSettings> = {}): Engine {
  const { rows, starts } = recording
  const moment = before === undefined ? undefined : findMoment(recording, before)
  const requestLog = { entries: Math.max(rows.length, MAX_LOG_ENTRIES) }
  const { origin } = starts.get(undefined) as State
  const engine = createEngine({ origin, ...options, requestLog })
  const { worlds, mock } = engine
  const { row, state } = showRecording(worlds, recording)
  worlds.of().advance(row, state)
  if (!moment) return engine
  const { id, sandbox } = moment.row
  const control = sandbox === null ? mock.control : mock.control.sandbox(sandbox)
  control.rewind(id)
  return engine
}
