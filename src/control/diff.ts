// How a state differs from its scenario. The cost depends on the number of differences, not on the number of animals.
import { toJson } from '../contract/int64-json.ts'
import { parsePetText } from '../contract/pet.ts'
import { assumptions } from '../generated/contract.ts'
import { createRandom } from '../random.ts'
import type { ClockSetting } from '../world/clock.ts'
import { createFaults, type Fault, type LiveFault } from '../world/faults.ts'
import type { Situation } from '../world/situation.ts'
import type { World } from '../world/world.ts'
import type { StateDiff } from './control.ts'

export function toDiff(situation: Situation, { catalogue, clock, choices, latency, faults }: World): StateDiff {
  const { added, changed, removed } = catalogue.changes()
  const initial = createFaults(situation.faults, createRandom(0)).list()
  const live = faults.list()
  const without = (list: readonly LiveFault[], others: readonly LiveFault[]) => {
    const known = new Set(others.map(toText))
    return list.filter((fault) => !known.has(toText(fault)))
  }
  return {
    scenario: situation.name,
    pets: {
      added: added.map(parsePetText),
      changed: changed.map(({ before, after }) => ({ before: parsePetText(before), after: parsePetText(after) })),
      removed: removed.map(parsePetText),
    },
    clock: diffClock(situation, clock),
    latency: toJson(situation.latency) === toJson(latency) ? null : { before: situation.latency ?? null, after: latency ?? null },
    faults: { added: without(live, initial), removed: without(initial, live) },
    assume: assumptions
      .map(({ id }) => ({ id, before: situation.choices[id] as string, after: choices[id] as string }))
      .filter(({ before, after }) => before !== after),
  }
}

function diffClock({ clock: before }: Situation, clock: World['clock']): StateDiff['clock'] {
  const after = clock.setting()
  const toSide = ({ now, frozen = false }: ClockSetting) => ({ now: now ?? null, frozen })
  return clock.wasTurned && toJson(before) !== toJson(after) ? { before: toSide(before), after: toSide(after) } : null
}

/** A fault as it was defined; its counters are not a difference. */
function toText({ seen, applied, ...fault }: Fault): string {
  return toJson(Object.entries(fault).sort(([left], [right]) => (left < right ? -1 : 1)))
}
