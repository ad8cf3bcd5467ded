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
import type { LogEntry } from './log-entry.ts'
import { createRequestLogs, type RequestLogs } from './request-log.ts'
import { createStart, type Start, type State, toSettings } from './start.ts'

export type World = ReturnType<typeof createWorld>

export interface StateOptions {
  /** False leaves the animals out: a world can have millions. */
  readonly pets?: boolean
}

/** A world's settings: everything but its animals and its request log. Its next id is one above the highest int64 once there is none left. */
export interface SavedSettings extends ReturnType<typeof toSettings> {
  readonly lastFaultId: number
  readonly lastEntryId: number
  readonly clockWasTurned: boolean
}

/** A world as a host keeps it, for one that goes on from there. */
export interface SavedWorld {
  readonly settings: SavedSettings
  /** Every change of an animal since the start, in sequence; of several changes of one animal the last is enough. */
  readonly pets: readonly PetChange[]
  readonly requestLog: readonly LogEntry[]
  /** The time since then, in milliseconds. */
  readonly awayMs: number
}

/** What a world takes from outside; the request logs and the memory are those of its mock. */
export interface Surroundings {
  /** Milliseconds since the epoch. */
  readonly realTime: () => number
  /** Milliseconds that never jump, for clocks that have been set; real time by default. */
  readonly steadyTime?: (() => number) | undefined
  readonly requestLogs?: RequestLogs | undefined
  readonly memory?: Memory | undefined
  /** Called after every change of an animal. */
  readonly onPetChange?: ((change: PetChange) => void) | undefined
}

/** A world at its start, or as it was saved after that; with a key, that of a sandbox. */
export function createWorld(start: Start, surroundings: Surroundings, saved?: SavedWorld, key?: string) {
  const { realTime, steadyTime, requestLogs = createRequestLogs(), memory = createMemory(), onPetChange } = surroundings
  const from = saved ? createStart(saved.settings) : start
  const catalogue = createCatalogue(start.shelf, memory, onPetChange)
  const clock = createClock(realTime, saved ? passTime(from.clock, saved.awayMs) : from.clock, steadyTime, saved?.settings.clockWasTurned)
  const random = createRandom(from.random)
  const faults = createFaults(from.faults, random, saved?.settings.lastFaultId)
  const requestLog = requestLogs.create(from.apiKeys, key)
  let nextId = from.nextId
  if (saved) {
    catalogue.restore(saved.pets)
    // The service takes the next id with every animal that it adds, and only the animal is recorded; those of the scenario do not count.
    for (const { id } of saved.pets) if (BigInt(id) >= nextId && BigInt(id) >= start.nextId) nextId = BigInt(id) + 1n
    requestLog.restore(saved.requestLog, saved.settings.lastEntryId)
  }

  return {
    /** The name of the scenario that it started from. */
    scenario: from.name,
    catalogue,
    clock,
    faults,
    requestLog,
    calibrated: from.calibrated,
    /** The current choices for what the spec leaves open. */
    choices: from.choices as Readonly<AssumptionChoices>,
    apiKeys: new Set(from.apiKeys) as ReadonlySet<string>,
    latency: from.latency as Delay | undefined,
    surprise: from.surprise && createRespond(from.surprise),
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
      const { name, nextId: next, lastFaultId: _, lastEntryId: __, clockWasTurned: ___, ...settings } = this.settings()
      return { name, ...(hasPets ? { pets: catalogue.pets() } : {}), nextId: normalizeInt64(next), ...settings }
    },
    /** Everything but the animals and the request log. */
    settings(): SavedSettings {
      const { choices, latency } = this
      return {
        ...toSettings({ ...from, nextId, clock: clock.setting(), choices, latency, faults: faults.list(), random: random.state() }),
        lastFaultId: faults.lastId,
        lastEntryId: requestLog.lastId,
        clockWasTurned: clock.wasTurned,
      }
    },
  }
}
