// The live state that a scenario is loaded into. It remembers; it knows nothing of HTTP.

import { ApiError } from '../contract/errors.ts'
import { isInt64, normalizeInt64 } from '../contract/int64-json.ts'
import type { AssumptionChoices, NewPet } from '../generated/contract.ts'
import { type Catalogue, createCatalogue } from './catalogue.ts'
import { type Clock, createClock } from './clock.ts'
import { copyDelay, createFaults, type Delay, drawDelay, type Faults } from './faults.ts'
import { createJournals, type Journal, type Journals } from './journal.ts'
import { createRandom } from './random.ts'
import type { Scenario, Situation } from './situation.ts'
import type { Storage } from './storage.ts'

export interface World {
  /** The name of the scenario that it started from. */
  readonly scenario: string
  readonly catalogue: Catalogue
  readonly clock: Clock
  readonly faults: Faults
  readonly journal: Journal
  /** The current choices for what the interface leaves open. */
  choices: Readonly<AssumptionChoices>
  readonly apiKeys: ReadonlySet<string>
  /** How long every response of the service is delayed; can be changed. */
  latency: Delay | undefined
  /** The latency of the next response, in milliseconds. */
  drawLatency(): number
  /** Stores an animal under the next id; returns its text. */
  store(pet: NewPet): string
  /** The whole world as a scenario; loading it restores the same world. */
  state(): Scenario
}

/** What a world takes from outside. */
export interface WorldSettings {
  /** Milliseconds since the epoch. */
  readonly realTime: () => number
  /** Milliseconds that never jump, for clocks that have been set; real time by default. */
  readonly steadyTime?: (() => number) | undefined
  /** The journals of the mock that the world belongs to. */
  readonly journals?: Journals | undefined
  /** How much memory its animals may take. */
  readonly maxBytes?: number | undefined
  /** The storage of the mock that the world belongs to. */
  readonly storage?: Storage | undefined
}

/** A world at the start of a situation. */
export function createWorld(
  situation: Situation,
  { realTime, steadyTime, journals = createJournals(), maxBytes, storage }: WorldSettings,
): World {
  const catalogue = createCatalogue(situation.shelf, maxBytes, storage)
  const clock = createClock(realTime, situation.clock, steadyTime)
  const random = createRandom(situation.random)
  const faults = createFaults(situation.faults, random)
  let nextId = situation.nextId

  return {
    scenario: situation.name,
    catalogue,
    clock,
    faults,
    journal: journals.create(),
    choices: situation.choices,
    apiKeys: new Set(situation.apiKeys),
    latency: situation.latency,
    drawLatency() {
      return this.latency === undefined ? 0 : drawDelay(this.latency, random)
    },
    store(pet) {
      if (!isInt64(nextId)) throw new ApiError(507, 'No ids left: the last int64 is in use')
      const text = catalogue.add({ id: normalizeInt64(nextId), ...pet })
      nextId++
      return text
    },
    state() {
      return {
        name: situation.name,
        ...(situation.description === '' ? {} : { description: situation.description }),
        pets: catalogue.pets(),
        ...(isInt64(nextId) ? { nextId: normalizeInt64(nextId) } : {}),
        ...(situation.apiKeys.length === 0 ? {} : { apiKeys: [...situation.apiKeys] }),
        ...clock.setting(),
        assume: { ...this.choices },
        ...(this.latency === undefined ? {} : { latency: copyDelay(this.latency) }),
        faults: faults.list(),
        random: random.state(),
      }
    },
  }
}
