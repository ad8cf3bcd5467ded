// Deliberate misbehaviour and the clock: the faults of the state, presets, latency, a form for a new fault, time travel.
import { useEffect, useRef, useState } from 'preact/hooks'
import { parseInt64 } from '../../contract/int64-json.ts'
import { FAULT_BODIES } from '../../fault-body.ts'
import { contract, type OperationId } from '../../generated/contract.ts'
import { describeDelay, describeEffect, isUsedUp } from '../../settings/describe-fault.ts'
import type { Delay, Fault, LiveFault } from '../../world/faults.ts'
import { change, type OnProblem, removeFault, removeFaults, setRealTime } from '../actions.ts'
import { breakAgain } from '../break.ts'
import { control } from '../connection.ts'
import { mockNow, use } from '../mock.ts'
import { count, date, dateTime } from '../text.ts'
import { Act, Button, Field, Form, readForm, Select, type Texts } from '../ui/controls.tsx'

const DAY_MS = 86_400_000
/** What a field takes; the browser refuses anything else. */
const COUNT = { type: 'number', min: 0 }
const PERCENT = { ...COUNT, max: 100, step: 'any' }
const DELAY = { pattern: '\\d+(-\\d+)?', title: 'Milliseconds, as in 200 or 200-800' }
const EFFECTS = [
  ['respond', 'Other response'],
  ['delay', 'Only delay'],
  ['drop', 'Disconnect'],
] as const
const BODIES = [['', 'as usual'] as const, ...Object.entries(FAULT_BODIES)]
const OPERATIONS = [['*', 'All operations'] as const, ...Object.keys(contract.operations)]
const NEW_FAULT: Fault = { operation: '*', status: 503 }

export function Faults() {
  const faults = use('faults')
  const [edited, setEdited] = useState(NEW_FAULT)
  if (!faults) return <p class="empty">Loading…</p>
  const finish = () => {
    const opener = document.getElementById(`edit-${edited.id}`)
    opener?.focus()
    // Another object is another form, which takes the focus.
    setEdited(opener ? NEW_FAULT : { ...NEW_FAULT })
  }
  const cancel = ({ key }: KeyboardEvent) => {
    if (key === 'Escape' && edited.id !== undefined) finish()
  }
  return (
    <div class="view">
      <div class="scroller padded">
        <h1 tabIndex={-1}>Faults and clock</h1>
        <div class="two">
          <FaultList faults={faults} onEdit={setEdited} />
          <div class="stack" role="none" data-focus-list onKeyDown={cancel}>
            <FaultForm key={edited} fault={edited} onDone={finish} />
            <ClockCard />
          </div>
        </div>
      </div>
    </div>
  )
}

function FaultList({ faults, onEdit }: { faults: readonly LiveFault[]; onEdit: (fault: LiveFault) => void }) {
  return (
    <section class="card" aria-label="Faults">
      <div class="card-head">
        <h2>Faults</h2>
        <Act isOff={faults.length === 0} onClick={removeFaults}>
          Remove all
        </Act>
      </div>
      <ul class="lines" data-focus-list>
        <Latency />
        {faults.map((fault) => (
          <li key={fault.id}>
            <div class="grow">
              <b>{fault.operation === '*' ? 'Every operation' : fault.operation}</b> {describeEffect(fault)}
              <div class="muted">
                Fault {fault.id}, applied to {fault.applied} of {count(fault.seen, 'call')}
              </div>
            </div>
            <Button id={`edit-${fault.id}`} aria-label={`Edit fault ${fault.id}`} onClick={() => onEdit(fault)}>
              Edit
            </Button>
            {isUsedUp(fault) && (
              <Act aria-label={`Use fault ${fault.id} again`} onClick={() => breakAgain(fault)}>
                Again
              </Act>
            )}
            <Act aria-label={`Remove fault ${fault.id}`} onClick={() => removeFault(fault)}>
              Remove
            </Act>
          </li>
        ))}
      </ul>
      {faults.length === 0 && <p class="muted">No faults: every request gets its normal response.</p>}
    </section>
  )
}

/** A row like a fault: it delays every response of the service. */
function Latency() {
  const latency = use('state')?.latency
  const text = formatDelay(latency)
  const set = (event: SubmitEvent) => {
    const { latency: text = '' } = readForm(event)
    void change(() => control().latency.set(parseDelay(text)))
  }
  return (
    <li>
      <form class="inline" onSubmit={set}>
        <span class="grow">
          <b>Latency</b> <span class="muted">{latency ? `every response takes ${describeDelay(latency)}` : 'none'}</span>
        </span>
        <input key={text} name="latency" class="short" aria-label="Latency in ms" placeholder="200-800" {...DELAY} defaultValue={text} />
        <Act type="submit">Set</Act>
      </form>
    </li>
  )
}

/** Milliseconds, or the shortest and the longest time as in `200-800`; null for none. */
function parseDelay(text: string): Delay | null {
  const [min, max] = text.split('-').map(Number)
  if (text.trim() === '' || min === undefined) return null
  return max === undefined ? min : [min, max]
}

function formatDelay(delay: Delay | undefined): string {
  return typeof delay === 'object' ? delay.join('-') : String(delay ?? '')
}

/** Adds a fault, or replaces the one that has an id. */
function FaultForm({ fault, onDone }: { fault: Fault; onDone: () => void }) {
  const { id, rate, drop, body = '' } = fault
  const [operation, setOperation] = useState<string>(fault.operation)
  const [effect, setEffect] = useState<string>(drop ? 'drop' : fault.status === undefined && body === '' ? 'delay' : 'respond')
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (fault !== NEW_FAULT) form.current?.querySelector('select')?.focus()
  }, [])
  const save = async (texts: Texts, onProblem: OnProblem) => {
    if (await change(() => control().faults.add({ ...parseFault(texts), id } as Fault), { onProblem })) onDone()
  }
  const field = (name: string, label: string, placeholder: string, value: unknown, rules: object = COUNT) => (
    <Field label={label} name={name} placeholder={placeholder} defaultValue={String(value ?? '')} {...rules} />
  )
  const isDelay = effect === 'delay'
  const title = id === undefined ? 'Add a fault' : `Edit fault ${id}`
  const canNameAnimal = operation === '*' || contract.operations[operation as OperationId].path.includes('{petId}')
  return (
    <Form
      class="card"
      label={title}
      verb={id === undefined ? 'Add fault' : 'Save'}
      more={id !== undefined && <Button onClick={onDone}>Cancel</Button>}
      onSend={save}
    >
      <h2>{title}</h2>
      <div class="grid" ref={form}>
        <Select label="Operation" name="operation" value={operation} options={OPERATIONS} onChange={setOperation} />
        <Select label="What happens" name="effect" value={effect} options={EFFECTS} onChange={setEffect} />
        {effect === 'respond' && field('status', 'Status', 'as usual', fault.status)}
        {effect === 'respond' && <Select label="Body" name="body" value={body} options={BODIES} />}
        {effect === 'respond' && field('retryAfter', 'Retry-After (s)', 'none', fault.retryAfter)}
        {field('delay', 'Delay (ms)', isDelay ? '200-800' : 'none', formatDelay(fault.delay), { ...DELAY, required: isDelay })}
        {canNameAnimal && field('petId', 'Animal id', 'any', fault.petId, {})}
        {field('times', 'Times to apply', 'no limit', fault.times, { ...COUNT, min: 1 })}
        {field('after', 'Calls to skip first', '0', fault.after)}
        {field('percent', 'Probability (%)', '100', rate && round(rate * 100), PERCENT)}
      </div>
    </Form>
  )
}

/** The fault that a form describes; fields that it does not show are left out. The mock checks the fault and names its problems. */
function parseFault({ operation, effect, petId = '', status, body, retryAfter, delay = '', percent, times, after }: Texts): Fault {
  const number = (text: string | undefined) => (text ? Number(text) : undefined)
  const share = number(percent)
  const fault = {
    operation,
    petId: petId === '' ? undefined : (parseInt64(petId) ?? petId),
    status: number(status),
    retryAfter: number(retryAfter),
    body: body || undefined,
    delay: parseDelay(delay) ?? undefined,
    drop: effect === 'drop' || undefined,
    rate: share === undefined ? undefined : round(share / 100),
    times: number(times),
    after: number(after),
  }
  return fault as Fault
}

/** Without the noise of binary fractions. */
function round(value: number): number {
  return Number(value.toPrecision(12))
}

function ClockCard() {
  const clock = use('clock')
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((turn) => turn + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  if (!clock) return null
  const now = mockNow(clock)
  const { clock: remote } = control()
  const set = (event: SubmitEvent) => {
    const { now: value } = readForm(event)
    void change(() => remote.set(`${value}Z`))
  }
  return (
    <section class="card" aria-label="Clock">
      <h2>Clock</h2>
      <p class="time">
        <time dateTime={new Date(now).toISOString()}>{dateTime(now)}</time>
        {clock.frozen && ', frozen'}
      </p>
      <form class="inline" onSubmit={set}>
        <label class="field grow">
          <span>Set to (UTC)</span>
          <input name="now" type="datetime-local" step={1} required max="9999-12-31T23:59:59" defaultValue={clock.now.slice(0, 19)} />
        </label>
        <Act type="submit">Set</Act>
      </form>
      <div class="buttons">
        <Act onClick={() => change(() => remote.freeze(!clock.frozen))}>{clock.frozen ? 'Unfreeze' : 'Freeze'}</Act>
        <Act onClick={setRealTime}>Real time</Act>
      </div>
      {Object.values(contract.operations).map(({ operationId, sunset }) => {
        if (sunset === null) return null
        const end = Date.parse(sunset) + DAY_MS
        return (
          <p key={operationId}>
            <code>{operationId}</code> {now < end ? 'is' : 'was'} removed on {date(Date.parse(sunset))}.{' '}
            {now < end && <Act onClick={() => change(() => remote.set(new Date(end).toISOString()))}>Jump past it</Act>}
          </p>
        )
      })}
    </section>
  )
}
