// How a state differs from its scenario, by kind. The cost depends on the number of differences, not on the number of animals.
import { toJson } from '../contract/int64-json.ts'
import { parsePetText } from '../contract/pet.ts'
import { describeClock } from '../world/clock.ts'
import { compareContents, type Difference } from '../world/difference.ts'
import { type CountedFault, showFault } from '../world/faults.ts'
import type { State } from '../world/state.ts'
import type { StateDiff } from './results.ts'

export function diffFromOrigin(state: State, now: number): StateDiff {
  return diffContents(state.origin, state, diffClock(state, now))
}

/** A state, and the time of its clock. */
interface Moment {
  readonly state: State
  readonly now: number
}

export function diffStates(before: Moment, after: Moment): StateDiff {
  const toSide = ({ state, now }: Moment) => describeSide(describeClock(state.clock, now))
  const [one, other] = [toSide(before), toSide(after)]
  // A clock that runs on is the same clock; so is one that a reset has started again in real time.
  const isSame = before.state.clock === after.state.clock || toJson(one) === toJson(other)
  return diffContents(before.state, after.state, isSame ? null : { before: one, after: other })
}

function diffContents(before: Parameters<typeof compareContents>[0], state: State, clock: StateDiff['clock']): StateDiff {
  const differences = compareContents(before, state)
  const pets = differences.filter((one) => one.kind === 'pet')
  const faults = differences.filter((one) => one.kind === 'fault' && !isSameFault(one.before, one.after)) as FaultDifference[]
  const latency = differences.find((one) => one.kind === 'latency')
  return {
    scenario: state.loaded.name,
    pets: {
      added: pets.flatMap(({ before, after }) => (before === undefined ? [parsePetText(after as string)] : [])),
      changed: pets.flatMap(({ before, after }) =>
        before === undefined || after === undefined ? [] : [{ before: parsePetText(before), after: parsePetText(after) }],
      ),
      removed: pets.flatMap(({ before, after }) => (after === undefined ? [parsePetText(before as string)] : [])),
    },
    clock,
    latency: latency ? { before: latency.before ?? null, after: latency.after ?? null } : null,
    faults: {
      added: faults.flatMap(({ after }) => (after ? [showFault(after)] : [])),
      removed: faults.flatMap(({ before }) => (before ? [showFault(before)] : [])),
    },
    assume: differences.flatMap((one) => (one.kind === 'choice' ? [{ id: one.id, before: one.before, after: one.after }] : [])),
  }
}

type FaultDifference = Extract<Difference, { readonly kind: 'fault' }>

/** A fault that was added again as it was is not a difference. */
function isSameFault(before: CountedFault | undefined, after: CountedFault | undefined): boolean {
  const print = (one: CountedFault | undefined) =>
    one && toJson(Object.entries(one.fault).sort(([left], [right]) => (left < right ? -1 : 1)))
  return print(before) === print(after)
}

function diffClock({ origin, clock }: State, now: number): StateDiff['clock'] {
  const after = describeClock(clock, now)
  const isSame = !clock.wasTurned || toJson(origin.clock) === toJson(after)
  return isSame ? null : { before: describeSide(origin.clock), after: describeSide(after) }
}

function describeSide({ now = null, frozen = false }: { readonly now?: string | null; readonly frozen?: boolean }) {
  return { now, frozen }
}
