// The control methods for a state as a whole and for its settings.
import { freezeCopy, isPromise, withoutUndefined } from '../contract/describe-value.ts'
import { refuse } from '../contract/options.ts'
import { type AssumptionChoices, assumptions } from '../generated/contract.ts'
import { version } from '../generated/version.ts'
import { openScenario } from '../scenario/open.ts'
import { findDelayProblems, parseDelay, parsePeriod } from '../settings/duration.ts'
import { checkFault } from '../settings/fault.ts'
import { countByStatus } from '../world/catalogue.ts'
import { advanceClock, type Course, describeClock, freezeClock, readClock, setClock } from '../world/clock.ts'
import { addFault, type Delay, type Duration, type Fault, showFault } from '../world/faults.ts'
import type { ReadScenario } from '../world/scenario.ts'
import { begin, createOrigin, describeState, type Origin, printScenario, toScenario } from '../world/state.ts'
import { diffFromOrigin, diffStates } from './diff.ts'
import type { AssumptionState, ClockOptions, ClockState, DiffOptions, StateOptions, StateSummary } from './results.ts'
import { type Changed, type Found, type Later, stateAt, type View } from './view.ts'

function summarize({ state, worlds, sandboxes, recording }: View): StateSummary {
  const { loaded, catalogue, latency } = state
  return {
    version,
    scenario: loaded.name,
    pets: catalogue.all.size,
    byStatus: countByStatus(catalogue),
    ...(latency !== undefined && { latency }),
    ...(worlds.hasSandboxes && { sandboxes: sandboxes.keys().length }),
    ...(recording && { recording }),
  }
}

function startAgain({ times }: View, origin: Origin, verb: string): Changed {
  return { state: begin(origin, times), text: `${verb} ${origin.loaded.name}` }
}

/** If the scenario has no surprises, the present ones stay. */
function load(view: View, { scenario }: { scenario: unknown }): Changed | Later {
  const start = ({ surprise = view.state.loaded.surprise, ...found }: ReadScenario) =>
    createOrigin({ ...found, ...(surprise && { surprise }) })
  const found = openScenario(scenario)
  if (!isPromise(found)) return startAgain(view, start(found), 'loaded')
  return found.then(start).then((origin) => (here) => startAgain(here, origin, 'loaded'))
}

/** As a value or as its JSON: each takes long if there are many animals. */
function showState(view: View, { before, pets = true }: StateOptions): Found {
  const { state, now } = stateAt(view, before)
  const adjust = (scenario: ReadScenario) => (before === undefined ? scenario : withoutKeys(scenario, before, now))
  if (!pets) return { result: adjust(describeState(state, now)) }
  return {
    get result() {
      return adjust(toScenario(state, now))
    },
    print: () => printScenario(state, adjust(describeState(state, now))),
  }
}

/** A state to hand on: with the moment of its row, and without API keys. */
function withoutKeys({ apiKeys, ...state }: ReadScenario, id: number, now: number): ReadScenario {
  const isOpen = apiKeys === undefined && state.assume?.['valid-keys'] !== 'listed'
  return {
    ...state,
    description: `Before row ${id}${isOpen ? '' : '; without its API keys, so that any key is valid'}`,
    ...(!isOpen && { assume: { ...state.assume, 'valid-keys': 'any' } }),
    now: new Date(now).toISOString(),
    frozen: true,
  }
}

function showClock(clock: Course, now: number): ClockState {
  return { now: new Date(now).toISOString(), frozen: describeClock(clock, now).frozen === true }
}

/** The state with its clock turned, and what that shows. */
function turnClock({ state, times }: View, clock: Course): Changed {
  const next = clock === state.clock ? state : { ...state, clock }
  return { state: next, result: showClock(clock, readClock(clock, times)) }
}

function addOne({ state }: View, fault: Fault): Changed {
  const added = addFault(state, freezeCopy(checkFault(fault)))
  const id = fault.id ?? String(added.lastFaultId)
  return { state: { ...state, ...added }, result: added.faults.map(showFault).find((one) => one.id === id) }
}

function removeOne({ state }: View, { id }: { id: string }): Changed {
  const faults = state.faults.filter(({ fault }) => fault.id !== id)
  const isThere = faults.length < state.faults.length
  return { state: isThere ? { ...state, faults } : state, result: isThere }
}

function setLatency({ state }: View, { latency: given }: { latency: Delay | null }): Changed {
  if (given === null || given === 'off') return { state: { ...state, latency: undefined } }
  refuse(findDelayProblems(given, 'latency'))
  return { state: { ...state, latency: freezeCopy(parseDelay(given)) } }
}

function listAssumptions({ state: { choices, loaded }, world }: View): AssumptionState[] {
  const rows = world.requestLog.requests()
  const { calibrated } = loaded
  return assumptions.map((assumption) => {
    const choice = choices[assumption.id]
    const isConfirmed = calibrated?.choices[assumption.id] === choice
    return {
      ...assumption,
      choices: [...assumption.choices],
      choice,
      ...(isConfirmed && { confirmed: { on: calibrated.on, against: calibrated.against } }),
      uses: rows.filter((row) => row.assumptions.includes(assumption.id)).length,
    }
  })
}

export const stateMethods = {
  summary: (view: View) => ({ result: summarize(view) }),
  reset: (view: View) => startAgain(view, view.state.origin, 'reset to'),
  load,
  state: showState,
  diff(view: View, { before, since }: DiffOptions) {
    const after = stateAt(view, before)
    if (since !== undefined) return { result: diffStates(stateAt(view, since), after) }
    return { result: diffFromOrigin(after.state, after.now) }
  },
  'faults.list': ({ state }: View) => ({ result: state.faults.map(showFault) }),
  'faults.add': addOne,
  'faults.remove': removeOne,
  'faults.clear': ({ state }: View): Changed => ({ state: state.faults.length === 0 ? state : { ...state, faults: [] } }),
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
    state: { ...state, choices: { ...state.choices, ...withoutUndefined(choices) } },
  }),
}
