// Deliberate misbehaviour and the clock: the faults of the state, a form for a new one, latency, time travel.
import { useEffect, useState } from 'preact/hooks'
import { parseJson, toJson } from '../../contract/int64-json.ts'
import { contract } from '../../generated/contract.ts'
import { describeFault, isUsedUp } from '../../render/describe-fault.ts'
import type { Fault, LiveFault } from '../../world/faults.ts'
import { change, type OnProblem } from '../actions.ts'
import { breakAgain, KINDS } from '../break.ts'
import { mockNow, use } from '../mock.ts'
import { count, dateTime } from '../text.ts'
import { Act, Button, Field, Form, Loading, type Texts } from '../ui/controls.tsx'
import { Json } from '../ui/json.tsx'
import { Page } from '../ui/pane.tsx'

const DAY_MS = 86_400_000
/** What a new fault begins with. */
const TEMPLATES: Readonly<Record<string, object>> = {
  ...Object.fromEntries(KINDS.map(({ label, fault }) => [label, { ...fault, times: 1 }])),
  'A whole response': { response: { status: 200, headers: { 'X-Name': 'value' }, body: { items: [] } } },
}
const FIELDS = 'operation, petId · status, body, retryAfter, response, drop, delay · times, after, rate'

export function Faults() {
  const faults = use('faults')
  const [edited, setEdited] = useState<LiveFault>()
  if (!faults) return <Loading />
  const finish = () => {
    document.getElementById(`edit-${edited?.id}`)?.focus()
    setEdited(undefined)
  }
  return (
    <Page title="Faults and clock">
      <div class="two">
        <FaultList faults={faults} onEdit={setEdited} />
        <div class="stack">
          <FaultForm key={edited?.id} fault={edited} onDone={finish} />
          <LatencyCard />
          <ClockCard />
        </div>
      </div>
    </Page>
  )
}

function FaultList({ faults, onEdit }: { faults: readonly LiveFault[]; onEdit: (fault: LiveFault) => void }) {
  return (
    <section class="card" aria-label="Faults">
      <div class="card-head">
        <h2>Faults</h2>
        <Act isOff={faults.length === 0} onClick={() => change((mock) => mock.faults.clear())}>
          Remove all
        </Act>
      </div>
      <ul class="lines" data-focus-list>
        {faults.map((fault) => (
          <li key={fault.id}>
            <div class="grow">
              <b>{describeFault(fault)}</b>
              {fault.response && <Json text={toJson(fault.response)} label={`Response of fault ${fault.id}`} />}
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
            <Act aria-label={`Remove fault ${fault.id}`} onClick={() => change((mock) => mock.faults.remove(fault.id))}>
              Remove
            </Act>
          </li>
        ))}
      </ul>
      {faults.length === 0 && <p class="muted">No faults: every request gets its normal response.</p>}
    </section>
  )
}

/** Adds a fault, or replaces one. A template gives the JSON, and the mock names what is wrong with it. */
function FaultForm({ fault, onDone }: { fault: LiveFault | undefined; onDone: () => void }) {
  const [template, setTemplate] = useState(KINDS[0]?.label ?? '')
  const { seen: _, applied: __, ...given } = fault ?? { seen: 0, applied: 0, operation: '*', ...TEMPLATES[template] }
  const title = fault ? `Edit fault ${fault.id}` : 'Add a fault'
  const save = async ({ fault: text = '' }: Texts, onProblem: OnProblem) => {
    if (await change(async ({ faults }) => faults.add(parseJson(text) as unknown as Fault), onProblem)) onDone()
  }
  useEffect(() => {
    if (fault) document.querySelector('textarea')?.focus()
  }, [])
  return (
    <Form
      class="card"
      label={title}
      verb={fault ? 'Save' : 'Add fault'}
      more={fault && <Button onClick={onDone}>Cancel</Button>}
      onSend={save}
    >
      <h2>{title}</h2>
      {!fault && (
        <Field
          label="What happens"
          defaultValue={template}
          options={Object.keys(TEMPLATES).map((name) => [name, name])}
          onChange={({ currentTarget }) => setTemplate((currentTarget as HTMLSelectElement).value)}
        />
      )}
      <Field key={template} label="Fault as JSON" name="fault" class="mono" isLong defaultValue={toJson(given, 2)} />
      <p class="muted">{FIELDS}</p>
    </Form>
  )
}

function LatencyCard() {
  const latency = [use('state')?.latency ?? []].flat().join('-')
  const set = ({ latency: text = '' }: Texts, onProblem: OnProblem) => change((mock) => mock.latency.set(text.trim() || null), onProblem)
  return (
    <Form key={latency} class="card" label="Latency" verb="Set latency" isMain={false} onSend={set}>
      <Field label="Every response takes, in ms" name="latency" placeholder="no time; 200, or 200-800" defaultValue={latency} />
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
  return (
    <Form
      class="card"
      label="Clock"
      verb="Set clock"
      isMain={false}
      more={
        <>
          <Act onClick={() => change((mock) => mock.clock.freeze(!clock.frozen))}>{clock.frozen ? 'Unfreeze' : 'Freeze'}</Act>
          <Act onClick={() => change((mock) => mock.clock.set(null))}>Real time</Act>
        </>
      }
      onSend={({ now: time }, onProblem) => change((mock) => mock.clock.set(`${time}Z`), onProblem)}
    >
      <h2>Clock</h2>
      <p class="time">
        <time dateTime={new Date(now).toISOString()}>{`${dateTime(now)}:${new Date(now).toISOString().slice(17, 19)} UTC`}</time>
        {clock.frozen && ', frozen'}
      </p>
      <Field label="Set to (UTC)" name="now" type="datetime-local" step={1} required defaultValue={clock.now.slice(0, 19)} />
      {Object.values(contract.operations).map(({ operationId, sunset }) => {
        if (sunset === null) return null
        const end = Date.parse(sunset) + DAY_MS
        return (
          <p key={operationId}>
            <code>{operationId}</code> {now < end ? 'is' : 'was'} removed after {dateTime(sunset)}.{' '}
            {now < end && <Act onClick={() => change((mock) => mock.clock.set(new Date(end).toISOString()))}>Jump past it</Act>}
          </p>
        )
      })}
    </Form>
  )
}
