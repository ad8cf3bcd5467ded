// How two states differ: by kind, and in a sentence for the row of a change. The cost depends on the number of
// differences, not on the number of animals.
import { toJson } from '../contract/int64-json.ts'
import { parsePetText } from '../contract/pet.ts'
import { describeDelay, describeFault, describeField, describeFields } from '../render/describe-fault.ts'
import { type Course, describeClock } from '../world/clock.ts'
import { compareContents, type Difference } from '../world/difference.ts'
import { type CountedFault, showFault } from '../world/faults.ts'
import type { StateDiff } from './control.ts'
import type { View } from './timeline.ts'

/** A state, and the time of its clock. */
type Moment = Pick<View, 'state' | 'now'>
type Of<Kind extends Difference['kind']> = Extract<Difference, { readonly kind: Kind }>

/** More changes are counted. */
const MAX_TOLD = 3

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

/** What a change did, in a sentence. */
export function describeChange(differences: readonly Difference[]): string {
  const more = differences.length > MAX_TOLD ? `; and ${differences.length - MAX_TOLD} more` : ''
  return differences.slice(0, MAX_TOLD).map(describeDifference).join('; ') + more
}

function describeDifference({ kind, id, before, after }: Difference): string {
  if (kind === 'pet') return describePet(`animal ${id}`, before, after)
  if (kind === 'choice') return `${id}: ${before} → ${after}`
  if (kind === 'latency') return `latency: ${describeDelay(before)} → ${describeDelay(after)}`
  if (kind === 'clock') return `clock ${describeCourse(before, after)}`
  const fault = (after ?? before)?.fault
  return (after ? '' : 'removed: ') + (fault ? describeFault(fault) : '')
}

function describePet(animal: string, before: string | undefined, after: string | undefined): string {
  if (after === undefined) return `${animal} removed`
  const now = parsePetText(after)
  if (before === undefined) return `${animal} added: ${describeField(now.name)}`
  return `${animal}: ${describeFields(parsePetText(before), now)}`
}

function describeCourse(before: Course, { frozenAt, start }: Course): string {
  const instant = frozenAt ?? start?.instant
  if (instant === undefined) return 'follows real time'
  const moment = new Date(instant).toISOString()
  if (before.frozenAt === undefined && frozenAt !== undefined) return `stopped at ${moment}`
  return before.frozenAt === instant && frozenAt === undefined ? `runs on from ${moment}` : `moved to ${moment}`
}
