// The bar of every view: what is not normal about the state, each with a way to remove it, and a place for messages. It is always
// there, so that a short message moves nothing below it.
import type { ComponentChildren } from 'preact'
import { describeDelay, describeRate, isUsedUp } from '../../client/describe-fault.ts'
import type { LiveFault } from '../../world/faults.ts'
import { assume, attempt, dismiss, notice, removeFaults, setRealTime, undo } from '../actions.ts'
import { connection, control, retry } from '../connection.ts'
import { mockNow, requestScope, use } from '../mock.ts'
import { link, route } from '../route.ts'
import { date, isMoved, showHidden } from '../text.ts'
import { Button } from './controls.tsx'

const USUAL_SCENARIO = 'default'

export function Bar() {
  return (
    <section class="bar" aria-label="State">
      <Conditions />
      <div class="message" role="status">
        <Message />
      </div>
    </section>
  )
}

function Conditions() {
  const isAll = requestScope() === '*'
  if (isAll && route.value.view === 'requests')
    return <p class="bar-text">Requests of all sandboxes. Choose one to see what is not normal there.</p>
  const state = use('state')
  if (isAll)
    return (
      <p class="bar-text">
        New sandboxes start from the scenario <b>{showHidden(state?.name ?? '')}</b>. Other changes here affect no request; choose a
        sandbox.
      </p>
    )
  const faults = use('faults')
  const clock = use('clock')
  const assumptions = use('assumptions')
  if (!state || !faults || !clock || !assumptions) return <p class="bar-text" />
  const { name = '', latency = 0, surprise } = state
  const changed = assumptions.filter(({ choice, default: usual }) => choice !== usual)
  const active = faults.filter((fault) => !isUsedUp(fault))
  const isClockMoved = clock.frozen || isMoved(Date.parse(clock.now), clock.readAt)
  const isNormal = name === USUAL_SCENARIO && active.length + changed.length === 0 && latency === 0 && !isClockMoved && !surprise
  return (
    <ul class="conditions" data-focus-list aria-label="What is not normal">
      <li class="bar-text">
        Scenario <a href={link('scenarios')}>{showHidden(name)}</a>
      </li>
      {active.map((fault) => (
        <Condition key={fault.id} href={link('faults')} label={`Remove fault ${fault.id}`} onRemove={() => removeFaults([fault])}>
          {shortFault(fault)}
        </Condition>
      ))}
      {latency !== 0 && (
        <Condition href={link('faults')} label="Remove the latency" onRemove={() => attempt(() => control().latency.set(null))}>
          +{describeDelay(latency)}
        </Condition>
      )}
      {isClockMoved && (
        <Condition href={link('faults')} label="Set the clock to real time" onRemove={setRealTime}>
          {date(mockNow(clock))}
          {clock.frozen && ', frozen'}
        </Condition>
      )}
      {changed.map(({ id, choice, default: usual }) => (
        <Condition key={id} href={link('assumptions', id)} label={`Reset ${id}`} onRemove={() => assume(id, usual)}>
          {id}: {choice}
        </Condition>
      ))}
      {surprise && (
        <li class="bar-text">
          Surprises of seed <b>{surprise.seed}</b>
        </li>
      )}
      {isNormal && <li class="bar-text">Everything is normal: no faults, no delay, real time.</li>}
    </ul>
  )
}

interface ConditionProps {
  readonly href: string
  readonly label: string
  readonly children: ComponentChildren
  onRemove(): unknown
}

function Condition({ href, label, children, onRemove }: ConditionProps) {
  return (
    <li class="condition">
      <a href={href}>{children}</a>
      <button type="button" aria-label={label} title={label} onClick={onRemove}>
        ✕
      </button>
    </li>
  )
}

/** As in `createPet → 503, 1 left`. */
function shortFault({ operation, petId, status, body, drop, delay, rate, times, applied }: LiveFault): string {
  const effects = [drop && 'drop', status, body, delay !== undefined && `+${describeDelay(delay)}`].filter(Boolean)
  const share = rate === undefined ? '' : ` (${describeRate(rate)})`
  const left = times === undefined ? '' : `, ${times - applied} left`
  const animal = petId === undefined ? '' : ` ${petId}`
  return `${operation === '*' ? 'all' : operation}${animal} → ${effects.join(' ')}${share}${left}`
}

function Message() {
  const current = notice.value
  if (connection.value === 'waiting')
    return (
      <>
        <span class="problem">The mock is not responding.</span>
        <Button onClick={retry}>Retry now</Button>
      </>
    )
  if (!current) return <span class="muted">Times are UTC</span>
  return (
    <>
      <bdi class={current.kind}>{showHidden(current.text)}</bdi>
      {/* Neither takes the focus from where it is. */}
      <span class="buttons" role="none" onMouseDown={(event) => event.preventDefault()}>
        {current.undo && (
          <Button title="Ctrl+Z" onClick={undo}>
            Undo
          </Button>
        )}
        <Button class="quiet" aria-label="Dismiss" onClick={dismiss}>
          ✕
        </Button>
      </span>
    </>
  )
}
