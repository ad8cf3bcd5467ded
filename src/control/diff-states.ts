// How a state differs from its scenario or from an earlier state, as data.
import type { Pet } from '../contract/generated/contract.ts'
import { toJson } from '../contract/int64-json.ts'
import { parsePetText } from '../contract/pet.ts'
import { hash } from '../contract/random.ts'
import { describeKey } from '../contract/values.ts'
import { digests, scenarioList } from '../scenario/generated/scenario-list.ts'
import { type ClockSetting, describeClock, wasChanged } from '../world/clock.ts'
import { compareContents, type Difference } from '../world/difference.ts'
import { type CountedFault, type LiveFault, showFault } from '../world/faults.ts'
import { printOrigin } from '../world/saved-state.ts'
import type { Origin } from '../world/state.ts'
import type { DiffOptions, StateDiff } from './control.ts'
import { type Found, found, type Moment, momentAt, type View } from './view.ts'

type DifferenceOf<Kind extends Difference['kind']> = Extract<Difference, { kind: Kind }>

export function showDiff(view: View, options: DiffOptions): Found {
  const moment = momentAt(view, options.before)
  const past = options.since === undefined ? undefined : momentAt(view, options.since)
  const diff = diffStates(moment, past)
  const used = past && listUsed(past.state.faults, moment.state.faults)
  const faults = used ? { ...diff.faults, used } : diff.faults
  if (!isShipped(moment.state.origin)) return found({ ...diff, faults })
  return found({ ...diff, faults, isShipped: true })
}

/**
 * Since another moment; by default since the scenario. The cost grows with the differences, not
 * with the animals.
 */
export function diffStates(
  moment: Moment,
  since?: Moment,
  known?: readonly Difference[],
): StateDiff {
  const { state } = moment
  const base = since?.state ?? state.origin
  const pets: DifferenceOf<'pet'>[] = []
  const faults: DifferenceOf<'fault'>[] = []
  const assume: StateDiff['assume'][number][] = []
  let latency: StateDiff['latency'] = null
  let apiKeys: StateDiff['apiKeys'] = null
  for (const difference of known ?? compareContents(base, state)) {
    const { kind, before, after } = difference
    switch (kind) {
      case 'pet':
        pets.push(difference)
        break
      case 'fault':
        faults.push(difference)
        break
      case 'choice':
        assume.push({ id: difference.id, before, after })
        break
      case 'latency':
        latency = { before, after }
        break
      case 'apiKeys':
        apiKeys = { before: [...before].map(describeKey), after: [...after].map(describeKey) }
        break
      case 'clock':
        // By `diffClocks`: not every other value is another clock.
        break
      default:
        // A kind that is not shown yet.
        kind satisfies never
    }
  }
  return {
    scenario: state.origin.name,
    pets: diffPets(pets),
    clock: diffClocks(moment, since),
    latency,
    apiKeys,
    faults: diffFaults(faults, since),
    assume,
  }
}

function diffPets(differences: readonly DifferenceOf<'pet'>[]): StateDiff['pets'] {
  const added: Pet[] = []
  const changed: { before: Pet; after: Pet }[] = []
  const removed: Pet[] = []
  for (const difference of differences) {
    const before = difference.before && parsePetText(difference.before)
    const after = difference.after && parsePetText(difference.after)
    if (before && after) changed.push({ before, after })
    else if (after) added.push(after)
    else if (before) removed.push(before)
  }
  return { added, changed, removed }
}

function diffFaults(
  differences: readonly DifferenceOf<'fault'>[],
  since: Moment | undefined,
): StateDiff['faults'] {
  const added: LiveFault[] = []
  const removed: LiveFault[] = []
  for (const { before, after } of differences) {
    // A fault that was added again as it was is not a difference from the scenario.
    if (!since && printFault(before) === printFault(after)) continue
    if (after) added.push(showFault(after))
    if (before) removed.push(showFault(before))
  }
  return { added, removed }
}

function printFault(one: CountedFault | undefined): string | undefined {
  if (!one) return undefined
  const fields = Object.entries(one.fault)
  return toJson(fields.sort(compareNames))
}

type Field = readonly [name: string, value: unknown]

function compareNames([left]: Field, [right]: Field): number {
  if (left < right) return -1
  return left > right ? 1 : 0
}

/** The faults of both states that applied in between. */
function listUsed(
  before: readonly CountedFault[],
  after: readonly CountedFault[],
): StateDiff['faults']['used'] {
  const used: { before: LiveFault; after: LiveFault }[] = []
  for (const now of after) {
    const was = before.find((one) => one.fault === now.fault)
    const isUsed = was && was.applied !== now.applied
    if (isUsed) used.push({ before: showFault(was), after: showFault(now) })
  }
  return used
}

/**
 * A clock that runs on is the same clock; so is one that a reset has started again in real time.
 */
function diffClocks(moment: Moment, since: Moment | undefined): StateDiff['clock'] {
  const { clock, origin } = moment.state
  const isSame = since ? since.state.clock === clock : !wasChanged(clock, origin.clock)
  if (isSame) return null
  const setting = since ? describeClock(since.state.clock, since.now) : origin.clock
  const before = showSetting(setting)
  const after = showSetting(describeClock(clock, moment.now))
  return toJson(before) === toJson(after) ? null : { before, after }
}

/** With the default of each field that the setting leaves out. */
function showSetting(setting: ClockSetting) {
  const { now = null, frozen = false } = setting
  return { now, frozen }
}

/** Options change a shipped scenario under the same name. */
function isShipped(origin: Origin): boolean {
  const shipped = scenarioList.find((one) => one.name === origin.name)
  if (shipped?.pets !== origin.catalogue.all.size) return false
  return digests[shipped.name] === hash(printOrigin(origin))
}
