// Deliberate misbehaviour and the clock: the faults of the state, presets, latency, a form for a new fault, time travel.
import { useEffect, useState } from 'preact/hooks'
import { describeDelay, describeFault, isUsedUp } from '../../client/describe-fault.ts'
import { parseInt64 } from '../../contract/int64-json.ts'
import { FAULT_BODIES } from '../../fault-body.ts'
import { contract, type OperationId } from '../../generated/contract.ts'
import type { Delay, Fault, LiveFault } from '../../world/faults.ts'
import { attempt, removeFaults, setRealTime } from '../actions.ts'
import { control } from '../connection.ts'
import { mockNow, use } from '../mock.ts'
import { count, date, dateTime } from '../text.ts'
import { Button, Field, type FieldType, Form, Select } from '../ui/controls.tsx'

const PRESETS: Readonly<Record<string, readonly Fault[]>> = {
  Outage: [{ operation: '*', status: 503, retryAfter: 30 }],
  Flaky: [
    { operation: '*', drop: true, rate: 0.05 },
    { operation: '*', status: 503, rate: 0.15, retryAfter: 1 },
    { operation: '*', delay: [100, 1000], rate: 0.2 },
  ],
}
const DAY_MS = 86_400_000
const KINDS = [
  ['status', 'Return an error'],
  ['delay', 'Delay the response'],
  ['drop', 'Drop the connection'],
] as const
const BODIES = [['', 'As usual'] as const, ...Object.entries(FAULT_BODIES)]

export function Faults() {
  const faults = use('faults')
  if (!faults) return <p class="empty">Loading…</p>
  return (
    <div class="view">
      <div class="scroller padded">
        <h1 tabIndex={-1}>Faults and clock</h1>
        <div class="two">
          <FaultList faults={faults} />
          <div class="stack">
            <NewFault />
            <ClockCard />
          </div>
        </div>
      </div>
    </div>
  )
}

function FaultList({ faults }: { faults: readonly LiveFault[] }) {
  const { faults: remote } = control()
  const add = (preset: readonly Fault[]) =>
    attempt(async () => {
      for (const fault of preset) await remote.add(fault)
    })
  const again = async ({ seen: _, applied: __, ...fault }: LiveFault) => {
    await attempt(() => remote.remove(fault.id))
    await add([fault])
  }
  return (
    <section class="card" aria-label="Faults">
      <div class="card-head">
        <h2>Faults</h2>
        <Button isOff={faults.length === 0} onClick={() => removeFaults(faults)}>
          Remove all
        </Button>
      </div>
      <ul class="lines" data-focus-list>
        <Latency />
        {faults.map((fault) => (
          <li key={fault.id}>
            <div class="grow">
              <b>{fault.operation === '*' ? 'Every operation' : fault.operation}</b> {describeFault(fault)}
              <div class="muted">
                applied to {fault.applied} of {count(fault.seen, 'call')}
              </div>
            </div>
            {isUsedUp(fault) && (
              <Button name={`Again: fault ${fault.id}`} onClick={() => again(fault)}>
                Again
              </Button>
            )}
            <Button name={`Remove fault ${fault.id}`} onClick={() => removeFaults([fault])}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {faults.length === 0 && <p class="muted">No faults: every request gets its normal response.</p>}
      <div class="buttons">
        <span class="muted">Add</span>
        {Object.entries(PRESETS).map(([name, preset]) => (
          <Button key={name} onClick={() => add(preset)}>
            {name}
          </Button>
        ))}
      </div>
    </section>
  )
}

/** A row like a fault: it delays every response of the service. */
function Latency() {
  const latency = use('state')?.latency
  const text = typeof latency === 'object' ? latency.join('-') : String(latency ?? '')
  const set = (event: SubmitEvent) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget as HTMLFormElement).get('latency')
    void attempt(() => control().latency.set(readDelay(String(given))))
  }
  return (
    <li>
      <form class="inline" onSubmit={set}>
        <span class="grow">
          <b>Latency</b> <span class="muted">{latency ? `every response takes ${describeDelay(latency)}` : 'none'}</span>
        </span>
        <input
          key={text}
          name="latency"
          class="short"
          aria-label="Latency in ms"
          placeholder="200-800"
          pattern="\d+(-\d+)?"
          defaultValue={text}
        />
        <Button isSubmit>Set</Button>
      </form>
    </li>
  )
}

/** Milliseconds, or the shortest and the longest time as in `200-800`; null for none. */
function readDelay(text: string): Delay | null {
  const [min, max] = text.split('-').map(Number)
  if (text.trim() === '' || min === undefined) return null
  return max === undefined ? min : [min, max]
}

/** The texts of the form; the mock checks the fault and names its problems. */
const EMPTY = {
  operation: '*',
  petId: '',
  kind: 'status',
  status: '503',
  body: '',
  retryAfter: '',
  delay: '1000',
  percent: '',
  times: '',
  after: '',
}

function faultOf({ operation, petId, kind, status, body, retryAfter, delay, percent, times, after }: typeof EMPTY): Fault {
  const number = (text: string) => (text === '' ? undefined : Number(text))
  const isStatus = kind === 'status'
  const fault = {
    operation,
    petId: petId === '' ? undefined : (parseInt64(petId) ?? petId),
    status: isStatus ? Number(status) : undefined,
    retryAfter: isStatus ? number(retryAfter) : undefined,
    body: (isStatus && body) || undefined,
    delay: kind === 'delay' ? (readDelay(delay) ?? 0) : undefined,
    drop: kind === 'drop' || undefined,
    rate: percent === '' ? undefined : Number((Number(percent) / 100).toPrecision(12)),
    times: number(times),
    after: number(after),
  }
  return fault as Fault
}

function NewFault() {
  const [draft, setDraft] = useState(EMPTY)
  const set = (part: Partial<typeof EMPTY>) => setDraft({ ...draft, ...part })
  const field = (name: keyof typeof EMPTY, label: string, placeholder: string, type: FieldType = 'count') => (
    <Field label={label} type={type} placeholder={placeholder} value={draft[name]} onInput={(value) => set({ [name]: value })} />
  )
  const add = async (onProblem: (text: string) => void) => {
    if (await attempt(() => control().faults.add(faultOf(draft)), onProblem)) setDraft(EMPTY)
  }
  const canNameAnimal = draft.operation === '*' || contract.operations[draft.operation as OperationId].path.includes('{petId}')
  const operations = [['*', 'All operations'] as const, ...Object.keys(contract.operations)]
  return (
    <Form class="card" label="Add a fault" verb="Add fault" onSend={add}>
      <h2>Add a fault</h2>
      <div class="grid">
        <Select label="Operation" value={draft.operation} options={operations} onChange={(operation) => set({ operation, petId: '' })} />
        <Select label="What happens" value={draft.kind} options={KINDS} onChange={(kind) => set({ kind })} />
        {draft.kind === 'status' && field('status', 'Status', '503', 'status')}
        {draft.kind === 'status' && <Select label="Body" value={draft.body} options={BODIES} onChange={(body) => set({ body })} />}
        {draft.kind === 'status' && field('retryAfter', 'Retry-After (s)', 'none')}
        {draft.kind === 'delay' && field('delay', 'Delay (ms)', '200-800', 'delay')}
        {canNameAnimal && field('petId', 'Only animal', 'any id', 'text')}
        {field('times', 'At most … times', 'no limit')}
        {field('after', 'Calls to skip first', '0')}
        {field('percent', 'Probability (%)', '100', 'percent')}
      </div>
    </Form>
  )
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
    event.preventDefault()
    const value = new FormData(event.currentTarget as HTMLFormElement).get('now')
    void attempt(() => remote.set(`${value}Z`))
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
        <Button isSubmit>Set</Button>
      </form>
      <div class="buttons">
        <Button onClick={() => attempt(() => remote.freeze(!clock.frozen))}>{clock.frozen ? 'Let it run' : 'Freeze'}</Button>
        <Button onClick={setRealTime}>Real time</Button>
      </div>
      {Object.values(contract.operations).map(({ operationId, sunset }) => {
        if (sunset === null) return null
        const end = Date.parse(sunset) + DAY_MS
        return (
          <p key={operationId}>
            <code>{operationId}</code> {now < end ? 'goes' : 'went'} away after {date(Date.parse(sunset))}.{' '}
            {now < end && <Button onClick={() => attempt(() => remote.set(new Date(end).toISOString()))}>Jump past it</Button>}
          </p>
        )
      })}
    </section>
  )
}
