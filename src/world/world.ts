// The live state that a scenario is loaded into. It remembers; it knows nothing of HTTP.
import { ApiError } from '../contract/errors.ts'
import { isInt64, normalizeInt64 } from '../contract/int64-json.ts'
import { toPet } from '../contract/pet.ts'
import type { AssumptionChoices, NewPet, Pet } from '../generated/contract.ts'
import { createRandom } from '../random.ts'
import { createRespond } from '../surprise/respond.ts'
import { createCatalogue, createMemory, type Memory, type PetChange } from './catalogue.ts'
import { createClock, passTime } from './clock.ts'
import { createFaults, type Delay, drawDelay } from './faults.ts'
import { createJournals, type Journals } from './journal.ts'
import type { JournalEntry } from './journal-entry.ts'
import { createSituation, type Situation, type State, toRest } from './situation.ts'

export type World = ReturnType<typeof createWorld>

export interface StateOptions {
  /** False leaves the animals out: a world can have millions. */
  readonly pets?: boolean
}

/** A world without its animals and its journal. Its next id is one above the highest int64 once there is none left. */
export interface WorldRest extends ReturnType<typeof toRest> {
  readonly lastFaultId: number
  readonly lastEntryId: number
  readonly clockWasTurned: boolean
}

/** How a world was left, for one that goes on from there. */
export interface Left {
  readonly rest: WorldRest
  /** Every change of an animal since the situation, in sequence; of several changes of one animal the last is enough. */
  readonly pets: readonly PetChange[]
  readonly journal: readonly JournalEntry[]
  /** The time since then, in milliseconds. */
  readonly awayMs: number
}

/** What a world takes from outside; the journals and the memory are those of its mock. */
export interface WorldSettings {
  /** Milliseconds since the epoch. */
  readonly realTime: () => number
  /** Milliseconds that never jump, for clocks that have been set; real time by default. */
  readonly steadyTime?: (() => number) | undefined
  readonly journals?: Journals | undefined
  readonly memory?: Memory | undefined
  /** Called after every change of an animal. */
  readonly onPetChange?: ((change: PetChange) => void) | undefined
}

/** A world at the start of a situation, or as it was left after that; with a key, that of a sandbox. */
export function createWorld(situation: Situation, settings: WorldSettings, left?: Left, key?: string) {
  const { realTime, steadyTime, journals = createJournals(), memory = createMemory(), onPetChange } = settings
  const start = left ? createSituation(left.rest) : situation
  const catalogue = createCatalogue(situation.shelf, memory, onPetChange)
  const clock = createClock(realTime, left ? passTime(start.clock, left.awayMs) : start.clock, steadyTime, left?.rest.clockWasTurned)
  const random = createRandom(start.random)
  const faults = createFaults(start.faults, random, left?.rest.lastFaultId)
  const journal = journals.create(start.apiKeys, key)
  let nextId = start.nextId
  if (left) {
    catalogue.restore(left.pets)
    // The service takes the next id with every animal that it adds, and only the animal is recorded; those of the scenario do not count.
    for (const { id } of left.pets) if (BigInt(id) >= nextId && BigInt(id) >= situation.nextId) nextId = BigInt(id) + 1n
    journal.restore(left.journal, left.rest.lastEntryId)
  }

  return {
    /** The name of the scenario that it started from. */
    scenario: start.name,
    catalogue,
    clock,
    faults,
    journal,
    calibrated: start.calibrated,
    /** The current choices for what the spec leaves open. */
    choices: start.choices as Readonly<AssumptionChoices>,
    apiKeys: new Set(start.apiKeys) as ReadonlySet<string>,
    latency: start.latency as Delay | undefined,
    surprise: start.surprise && createRespond(start.surprise),
    /** The latency of the next response, in milliseconds. */
    drawLatency(): number {
      return this.latency === undefined ? 0 : drawDelay(this.latency, random)
    },
    /** Stores an animal under the next id; returns its text. */
    store(pet: NewPet): string {
      if (!isInt64(nextId)) throw new ApiError(507, 'No ids left: the last int64 has been given out')
      const text = catalogue.put(toPet(normalizeInt64(nextId), pet))
      nextId++
      return text
    },
    /** Puts an animal under its own id, new or not; returns its text. Ids that are given out later are above it. */
    put(pet: Pet): string {
      const text = catalogue.put(pet)
      if (BigInt(pet.id) >= nextId) nextId = BigInt(pet.id) + 1n
      return text
    },
    /** The whole world as a scenario; loading it restores the same world. */
    state({ pets: hasPets = true }: StateOptions = {}): State {
      const { name, nextId: next, lastFaultId: _, lastEntryId: __, clockWasTurned: ___, ...rest } = this.rest()
      return { name, ...(hasPets ? { pets: catalogue.pets() } : {}), nextId: normalizeInt64(next), ...rest }
    },
    /** Everything but the animals and the journal. */
    rest(): WorldRest {
      const { choices, latency } = this
      return {
        ...toRest({ ...start, nextId, clock: clock.setting(), choices, latency, faults: faults.list(), random: random.state() }),
        lastFaultId: faults.lastId,
        lastEntryId: journal.lastId,
        clockWasTurned: clock.wasTurned,
      }
    },
  }
}
