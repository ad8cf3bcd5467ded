// A mock with the timeline of a recording, at its end or before one of its rows.
import { MAX_LOG_ENTRIES } from '../limits.ts'
import { findMoment, type Recording } from '../recording/read.ts'
import { restoreRow } from '../service/show-row.ts'
import { describeClock, readClock, setClock } from '../world/clock.ts'
import { createChange } from '../world/row.ts'
import type { State } from '../world/state.ts'
import { createEngine, type Engine } from './mock.ts'
import type { MockSettings } from './mock-options.ts'

/** A mock that shows it. Every clock stands still, at the end or, in the state of the row `before`, at its moment. */
export function openRecording(recording: Recording, before?: number, options: Partial<MockSettings> = {}): Engine {
  const { file, version, rows, starts, madeAt } = recording
  const moment = before === undefined ? undefined : findMoment(recording, before)
  const requestLog = { entries: Math.max(rows.length, MAX_LOG_ENTRIES) }
  const { origin } = starts.get(undefined) as State
  const engine = createEngine({ origin, ...options, sandbox: starts.size > 1, requestLog }, { recording: { file, version, madeAt } })
  const { worlds, mock } = engine
  const { times } = worlds
  for (const [sandbox, state] of starts) worlds.resume(state, sandbox)
  for (const { row, before: known, after, ...own } of rows) {
    const { advance, requestLog: log } = worlds.of(row.sandbox ?? undefined)
    // The states before the oldest rows may be gone.
    if (known && after) advance({ ...restoreRow(row), ...own, isRecorded: true }, after)
    else log.restore([restoreRow(row)], 0)
  }
  for (const sandbox of starts.keys()) {
    const { state, advance } = worlds.of(sandbox)
    const { now = madeAt } = describeClock(state.clock, readClock(state.clock, times))
    const text = `opened ${file}, which animal-store-mock ${version} recorded at ${madeAt}`
    const changed = [{ kind: 'clock', id: '' }] as const
    const row = createChange({ at: Date.parse(now), realAt: times.real(), method: 'clock.set', changed, text })
    advance(row, { ...state, clock: setClock(state.clock, now, true, times) })
  }
  if (!moment) return engine
  const { id, sandbox } = moment.row
  const control = sandbox === null ? mock.control : mock.control.sandbox(sandbox)
  control.rewind(id)
  return engine
}
