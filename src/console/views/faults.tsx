// Faults and the clock: what "Break something" offers, the list of faults, a form for another one,
// latency, time.
import { useEffect, useState } from 'preact/hooks'
import { contract, type OperationId } from '../../contract/generated/contract.ts'
import { toJson, tryJson } from '../../contract/int64-json.ts'
import type { ControlClient } from '../../control/client/client.ts'
import { printLiveFault } from '../../world/describe-fault.ts'
import { FAULT_BODIES, isUsedUp } from '../../world/fault-outcome.ts'
import type { Fault, LiveFault } from '../../world/faults.ts'
import { change, type OnProblem, takeTurn } from '../model/actions.ts'
import { draftOf } from '../model/drafts.ts'
import { mockNow, read } from '../model/mock.ts'
import { currentSandbox, link } from '../model/route.ts'
import { signal } from '../model/signal.ts'
import { count, dateTime, type Texts } from '../model/text.ts'
import {
  Act,
  Button,
  Field,
  type FieldProps,
  Form,
  Loading,
  Menu,
  useSeconds,
} from '../ui/controls.tsx'
import { Page } from '../ui/pane.tsx'

type Kind = { readonly id: string; readonly label: string; readonly fault: Partial<Fault> }

const KINDS: readonly Kind[] = [
  { id: 'fail', label: 'Fail with 503', fault: { status: 503 } },
  { id: 'limit', label: 'Fail with 429, retry after 5 s', fault: { status: 429, retryAfter: 5 } },
  { id: 'slow', label: 'Wait 2 s', fault: { delay: 2_000 } },
  { id: 'drop', label: 'Drop the connection', fault: { drop: true } },
  { id: 'html', label: 'HTML page of a gateway', fault: { status: 502, body: 'html' } },
  { id: 'truncated', label: 'Half a body', fault: { body: 'truncated' } },
]
const namePlace = (place: OperationId | '*') => (place === '*' ? 'all' : place)
const timesLeft = ({ times: all, applied }: LiveFault) =>
  all === undefined ? undefined : all - applied
export const PLACES = ['*', ...Object.keys(contract.operations)] as readonly (OperationId | '*')[]
const MOST = 9
const FIELDS: Readonly<Record<Exclude<keyof Fault, 'id' | 'seen' | 'applied'>, FieldProps>> = {
  operation: { label: 'Operation', options: PLACES.map((place) => [place, namePlace(place)]) },
  status: { label: 'Status', placeholder: '503' },
  delay: { label: 'Delay (ms)', placeholder: '200-800' },
  body: { label: 'Body', options: [['', 'as usual'], ...Object.entries(FAULT_BODIES)] },
  drop: { label: 'Connection', options: Object.entries({ '': 'stays', true: 'is dropped' }) },
  retryAfter: { label: 'Retry-After (s)' },
  times: { label: 'Times', placeholder: 'always' },
  after: { label: 'Calls to skip', placeholder: '0' },
  rate: { label: 'Probability', placeholder: '1' },
  petId: { label: 'Animal', placeholder: 'any' },
  response: {
    label: 'Or a whole response',
    class: 'mono',
    isLong: true,
    placeholder: '{ "status": 200, "body": [] }',
  },
}

/**
 * How often the next click breaks something; undefined for always. A client that tries again has to
 * survive two.
 */
const times = signal<number | undefined>(2)

const clearFaults = () => change((mock) => mock.faults.clear())

export function BreakMenu() {
  const faults = read('faults') ?? []
  const heads = ['', ...PLACES.map(namePlace)].map((name) => <small key={name} children={name} />)
  const step = (by: 1 | -1) => {
    const next = (times.value ?? MOST + 1) + by
    times.value = next > MOST ? undefined : Math.max(1, next)
  }
  return (
    <Menu class="pill dashed" name="+ Break" more=" something">
      <div class="break-head">
        <b>How often</b>
        <Button
          aria-label="Less often"
          isOff={times.value === 1}
          text="−"
          onClick={() => step(-1)}
        />
        <output aria-label="How often">
          {times.value === undefined ? 'always' : count(times.value, 'time')}
        </output>
        <Button
          aria-label="More often"
          isOff={times.value === undefined}
          text="+"
          onClick={() => step(1)}
        />
        <span class="grow" />
        <Act
          class="button quiet"
          isOff={faults.every(isUsedUp)}
          text="All off"
          onClick={clearFaults}
        />
        <a class="button quiet" href={link('faults')} children="More…" />
      </div>
      <div
        class="break"
        role="toolbar"
        aria-label="What to break"
        style={`--places: ${PLACES.length}`}
      >
        {heads}
        {KINDS.map((kind, line) => [
          <span key={kind.id}>{kind.label}</span>,
          ...PLACES.map((place, column) => {
            const broken = findBroken(kind, place, faults)
            const text = broken ? `×${timesLeft(broken) ?? '∞'}` : '·'
            const label = `${kind.label}: ${namePlace(place)}`
            const stop = {
              tabIndex: line + column === 0 ? 0 : -1,
              onClick: () => toggle(kind, place),
            }
            return (
              <Act
                key={label}
                class="cell"
                aria-pressed={!!broken}
                aria-label={label}
                text={text}
                {...stop}
              />
            )
          }),
        ])}
      </div>
    </Menu>
  )
}

/**
 * A fault that does just that there and still has an effect, whatever its `retryAfter` and its id.
 */
function findBroken(
  { fault }: Kind,
  place: OperationId | '*',
  faults: readonly LiveFault[],
): LiveFault | undefined {
  const { times, retryAfter, ...compared } = FIELDS
  const names = Object.keys(compared) as (keyof Fault)[]
  const wanted: Partial<Fault> = { operation: place, ...fault }
  const isIt = (one: LiveFault) => names.every((name) => (one[name] || undefined) === wanted[name])
  return faults.find((one) => !isUsedUp(one) && isIt(one))
}

function toggle(kind: Kind, place: OperationId | '*'): void {
  const [wanted, sandbox] = [times.value, currentSandbox()]
  const add = async ({ faults }: ControlClient) => {
    const broken = findBroken(kind, place, await faults.list())
    if (broken && timesLeft(broken) === wanted) return faults.remove(broken.id)
    const added = {
      id: `${namePlace(place)}-${kind.id}`,
      operation: place,
      ...kind.fault,
    } as LiveFault
    const { seen, applied, ...fault } = broken ?? added
    return faults.add({ ...fault, times: wanted } as Fault)
  }
  takeTurn(() => change(add, undefined, sandbox))
}

export function Faults() {
  const faults = read('faults')
  const [edited, setEdited] = useState<LiveFault>()
  if (!faults) return <Loading />
  const finish = () => {
    document.getElementById(`edit-${edited?.id}`)?.focus()
    document.querySelector<HTMLFormElement>('form:has(.fields)')?.reset()
    setEdited(undefined)
  }
  return (
    <Page title="Faults and clock">
      <div class="two">
        <div class="stack">
          <section class="card" aria-label="Faults">
            <div class="card-head">
              <h2>Faults</h2>
              <Act isOff={faults.length === 0} text="Remove all" onClick={clearFaults} />
            </div>
            <ul
              class="lines"
              data-focus-list
              children={faults.map((fault) => renderFault(fault, setEdited))}
            />
            {faults.length === 0 && <p class="muted">No faults.</p>}
          </section>
          <FaultForm key={edited?.id} fault={edited} onDone={finish} />
        </div>
        <div class="stack" children={[<LatencyCard key="latency" />, <ClockCard key="clock" />]} />
      </div>
    </Page>
  )
}

function renderFault(fault: LiveFault, edit: (fault: LiveFault) => void) {
  const { id } = fault
  return (
    <li key={id} class={isUsedUp(fault) ? 'muted' : ''}>
      <b class="grow">{printLiveFault(fault)}</b>
      <div class="buttons">
        <Button
          id={`edit-${id}`}
          aria-label={`Edit fault ${id}`}
          text="Edit"
          onClick={() => edit(fault)}
        />
        <Act
          aria-label={`Remove fault ${id}`}
          text="Remove"
          onClick={() => change((mock) => mock.faults.remove(id))}
        />
      </div>
    </li>
  )
}

function FaultForm({ fault, onDone }: { fault: LiveFault | undefined; onDone: () => void }) {
  const printPart = (part: unknown) => (typeof part === 'object' ? toJson(part) : part)
  const shown: Partial<Fault> = fault ?? { operation: '*' }
  const textOf = (name: keyof Fault) => [shown[name] ?? ''].flat().map(printPart).join('-')
  const title = fault ? `Edit fault ${fault.id}` : 'Add a fault'
  const saved = Object.fromEntries(
    Object.keys(FIELDS).map((name) => [name, textOf(name as keyof Fault)]),
  )
  const form = {
    draft: fault ? '' : title,
    saved,
    more: fault && <Button text="Cancel" onClick={onDone} />,
  }
  const save = async (texts: Texts, onProblem: OnProblem) => {
    // The mock says what is wrong with a text that is not a number.
    const given = Object.entries(texts).flatMap(([name, text]) =>
      text === '' ? [] : [[name, tryJson(text) ?? text]],
    )
    const added = { ...(fault && { id: fault.id }), ...Object.fromEntries(given) }
    const made = await change(({ faults }) => faults.add(added), onProblem)
    if (made) onDone()
    return made
  }
  useEffect(
    () => void (fault && document.querySelector<HTMLElement>('.fields select')?.focus()),
    [],
  )
  return (
    <Form label={title} verb={fault ? 'Save' : 'Add fault'} {...form} onSend={save}>
      <h2>{title}</h2>
      <div class="fields">
        {Object.entries(FIELDS).map(([name, field]) => (
          <Field key={name} name={name} {...field} defaultValue={saved[name]} />
        ))}
      </div>
    </Form>
  )
}

function LatencyCard() {
  const latency = [read('state')?.latency ?? []].flat().join('-')
  const set = ({ latency: text = '' }: Texts, onProblem: OnProblem) =>
    change((mock) => mock.latency.set(text.trim() || null), onProblem)
  const value = draftOf('latency').latency ?? latency
  return (
    <Form
      label="Latency"
      verb="Set latency"
      isMain={false}
      draft="latency"
      saved={{ latency }}
      onSend={set}
    >
      <h2>Latency</h2>
      <Field
        label="Delay every response by (ms)"
        name="latency"
        placeholder="200-800"
        value={value}
      />
    </Form>
  )
}

function ClockCard() {
  const clock = read('clock')
  useSeconds()
  if (!clock) return null
  const now = mockNow(clock)
  const iso = new Date(now).toISOString()
  const set = ({ now: time }: Texts, onProblem: OnProblem) =>
    change((mock) => mock.clock.set(`${time}Z`), onProblem)
  const freeze = () => change((mock) => mock.clock.freeze(!clock.frozen))
  const more = [
    <Act key="freeze" text={clock.frozen ? 'Unfreeze' : 'Freeze'} onClick={freeze} />,
    <Act key="real" text="Real time" onClick={() => change((mock) => mock.clock.set(null))} />,
  ]
  const value = draftOf('now').now ?? iso.slice(0, 19)
  return (
    <Form label="Clock" verb="Set clock" isMain={false} draft="now" more={more} onSend={set}>
      <h2>Clock</h2>
      <p class="time">
        <time>{`${dateTime(now)}:${iso.slice(17, 19)} UTC`}</time>
        {clock.frozen && ', frozen'}
      </p>
      <Field
        label="Set to (UTC)"
        name="now"
        type="datetime-local"
        step={1}
        required
        value={value}
      />
    </Form>
  )
}
