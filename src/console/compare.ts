// How one state differs from another, in the form in which the mock says how a state differs from its scenario.
import { toJson } from '../contract/int64-json.ts'
import type { StateDiff } from '../control/results.ts'
import { assumptions, type Pet } from '../generated/contract.ts'
import type { Fault, LiveFault } from '../world/faults.ts'
import type { ReadScenario as State } from '../world/scenario.ts'
import { isMoved } from './text.ts'

/** What changed from one moment to another, which was so much later in real time. */
export function compareStates(one: State, other: State, elapsedMs: number): StateDiff {
  const [old, now] = [byId(one), byId(other)]
  const ends = <T>(read: (state: State) => T) => ({ before: read(one), after: read(other) })
  const latency = ends((state) => state.latency ?? null)
  return {
    scenario: other.name ?? '',
    pets: {
      added: [...now.values()].filter(({ id }) => !old.has(String(id))),
      changed: [...now].flatMap(([id, after]) => {
        const before = old.get(id)
        return before && toJson(before) !== toJson(after) ? [{ before, after }] : []
      }),
      removed: [...old.values()].filter(({ id }) => !now.has(String(id))),
    },
    // A state of the past is always frozen.
    clock: isMoved(timeOf(other), timeOf(one) + elapsedMs) ? ends(({ now: time }) => ({ now: time ?? null, frozen: false })) : null,
    latency: toJson(latency.before) === toJson(latency.after) ? null : latency,
    faults: { added: without(other.faults, one.faults), removed: without(one.faults, other.faults) },
    assume: assumptions
      .map(({ id, default: usual }) => ({ id, ...ends(({ assume }) => assume?.[id] ?? usual) }))
      .filter(({ before, after }) => before !== after),
  }
}

function timeOf({ now }: State): number {
  return now === undefined ? Date.now() : Date.parse(now)
}

function byId({ pets = [] }: State): ReadonlyMap<string, Pet> {
  return new Map(pets.map((pet) => [String(pet.id), pet]))
}

/** Faults are the same whatever they have counted. */
function without(list: readonly Fault[] = [], others: readonly Fault[] = []): LiveFault[] {
  const spell = ({ seen: _, applied: __, ...fault }: Fault) => toJson(fault)
  const known = new Set(others.map(spell))
  return list.filter((fault) => !known.has(spell(fault))) as LiveFault[]
}
