// The faults view: active faults, presets, a form for new ones, and the clock.
import { useRef } from 'preact/hooks'
import { describeFault, isUsedUp } from '../../client/describe-fault.ts'
import type { LiveFault } from '../../world/faults.ts'
import { useKeptFocus } from '../parts/kept-focus.ts'
import { ViewHead } from '../parts/view-head.tsx'
import { type ReadyFault, readyFaults } from '../state/ready-faults.ts'
import { ClockCard } from './clock-card.tsx'
import { FaultForm } from './fault-form.tsx'
import { LatencyCard } from './latency-card.tsx'
import type { ViewProps } from './view.ts'

export function Faults({ state, world, actions }: ViewProps) {
  const { faults } = world
  const list = useRef<HTMLElement>(null)
  useKeptFocus(list, 'button:enabled')
  const active = faults.filter((fault) => !isUsedUp(fault))
  const usedUp = faults.filter(isUsedUp)
  const addPreset = ({ name, faults: ready }: ReadyFault) => {
    const missing = ready.filter(({ id }) => !faults.some((fault) => fault.id === id))
    if (missing.length === 0) actions.say(`${name} is already active`)
    else void actions.addFaults(missing)
  }
  return (
    <>
      <ViewHead title="Faults and clock" lead="Break things on purpose, and set the clock of the service." />
      <div class="columns">
        <div class="stack">
          <section ref={list} class="card">
            <div class="card-head">
              <h2>Active faults</h2>
              <button type="button" class="button" disabled={faults.length === 0} onClick={() => actions.clearFaults()}>
                Remove all
              </button>
            </div>
            {active.length === 0 ? (
              <p class="empty">No faults: every request gets its normal response.</p>
            ) : (
              <FaultList faults={active} onRemove={actions.removeFault} />
            )}
            {usedUp.length > 0 && (
              <>
                <h3>Used up</h3>
                <p class="muted">They were applied as often as they may be, and affect nothing until a reset.</p>
                <FaultList faults={usedUp} onRemove={actions.removeFault} />
              </>
            )}
          </section>
          <section class="card">
            <h2>Presets</h2>
            <ul class="ready">
              {readyFaults.map((preset) => (
                <li key={preset.name}>
                  <button type="button" class="button" aria-describedby={`ready-${preset.name}`} onClick={() => addPreset(preset)}>
                    {preset.name}
                  </button>
                  <span id={`ready-${preset.name}`}>{preset.description}</span>
                </li>
              ))}
            </ul>
          </section>
          <FaultForm operations={state.operations} onAdd={(fault) => actions.addFaults([fault])} />
        </div>
        <div class="stack">
          <ClockCard {...{ state, world, actions }} />
          <LatencyCard {...{ world, actions }} />
        </div>
      </div>
    </>
  )
}

/** No line ends between a number and its unit. */
function keepUnits(text: string): string {
  return text.replace(/(\d) (?=m?s\b)/g, '$1\u00a0')
}

function FaultList({ faults, onRemove }: { faults: readonly LiveFault[]; onRemove: (id: string) => void }) {
  return (
    <ul class="faults">
      {faults.map((fault) => (
        <li key={fault.id} id={`faults-${fault.id}`}>
          <div>
            <span class="fault-operation">{fault.operation === '*' ? 'Every operation' : fault.operation}</span>{' '}
            {keepUnits(describeFault(fault))}
            <div class="muted numbers">
              affected {fault.applied} of {fault.seen} {fault.seen === 1 ? 'call' : 'calls'}
            </div>
          </div>
          <button type="button" class="button" aria-label={`Remove fault ${fault.id}`} onClick={() => onRemove(fault.id)}>
            Remove
          </button>
        </li>
      ))}
    </ul>
  )
}
