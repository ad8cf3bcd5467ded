// Reads the states of a recording's lines. Each is written as its difference from the state before.
import { mismatch } from '../../contract/errors.ts'
import { normalizeInt64, toJson } from '../../contract/int64-json.ts'
import { toPetText } from '../../contract/pet.ts'
import { changePets } from '../../world/catalogue.ts'
import type { Clock, Times } from '../../world/clock.ts'
import { type CountedFault, checkFaultLimit } from '../../world/faults.ts'
import { resumeState } from '../../world/saved-state.ts'
import { lastKey } from '../../world/sorted.ts'
import { baseOf, type Origin, type State } from '../../world/state.ts'
import { checkScenario } from '../check-scenario.ts'
import type { LineState } from './line.ts'

type Fault = CountedFault['fault']

/** Steady time begins when a mock is made: running clocks go on from that moment. */
export const atStart: Times = { real: () => Date.now(), steady: () => 0 }

/** `origins` and `faults` are those of the lines so far, which a state names by their numbers. */
export function createStateReader(origins: readonly Origin[], faults: readonly Fault[]) {
  // Equal clocks become one value, since an undo compares identities.
  const clocks = new Map<string, Clock>()

  function shareClock(clock: Clock, name: string): Clock {
    const shared = clocks.get(name) ?? clock
    clocks.set(name, shared)
    return shared
  }

  return (before: State | undefined, line: LineState): State => {
    const { pets, removed, origin: number, faults: counts, ...saved } = line
    const origin = pick(origins, number, 'origin')
    const removals = removed.map((id) => ({ key: normalizeInt64(id), after: undefined }))
    const edits = pets.map((pet) => ({ key: normalizeInt64(pet.id), after: toPetText(pet) }))
    const catalogue = changePets(baseOf(origin, before).catalogue, [...removals, ...edits])
    const scenario = checkScenario(saved.scenario)
    const resumed = resumeState({ ...saved, scenario }, origin, atStart, catalogue)
    const clock = shareClock(resumed.clock, toJson(saved.clock))
    const counted = readCounts(counts, faults)
    const last = lastKey(catalogue.all)
    if (last !== undefined && last >= resumed.nextId)
      throw mismatch('line.state.nextId', 'an id above all others')
    return { ...resumed, clock, faults: counted }
  }
}

function readCounts(counts: LineState['faults'], faults: readonly Fault[]): CountedFault[] {
  const counted: CountedFault[] = []
  for (const [number, seen, applied] of counts)
    counted.push({ fault: pick(faults, number, 'faults'), seen, applied })
  checkFaultLimit(counted)
  const ids = new Set(counted.map((one) => one.fault.id))
  if (ids.size < counted.length) throw mismatch('line.state.faults', 'every id once')
  return counted
}

function pick<T>(defined: readonly T[], number: number, name: 'origin' | 'faults'): T {
  const found = defined[number - 1]
  if (!found) throw mismatch(`line.state.${name}`, 'the number of one in a line before')
  return found
}
