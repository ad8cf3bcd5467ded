// The mock's clock: what it shows, ways to set it, and the removal date of a deprecated operation.
import { useEffect, useState } from 'preact/hooks'
import { Chip } from '../parts/chip.tsx'
import { isOff, toDate, toDateTime, toDistance, toRemoval } from '../parts/instants.ts'
import { toNow } from '../state/world-view.ts'
import type { ViewProps } from './view.ts'

const STEPS = [
  ['PT1M', '+1 minute'],
  ['PT1H', '+1 hour'],
  ['P1D', '+1 day'],
  ['P1W', '+1 week'],
  ['P1M', '+1 month'],
  ['P1Y', '+1 year'],
] as const

export function ClockCard({ state, world: { clock, assumptions }, actions }: Pick<ViewProps, 'state' | 'world' | 'actions'>) {
  const now = toNow(clock, useTime(!clock.frozen))
  const isFromStart = assumptions.some(({ id, choice }) => id === 'removal-instant' && choice === 'start-of-day')
  const set = (event: SubmitEvent) => {
    event.preventDefault()
    void actions.turnClock({ now: String(new FormData(event.currentTarget as HTMLFormElement).get('now')) })
  }
  return (
    <section class="card clock">
      <div class="card-head">
        <h2>Clock</h2>
        <Chip tone={clock.frozen ? 'warn' : 'good'}>{clock.frozen ? 'frozen' : 'running'}</Chip>
      </div>
      <p class="time numbers">
        {toDateTime(now)} <span class="muted">UTC</span>
      </p>
      {isOff(now) && <p class="muted numbers">Real time: {toDateTime(Date.now())} UTC</p>}
      <div class="buttons">
        <button type="button" class="button" onClick={() => actions.turnClock({ frozen: !clock.frozen })}>
          {clock.frozen ? 'Resume' : 'Freeze'}
        </button>
        <button type="button" class="button" onClick={() => actions.turnClock({ now: new Date().toISOString() })}>
          Set to now
        </button>
      </div>
      <form class="row" onSubmit={set}>
        <label class="field grow">
          <span>Set to (UTC)</span>
          <input
            // Keyed by the last change, not the current second: a running clock must not overwrite what is being typed.
            key={clock.now}
            name="now"
            type="datetime-local"
            step={1}
            required
            min="1970-01-01T00:00:00"
            max="9999-12-31T23:59:59"
            defaultValue={toInput(now)}
          />
        </label>
        <button type="submit" class="button">
          Set
        </button>
      </form>
      <fieldset class="plain">
        <legend>Advance</legend>
        <div class="buttons">
          {STEPS.map(([duration, label]) => (
            <button key={duration} type="button" class="button" onClick={() => actions.turnClock({ advance: duration })}>
              {label}
            </button>
          ))}
        </div>
      </fieldset>
      {state.operations.map(
        ({ id, sunset }) =>
          sunset !== undefined && (
            <Removal key={id} operation={id} {...toRemoval(sunset, isFromStart)} now={now} onJump={actions.turnClock} />
          ),
      )}
    </section>
  )
}

interface RemovalProps {
  readonly operation: string
  /** The start of the day, the moment of removal, and a moment that is past it under either reading of the date. */
  readonly day: number
  readonly at: number
  readonly past: number
  readonly now: number
  onJump(change: { now: string }): void
}

/** A timeline from today to the removal, with a marker at the mock's time. */
function Removal({ operation, day, at, past, now, onJump }: RemovalProps) {
  const start = Math.min(Date.now(), now)
  const length = Math.max(past, now) - start || 1
  const toShare = (instant: number) => `${((instant - start) / length) * 100}%`
  return (
    <div class="removal">
      <h3>
        <code>{operation}</code> is removed on {toDate(day)}
      </h3>
      <div class="line" aria-hidden="true">
        <span class="line-done" style={{ width: toShare(now) }} />
        <span class="line-end" style={{ left: toShare(at) }} />
        <span class="line-now" style={{ left: toShare(now) }} />
      </div>
      <p class="numbers">
        {now >= at ? `${capitalize(toDistance(at, now))} ago by the mock's clock.` : `In ${toDistance(now, at)} by the mock's clock.`}
      </p>
      <div class="buttons">
        <button type="button" class="button" onClick={() => onJump({ now: new Date(at - 60_000).toISOString() })}>
          Jump to just before
        </button>
        <button type="button" class="button primary" onClick={() => onJump({ now: new Date(past).toISOString() })}>
          Jump past it
        </button>
      </div>
    </div>
  )
}

/** The real time, updated every second while the clock runs. */
function useTime(isRunning: boolean): number {
  const [, tick] = useState(0)
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => tick((count) => count + 1), 1_000)
    return () => clearInterval(timer)
  }, [isRunning])
  return Date.now()
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** In the format of a datetime-local input. */
function toInput(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19)
}
