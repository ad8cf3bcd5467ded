// The control methods for a state as a whole and for its settings.
import { freezeCopy, isPromise } from '../contract/describe-value.ts'
import { type AssumptionChoices, assumptions } from '../generated/contract.ts'
import { version } from '../generated/version.ts'
import { openScenario } from '../scenario/open.ts'
import { parseDelay, parsePeriod } from '../settings/duration.ts'
import { timeFault } from '../settings/rows.ts'
import { countByStatus } from '../world/catalogue.ts'
import { advanceClock, type Course, freezeClock, readClock, setClock } from '../world/clock.ts'
import { addFault, type Delay, type Duration, type Fault, showFault } from '../world/faults.ts'
import type { ReadScenario } from '../world/scenario.ts'
import { begin, createOrigin, describeState, type Origin, printScenario, toScenario, withoutKeys } from '../world/state.ts'
import type { AssumptionState, ClockOptions, ClockState, DiffOptions, StateOptions, StateSummary } from './control.ts'
import { diffStates } from './diff.ts'
import { type Changed, type Found, type Later, stateAt, type View } from './timeline.ts'

function summarize({ state: { loaded, catalogue, latency }, worlds, sandboxes }: View): StateSummary {
  return {
    version,
    scenario: loaded.name,
    pets: catalogue.all.size,
    byStatus: countByStatus(catalogue),
    ...(latency !== undefined && { latency }),
    ...(worlds.hasSandboxes && { sandboxes: sandboxes.keys().length }),
    ...(worlds.recording && { recording: worlds.recording }),
  }
}

function start({ times }: View, origin: Origin, verb = 'loaded'): Changed {
  return { state: begin(origin, times), text: `${verb} ${origin.loaded.name}`, isWhole: true }
}

/** If the scenario has no surprises, the present ones stay. */
function load(view: View, { scenario }: { scenario: unknown }): Changed | Later {
  const create = ({ surprise = view.state.loaded.surprise, ...found }: ReadScenario) =>
    createOrigin({ ...found, ...(surprise && { surprise }) })
  const found = openScenario(scenario)
  if (!isPromise(found)) return start(view, create(found))
  return found.then(create).then((origin) => (here) => start(here, origin))
}

/** As a value or as its JSON: each takes long if there are many animals. */
function showState(view: View, { before, pets = true }: StateOptions): Found {
  const { state, now } = stateAt(view, before)
  const shown = before === undefined ? state : withoutKeys(state)
  const description = `Before row ${before}${shown === state ? '' : '; without its API keys, so that any key is valid'}`
  const moment = before === undefined ? {} : { description, now: new Date(now).toISOString(), frozen: true }
  if (!pets) return { result: { ...describeState(shown, now), ...moment } }
  return {
    get result() {
      return { ...toScenario(shown, now), ...moment }
    },
    print: () => printScenario(shown, { ...describeState(shown, now), ...moment }),
  }
}

function showClock({ frozenAt }: Course, now: number): ClockState {
  return { now: new Date(now).toISOString(), frozen: frozenAt !== undefined }
}

function turnClock({ state, times }: View, clock: Course): Changed {
  const next = clock === state.clock ? state : { ...state, clock }
  return { state: next, result: showClock(clock, readClock(clock, times)) }
}

function addOne({ state }: View, fault: Fault): Changed {
  const added = addFault(state, freezeCopy(timeFault(fault)))
  const id = fault.id ?? String(added.lastFaultId)
  return { state: { ...state, ...added }, result: added.faults.map(showFault).find((one) => one.id === id) }
}

function removeFaults({ state }: View, { id }: { id?: string }): Changed {
  const faults = state.faults.filter(({ fault }) => id !== undefined && fault.id !== id)
  const isThere = faults.length < state.faults.length
  return { state: isThere ? { ...state, faults } : state, ...(id !== undefined && { result: isThere }) }
}

function setLatency({ state }: View, { latency: given }: { latency: Delay | null }): Changed {
  const latency = given === null || given === 'off' ? undefined : freezeCopy(parseDelay(given))
  return { state: { ...state, latency } }
}

function listAssumptions({ state: { choices, loaded }, world }: View): AssumptionState[] {
  const rows = world.timeline.requests()
  const { calibrated } = loaded
  return assumptions.map(({ id, choices: all, ...assumption }) => {
    const choice = choices[id]
    const confirmed = calibrated?.choices[id] === choice && { confirmed: { on: calibrated.on, against: calibrated.against } }
    const uses = rows.filter((row) => row.assumptions.includes(id)).length
    return { id, ...assumption, choices: [...all], choice, ...confirmed, uses }
  })
}

export const stateMethods = {
  summary: (view: View) => ({ result: summarize(view) }),
  reset: (view: View) => start(view, view.state.origin, 'reset to'),
  load,
  state: showState,
  diff: (view: View, { before, since }: DiffOptions) => ({
    result: diffStates(stateAt(view, before), since === undefined ? undefined : stateAt(view, since)),
  }),
  'faults.list': ({ state }: View) => ({ result: state.faults.map(showFault) }),
  'faults.add': addOne,
  'faults.remove': removeFaults,
  'faults.clear': removeFaults,
  'clock.get': ({ state, now }: View) => ({ result: showClock(state.clock, now) }),
  'clock.set': (view: View, { now, frozen }: { now: string | null } & ClockOptions) =>
    turnClock(view, setClock(view.state.clock, now, frozen, view.times)),
  'clock.advance': (view: View, { advance, frozen }: { advance: Duration } & ClockOptions) =>
    turnClock(view, advanceClock(view.state.clock, parsePeriod(advance, 'advance: '), frozen, view.times)),
  'clock.freeze': (view: View, { frozen = true }: ClockOptions) => turnClock(view, freezeClock(view.state.clock, frozen, view.times)),
  'latency.get': ({ state }: View) => ({ result: state.latency ?? null }),
  'latency.set': setLatency,
  assumptions: (view: View) => ({ result: listAssumptions(view) }),
  assume: ({ state }: View, choices: Partial<AssumptionChoices>): Changed => ({
    state: { ...state, choices: { ...state.choices, ...choices } as AssumptionChoices },
  }),
}
