import { type AssumptionChoices, assumptions } from '../contract/generated/contract.ts'
import { version } from '../contract/generated/version.ts'
import { toJson } from '../contract/int64-json.ts'
import { parsePetText } from '../contract/pet.ts'
import { hash } from '../contract/random.ts'
import { freezeCopy } from '../contract/values.ts'
import { digests, scenarioList } from '../scenario/generated/scenario-list.ts'
import { parseDuration, parseLatency } from '../scenario/settings/duration.ts'
import { timeFault } from '../scenario/settings/rows.ts'
import { countByStatus } from '../world/catalogue.ts'
import {
  advanceClock,
  type Course,
  describeClock,
  freezeClock,
  isTurned,
  printInstant,
  readClock,
  setClock,
} from '../world/clock.ts'
import { compareContents, type Difference } from '../world/difference.ts'
import {
  addFault,
  type CountedFault,
  type Delay,
  type Duration,
  type Fault,
  showFault,
} from '../world/faults.ts'
import { isRequest } from '../world/row.ts'
import { usualChoices } from '../world/scenario.ts'
import type { Origin, State } from '../world/state.ts'
import {
  describeState,
  momentOf,
  printOrigin,
  printScenario,
  toScenario,
  withoutKeys,
} from '../world/state.ts'
import type {
  AssumptionState,
  BeforeOption,
  DiffOptions,
  StateDiff,
  StateOptions,
  StateSummary,
} from './control.ts'
import { type Changed, type Found, stateAt, type View } from './timeline.ts'

type Timed = Pick<View, 'state' | 'now'>

/** As a value or as its JSON: each takes long if there are many animals. */
function showState(view: View, { before, pets = true }: StateOptions): Found {
  const { state, now } = stateAt(view, before)
  const shown = before === undefined ? state : withoutKeys(state)
  const description = `Before row ${before}${shown === state ? '' : '; without its API keys, so that any key is valid'}`
  const moment = before === undefined ? {} : momentOf(now, description)
  if (!pets) return { result: { ...describeState(shown, now), ...moment } }
  return {
    get result() {
      return { ...toScenario(shown, now), ...moment }
    },
    print: () => printScenario(shown, { ...describeState(shown, now), ...moment }),
  }
}

/**
 * Since another moment; by default since the scenario. The cost grows with the differences, not
 * with the animals.
 */
export function diffStates(
  { state, now }: Timed,
  since?: Timed,
  known?: readonly Difference[],
): StateDiff {
  const differences = known ?? compareContents(since?.state ?? state.origin, state)
  const pets = differences.filter((one) => one.kind === 'pet')
  const pairPets = (before: string, after: string) => ({
    before: parsePetText(before),
    after: parsePetText(after),
  })
  const redefined = differences.filter((one) => one.kind === 'fault')
  const faults = redefined.filter(
    ({ before, after }) => since || printFault(before) !== printFault(after),
  )
  const latency = differences.find((one) => one.kind === 'latency')
  return {
    scenario: state.origin.loaded.name,
    pets: {
      added: pets.flatMap(({ before, after }) => (before || !after ? [] : parsePetText(after))),
      changed: pets.flatMap(({ before, after }) =>
        before && after ? pairPets(before, after) : [],
      ),
      removed: pets.flatMap(({ before, after }) => (after || !before ? [] : parsePetText(before))),
    },
    clock: diffClocks({ state, now }, since),
    latency: latency ? { before: latency.before, after: latency.after } : null,
    faults: {
      added: faults.flatMap(({ after }) => (after ? [showFault(after)] : [])),
      removed: faults.flatMap(({ before }) => (before ? [showFault(before)] : [])),
    },
    assume: differences.filter((one) => one.kind === 'choice').map(({ kind, ...choice }) => choice),
  }
}

function listUsed(
  before: readonly CountedFault[],
  after: readonly CountedFault[],
): StateDiff['faults']['used'] {
  return after.flatMap((now) => {
    const was = before.find(({ fault, applied }) => fault === now.fault && applied !== now.applied)
    return was ? [{ before: showFault(was), after: showFault(now) }] : []
  })
}

function isShipped(origin: Origin): boolean {
  const shipped = scenarioList.find(({ name }) => name === origin.loaded.name)
  return (
    shipped?.pets === origin.catalogue.all.size &&
    digests[shipped.name] === hash(printOrigin(origin))
  )
}

/** A fault that was added again as it was is not a difference from the scenario. */
function printFault(one: CountedFault | undefined): string | undefined {
  return one && toJson(Object.entries(one.fault).sort(([left], [right]) => (left < right ? -1 : 1)))
}

/**
 * A clock that runs on is the same clock; so is one that a reset has started again in real time.
 */
function diffClocks(
  { state: { clock, origin }, now }: Timed,
  since: Timed | undefined,
): StateDiff['clock'] {
  const show = ({ now, frozen = false }: Origin['clock']) => ({ now: now ?? null, frozen })
  const before = show(since ? describeClock(since.state.clock, since.now) : origin.clock)
  const after = show(describeClock(clock, now))
  const isSame = since ? since.state.clock === clock : !isTurned(clock, origin.clock)
  return isSame || toJson(before) === toJson(after) ? null : { before, after }
}

function showClock({ frozenAt }: Course, now: number) {
  return { now: printInstant(now), frozen: frozenAt !== undefined }
}

function turnClock({ state, worlds }: View, clock: Course): Changed {
  return { state: { ...state, clock }, result: showClock(clock, readClock(clock, worlds.times)) }
}

function removeFaults({ state }: View, { id }: { id?: string }): Changed {
  const faults = state.faults.filter(({ fault }) => id !== undefined && fault.id !== id)
  const isThere = faults.length < state.faults.length
  return {
    state: isThere ? { ...state, faults } : state,
    ...(id !== undefined && { result: isThere }),
  }
}

function assumptionsOf(
  { world }: View,
  { choices, loaded: { apiKeys, calibrated: seen } }: State,
): AssumptionState[] {
  const rows = world.timeline.rows().filter(isRequest)
  const usual = usualChoices(apiKeys.size > 0)
  return assumptions.map(({ id, choices: all, ...assumption }) => {
    const choice = choices[id]
    const confirmed = seen?.choices[id] === choice && {
      confirmed: { on: seen.on, against: seen.against },
    }
    const uses = rows.filter((row) => row.assumptions.includes(id)).length
    return { id, ...assumption, default: usual[id], choices: [...all], choice, ...confirmed, uses }
  })
}

export const stateMethods = {
  summary: ({
    state: { loaded, catalogue, latency },
    worlds,
    sandboxes,
  }: View): { result: StateSummary } => ({
    result: {
      version,
      scenario: loaded.name,
      pets: catalogue.all.size,
      byStatus: countByStatus(catalogue),
      ...(latency && { latency }),
      ...(worlds.hasSandboxes && { sandboxes: sandboxes.keys().length }),
      ...(worlds.recording && { recording: worlds.recording }),
    },
  }),
  state: showState,
  diff(view: View, { before, since }: DiffOptions) {
    const moment = stateAt(view, before)
    const past = since === undefined ? undefined : stateAt(view, since)
    const diff = diffStates(moment, past)
    const faults = past
      ? { ...diff.faults, used: listUsed(past.state.faults, moment.state.faults) }
      : diff.faults
    return {
      result: { ...diff, faults, ...(isShipped(moment.state.origin) && { isShipped: true }) },
    }
  },
  'faults.list': ({ state }: View) => ({ result: state.faults.map(showFault) }),
  'faults.add'(view: View, fault: Fault): Changed {
    const { state, added } = addFault(view.state, freezeCopy(timeFault(fault)))
    return { state, result: showFault(added) }
  },
  'faults.remove': removeFaults,
  'faults.clear': removeFaults,
  'clock.get': ({ state, now }: View) => ({ result: showClock(state.clock, now) }),
  'clock.set': (view: View, { now, frozen }: { now: string | null; frozen?: boolean }) =>
    turnClock(view, setClock(view.state.clock, now, frozen, view.worlds.times)),
  'clock.advance': (view: View, { advance, frozen }: { advance: Duration; frozen?: boolean }) =>
    turnClock(
      view,
      advanceClock(view.state.clock, parseDuration(advance), frozen, view.worlds.times),
    ),
  'clock.freeze': (view: View, { frozen }: { frozen: boolean }) =>
    turnClock(view, freezeClock(view.state.clock, frozen, view.worlds.times)),
  'latency.get': ({ state }: View) => ({ result: state.latency }),
  'latency.set': ({ state }: View, { latency }: { latency: Delay | null }): Changed => ({
    state: { ...state, latency: parseLatency(latency) },
  }),
  assumptions: (view: View, { before }: BeforeOption) => ({
    result: assumptionsOf(view, stateAt(view, before).state),
  }),
  assume: ({ state }: View, choices: Partial<AssumptionChoices>): Changed => ({
    state: { ...state, choices: { ...state.choices, ...choices } as AssumptionChoices },
  }),
}
