// How two states differ, as readers get it. The cost depends on the number of differences, not of animals.
import { toJson } from '../contract/int64-json.ts'
import { parsePetText } from '../contract/pet.ts'
import { describeClock } from '../world/clock.ts'
import { compareContents, type Difference } from '../world/difference.ts'
import { type CountedFault, showFault } from '../world/faults.ts'
import type { StateDiff } from './control.ts'
import type { View } from './timeline.ts'

type Moment = Pick<View, 'state' | 'now'>
type Of<Kind extends Difference['kind']> = Extract<Difference, { readonly kind: Kind }>

/** Since another moment; by default since the scenario. */
export function diffStates({ state, now }: Moment, since?: Moment): StateDiff {
  const differences = compareContents(since?.state ?? state.origin, state)
  const pick = <Kind extends Difference['kind']>(kind: Kind) => differences.filter((one): one is Of<Kind> => one.kind === kind)
  const pets = pick('pet').map(({ before, after }) => ({
    before: before === undefined ? undefined : parsePetText(before),
    after: after === undefined ? undefined : parsePetText(after),
  }))
  const faults = pick('fault').filter(({ before, after }) => printFault(before) !== printFault(after))
  const [latency] = pick('latency')
  return {
    scenario: state.loaded.name,
    pets: {
      added: pets.flatMap(({ before, after }) => (before || !after ? [] : [after])),
      changed: pets.flatMap(({ before, after }) => (before && after ? [{ before, after }] : [])),
      removed: pets.flatMap(({ before, after }) => (after || !before ? [] : [before])),
    },
    clock: diffClocks({ state, now }, since),
    latency: latency ? { before: latency.before ?? null, after: latency.after ?? null } : null,
    faults: {
      added: faults.flatMap(({ after }) => (after ? [showFault(after)] : [])),
      removed: faults.flatMap(({ before }) => (before ? [showFault(before)] : [])),
    },
    assume: pick('choice').map(({ id, before, after }) => ({ id, before, after })),
  }
}

/** A fault that was added again as it was is not a difference. */
function printFault(one: CountedFault | undefined): string | undefined {
  return one && toJson(Object.entries(one.fault).sort(([left], [right]) => (left < right ? -1 : 1)))
}

/** A clock that runs on is the same clock; so is one that a reset has started again in real time. */
function diffClocks({ state: { clock, origin }, now }: Moment, since: Moment | undefined): StateDiff['clock'] {
  const show = ({ now = null, frozen = false }: { readonly now?: string | null; readonly frozen?: boolean }) => ({ now, frozen })
  const before = show(since ? describeClock(since.state.clock, since.now) : origin.clock)
  const after = show(describeClock(clock, now))
  const isSame = since ? since.state.clock === clock : !clock.wasTurned
  return isSame || toJson(before) === toJson(after) ? null : { before, after }
}
