// Faults and the clock: the list of faults, a form for another one, latency, time.
import { useEffect, useState } from 'preact/hooks'
import { contract, type OperationContract } from '../../contract/generated/contract.ts'
import { toJson, tryJson } from '../../contract/int64-json.ts'
import { DAY_MS } from '../../world/clock.ts'
import { printLiveFault } from '../../world/describe-fault.ts'
import { FAULT_BODIES, isUsedUp } from '../../world/fault-outcome.ts'
import type { Fault, FaultCounts, LiveFault } from '../../world/faults.ts'
import { change, type OnProblem } from '../model/actions.ts'
import type { Ask } from '../model/connection.ts'
import { mockNow, read } from '../model/mock.ts'
import { formatDate, type Texts } from '../model/text.ts'
import { Button, MockButton } from '../ui/button.tsx'
import { Loading, useSeconds } from '../ui/chip.tsx'
import { Field, type FieldProps, Form } from '../ui/form.tsx'
import { Page } from '../ui/pane.tsx'
import { clearFaults, namePlace, PLACES } from './break-menu.tsx'

type FaultField = Exclude<keyof Fault, 'id' | keyof FaultCounts>

const FIELDS: Readonly<Record<FaultField, FieldProps>> = {
  operation: { label: 'Operation', options: PLACES.map((place) => [place, namePlace(place)]) },
  status: { label: 'Status', placeholder: '503' },
  delay: { label: 'Delay (ms)', placeholder: '200-800' },
  body: { label: 'Body', options: [['', 'as usual'], ...Object.entries(FAULT_BODIES)] },
  drop: { label: 'Connection', options: Object.entries({ '': 'stays', true: 'is dropped' }) },
  lost: { label: 'Response', options: Object.entries({ '': 'is sent', true: 'is lost' }) },
  rst: { label: 'TCP', options: Object.entries({ '': 'as usual', true: 'is reset' }) },
  slow: { label: 'Speed', placeholder: '2kB/s' },
  hold: { label: 'Held', options: Object.entries({ '': 'no', true: 'until you release it' }) },
  retryAfter: { label: 'Retry-After (s)' },
  times: { label: 'Times', placeholder: 'always' },
  after: { label: 'Calls to skip', placeholder: '0' },
  rate: { label: 'Probability', placeholder: '1' },
  petId: { label: 'Animal', placeholder: 'any' },
  when: {
    label: 'Only requests with',
    class: 'mono',
    placeholder: '{ "query": { "status": "sold" } }',
  },
  response: {
    label: 'Or a whole response',
    class: 'mono',
    isLong: true,
    placeholder: '{ "status": 200, "body": [] }',
  },
}
const FIELD_NAMES = Object.keys(FIELDS) as readonly FaultField[]

export function Faults() {
  const faults = read('faults')
  const [edited, setEdited] = useState<LiveFault>()
  if (!faults) return <Loading />
  const finish = () => {
    document.getElementById(`edit-${edited?.id}`)?.focus()
    setEdited(undefined)
  }
  return (
    <Page title="Faults and clock">
      <div class="two">
        <div class="stack">
          <section class="card" aria-label="Faults">
            <div class="card-head">
              <h2>Faults</h2>
              <MockButton isOff={faults.length === 0} onClick={clearFaults}>
                Remove all
              </MockButton>
            </div>
            <ul class="lines" data-focus-list>
              {faults.map((fault) => renderFault(fault, () => setEdited(fault)))}
            </ul>
            {faults.length === 0 && <p class="muted">No faults.</p>}
          </section>
          <FaultForm key={edited?.id} fault={edited} onDone={finish} />
        </div>
        <div class="stack">
          <LatencyCard />
          <ClockCard />
        </div>
      </div>
    </Page>
  )
}

function renderFault(fault: LiveFault, onEdit: () => void) {
  const { id } = fault
  const tone = isUsedUp(fault) ? 'muted' : ''
  const remove = () => change((mock) => mock.faults.remove(id))
  return (
    <li key={id} class={tone}>
      <b class="grow">{printLiveFault(fault)}</b>
      <div class="buttons">
        <Button id={`edit-${id}`} aria-label={`Edit fault ${id}`} onClick={onEdit}>
          Edit
        </Button>
        <MockButton aria-label={`Remove fault ${id}`} onClick={remove}>
          Remove
        </MockButton>
      </div>
    </li>
  )
}

/** Edits the fault, or adds one. */
function FaultForm({ fault, onDone }: { fault: LiveFault | undefined; onDone(): void }) {
  const title = fault ? `Edit fault ${fault.id}` : 'Add a fault'
  const save = async (texts: Texts, onProblem: OnProblem) => {
    const given: Record<string, unknown> = fault ? { id: fault.id } : {}
    for (const [name, text] of Object.entries(texts)) {
      // The mock says what is wrong with a text that is not a number.
      if (text !== '') given[name] = tryJson(text) ?? text
    }
    const made = await change((mock) => mock.faults.add(given as unknown as Fault), { onProblem })
    if (made) onDone()
    return made
  }
  // What you edit is not a draft: it is there already.
  const draft = fault ? '' : title
  const saved = printFields(fault ?? { operation: '*' })
  const cancel = fault && <Button onClick={onDone}>Cancel</Button>
  useEffect(() => {
    if (fault) document.querySelector<HTMLElement>('.fields select')?.focus()
  }, [])
  return (
    <Form
      label={title}
      verb={fault ? 'Save' : 'Add fault'}
      draft={draft}
      saved={saved}
      more={cancel}
      onSend={save}
    >
      <h2>{title}</h2>
      <div class="fields">
        {FIELD_NAMES.map((name) => (
          <Field key={name} name={name} {...FIELDS[name]} />
        ))}
      </div>
    </Form>
  )
}

function printFields(fault: Partial<Fault>): Texts {
  const texts: Record<string, string> = {}
  for (const name of FIELD_NAMES) texts[name] = printField(fault[name])
  return texts
}

function printField(value: unknown): string {
  if (value === undefined) return ''
  // A delay from one to another.
  if (Array.isArray(value)) return value.join('-')
  return typeof value === 'object' ? toJson(value) : String(value)
}

function LatencyCard() {
  const latency = printField(read('state')?.latency)
  const set = (texts: Texts, onProblem: OnProblem) => {
    const text = (texts.latency ?? '').trim()
    return change((mock) => mock.latency.set(text === '' ? null : text), { onProblem })
  }
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
      <Field label="Delay every response by (ms)" name="latency" placeholder="200-800" />
    </Form>
  )
}

type Preset = { readonly label: string; readonly set: Ask<unknown> }

/** Moments that you often test: a day later, and the days around the removal of an operation. */
const PRESETS: readonly Preset[] = [
  { label: 'Now', set: (mock) => mock.clock.set(new Date().toISOString()) },
  { label: '+1 day', set: (mock) => mock.clock.advance(DAY_MS) },
  ...Object.values<OperationContract>(contract.operations).flatMap(listRemovalPresets),
]

function listRemovalPresets({ operationId, sunset }: OperationContract): Preset[] {
  if (sunset === null) return []
  const removal = Date.parse(sunset)
  const moveTo = (instant: number): Preset['set'] => {
    const iso = new Date(instant).toISOString()
    return (mock) => mock.clock.set(iso)
  }
  return [
    { label: `Day before ${operationId} goes`, set: moveTo(removal - DAY_MS) },
    { label: `Day after ${operationId} goes`, set: moveTo(removal + DAY_MS) },
  ]
}

function renderPreset({ label, set }: Preset) {
  const act = () => change(set)
  return (
    <MockButton key={label} onClick={act}>
      {label}
    </MockButton>
  )
}

function ClockCard() {
  const clock = read('clock')
  useSeconds()
  if (!clock) return null
  const now = mockNow(clock)
  const iso = new Date(now).toISOString()
  const seconds = iso.slice(17, 19)
  const saved = { now: iso.slice(0, 19) }
  const set = (texts: Texts, onProblem: OnProblem) =>
    change((mock) => mock.clock.set(`${texts.now}Z`), { onProblem })
  const freeze = () => change((mock) => mock.clock.freeze(!clock.frozen))
  const follow = () => change((mock) => mock.clock.set(null))
  const more = (
    <>
      <MockButton onClick={freeze}>{clock.frozen ? 'Unfreeze' : 'Freeze'}</MockButton>
      <MockButton onClick={follow}>Real time</MockButton>
    </>
  )
  return (
    <Form
      label="Clock"
      verb="Set clock"
      isMain={false}
      draft="now"
      saved={saved}
      more={more}
      onSend={set}
    >
      <h2>Clock</h2>
      <p class="time">
        <time>
          {formatDate(now)}:{seconds} UTC
        </time>
        {clock.frozen && ', frozen'}
      </p>
      <div class="buttons">{PRESETS.map(renderPreset)}</div>
      <Field label="Set to (UTC)" name="now" type="datetime-local" step={1} required />
    </Form>
  )
}
