// The tester's side of the mock, as plain methods. `methods.ts` gives each of them its HTTP route; the Node server, the Worker, the
// remote client, the command line, the kits and the console all go through these methods.
import type { Coverage } from '../coverage/coverage.ts'
import type { AssumptionChoices, AssumptionId, Int64, NewPet, Pet, PetStatus } from '../generated/contract.ts'
import type { ScenarioReference } from '../scenario/resolve.ts'
import type { ChangeRow } from '../world/change.ts'
import type { Delay, DelayMs, Duration, Fault, LiveFault } from '../world/faults.ts'
import type { LogEntry, LogFilter } from '../world/log-entry.ts'
import type { Scenario, State } from '../world/start.ts'
import type { LoggedRequest } from './logged-request.ts'

/** What a tester can do to one state: the shared one, or that of one sandbox. */
export interface StateControl {
  /** Resets to the loaded scenario: animals, ids, clock, faults, choices and random numbers. Clears the request log. */
  reset(): StateSummary
  /**
   * Replaces the whole state with a shipped scenario, or with a value that extends one or generates animals. Rejects with a UsageError
   * that names every problem, and changes nothing, if it is invalid.
   *
   * @example
   * await control.load('sold-out')
   */
  load(scenario: ScenarioReference): Promise<StateSummary>
  /**
   * Replaces the whole state with a scenario, at once. Throws a UsageError that names every problem, and changes nothing, if it is invalid.
   *
   * @example
   * control.load({ ...scenarios['sold-out'], now: '2030-12-06' })
   */
  load(scenario: Scenario): StateSummary
  /**
   * The whole state as a scenario. Loading it restores the state exactly, without the request log. `pets: false` omits the animals.
   * `before` is the id of a row: the state that it saw, with its moment, frozen, and without API keys.
   *
   * @example
   * control.state({ before: 12 })
   */
  state(options?: StateOptions): State
  /** The scenario's name, the number of animals and the latency, without the cost of the whole state. */
  summary(): StateSummary
  /** Everything that differs from the loaded scenario: animals, clock, latency, faults and choices; with `before`, just before that row. */
  diff(options?: BeforeOption): StateDiff
  /**
   * Requests and changes, in one sequence of ids. A filter on operation, status, method or API key leaves the
   * changes out.
   *
   * @example
   * control.timeline({ limit: 20 })
   */
  timeline(filter?: RequestFilter): TimelineRow[]
  /**
   * Takes one change back and leaves what happened since: by default the latest that is not undone. Undoing an undo is a redo. Throws a
   * UsageError with status 409, and changes nothing, if what it touched has changed since.
   *
   * @example
   * control.undo()
   */
  undo(id?: number): ChangeRow
  /**
   * Goes back to the state before a row, as a whole: animals, next id, faults and their counts, choices, latency, random numbers, clock. It
   * is a change itself, so that it can be undone.
   *
   * @example
   * control.rewind(12)
   */
  rewind(id: number): ChangeRow
  /**
   * Changes the animals by hand, for what happens in a store but no operation of the API can do. A reset takes it
   * back.
   */
  readonly pets: {
    /**
     * Adds an animal under its `id`, or under the next one if it has none, and returns it.
     *
     * @example
     * control.pets.add({ name: 'Rex', categoryId: 3, status: 'available' })
     */
    add(pet: AddedPet): Pet
    /**
     * Changes some fields of an animal, removes those that are null, and returns the animal; throws a UsageError if there is none.
     *
     * @example
     * control.pets.update(1, { status: 'sold' }) // sold meanwhile
     */
    update(id: Int64, changes: PetChanges): Pet
    /** Removes an animal; returns false if there is none with that id. Its id is not given out again. */
    remove(id: Int64): boolean
    /** An animal by its id; undefined if there is none. */
    get(id: Int64): Pet | undefined
    /**
     * One page of the animals that match, with counts: the first 100 in the order of their ids by default.
     *
     * @example
     * const { pets, matches } = control.pets.list({ status: 'sold', search: 'rex', sort: '-id', limit: 20 })
     */
    list(filter?: PetFilter): PetPage
  }
  /** Deliberate misbehaviour of this state; `reset` restores the scenario's. */
  readonly faults: {
    /**
     * Adds a fault after the others, or replaces the one with its `id` in place, and returns it with its id and counters.
     *
     * @example
     * control.faults.add({ operation: 'createPet', status: 503, times: 2, retryAfter: 1 })
     */
    add(fault: Fault): LiveFault
    /** The faults in the order in which they are tried. */
    list(): LiveFault[]
    /** Removes a fault; returns false if there is none with that id. */
    remove(id: string): boolean
    /** Removes every fault. */
    clear(): void
  }
  /**
   * The request log, in the order in which the mock decided them: all of it, or the entries that match the filter.
   * `sandbox: '*'` includes all sandboxes, by default with the last 1,000 requests.
   *
   * @example
   * const [last] = control.requests({ operation: 'createPet', limit: 1 })
   */
  requests(filter?: RequestFilter): LoggedRequest[]
  /** Clears the request log; with `sandbox: '*'` that of all sandboxes too. */
  clearRequests(options?: Pick<RequestFilter, 'sandbox'>): void
  /** The mock's own time, which dates responses and decides when `getPet` is removed. */
  readonly clock: {
    /** The time, and whether it stands still. */
    get(): ClockState
    /**
     * Sets the clock to a date, or a date and time (UTC unless it names a zone). It goes on running, or stays frozen, unless `frozen`
     * is given. With null it follows real time again.
     *
     * @example
     * control.clock.set('2030-12-06', { frozen: true })
     */
    set(now: string | null, options?: ClockOptions): ClockState
    /** Moves the clock, forwards or back: milliseconds, `30s`, `-1d`, or an ISO 8601 duration such as `P1M`. */
    advance(duration: Duration, options?: ClockOptions): ClockState
    /** Stops the clock where it is; `freeze(false)` lets it run on from there. */
    freeze(frozen?: boolean): ClockState
  }
  /** The delay of every response of this state. */
  readonly latency: {
    /** The delay of every response, in milliseconds or between two times; null if there is none. */
    get(): DelayMs | null
    /**
     * Delays every response of the service from now on; null ends that. A reset brings back what the scenario says.
     *
     * @example
     * control.latency.set('200ms-1.5s')
     */
    set(latency: Delay | null): void
  }
  /** Every question that the API leaves open, with the current choice and how many logged requests depend on it. */
  assumptions(): AssumptionState[]
  /**
   * Changes some of the choices; the others stay.
   *
   * @example
   * control.assume({ 'invalid-query': 'clamp' })
   */
  assume(choices: Readonly<Partial<AssumptionChoices>>): void
}

/** The id of a row: just before it. */
export interface BeforeOption {
  /** The id of a request or a change; by default it is about now. */
  readonly before?: number
}

/** What to show of a state, and of when. */
export interface StateOptions extends BeforeOption {
  /** False leaves the animals out, since a state can have millions; true by default. */
  readonly pets?: boolean
}

/** How the clock goes on. */
export interface ClockOptions {
  /** Whether the clock stands still from then on; by default as before. */
  readonly frozen?: boolean
}

/** What a tester can do to a mock: the methods of its shared state, and those for the whole mock. */
export interface Control extends StateControl {
  /** The same methods for the sandbox of one API key; the mock must have been made with `sandbox: true`. */
  sandbox(key: string): StateControl
  /** The API keys that have a sandbox, the one idle longest first. */
  sandboxes(): string[]
  /** Removes a sandbox; returns false if the key has none. */
  removeSandbox(key: string): boolean
  /** The shipped scenarios. */
  scenarios(): ScenarioSummary[]
  /**
   * What has been exercised since the mock was made, in all sandboxes; resets and removed sandboxes lose nothing.
   *
   * @example
   * const { cells } = control.coverage() // { 'listPets': 3, 'listPets.200': 3, 'listPets.limit=absent': 2, … }
   */
  coverage(): Coverage
  /**
   * Calls `listener` on every request and change, in sequence, once the change is complete; returns unsubscribe. A request whose response
   * is delayed at that moment begins for the listener at once.
   *
   * @example
   * const unsubscribe = control.subscribe((event) => console.log(event.type))
   */
  subscribe(listener: (event: MockEvent) => void): () => void
}

/** An animal to add; without an id it gets the next one. */
export type AddedPet = NewPet & { readonly id?: Int64 }

/** Fields to change; null removes one that is optional. */
export type PetChanges = { readonly [Field in keyof NewPet]?: NewPet[Field] | null | undefined }

/** A field of an animal to sort by. */
export type PetColumn = keyof Pet

/** Which animals to list, and in which order. */
export interface PetFilter {
  /** Only animals with this status; `absent`, those without one. */
  readonly status?: PetStatus | 'absent'
  /** Only animals with this in their name or id, in any case, or with this category. */
  readonly search?: string
  /** Only animals that are new or changed since the scenario was loaded. */
  readonly changed?: boolean
  /** A field, after a minus in descending order; `id` by default. */
  readonly sort?: PetColumn | `-${PetColumn}`
  /** Skips this many. */
  readonly offset?: number
  /** At most this many: 100 by default, at most 1,000. */
  readonly limit?: number
}

/** A page of animals. */
export interface PetPage {
  /** The number of all animals. */
  readonly total: number
  /** The number of animals of each status; those without a status count in `total` only. */
  readonly byStatus: Readonly<Record<string, number>>
  /** The number of animals that are new or changed since the scenario was loaded. */
  readonly changed: number
  /** The number of animals that match the filter. */
  readonly matches: number
  /** The animals of this page. */
  readonly pets: readonly Pet[]
  /** Which of `pets` are not as the scenario has them, by the digits of their ids. */
  readonly marks: Readonly<Record<string, 'added' | 'changed'>>
}

/** Which requests to return. */
export interface RequestFilter extends LogFilter {
  /** `*` for the requests of all sandboxes and of the shared state; by default those of this state. */
  readonly sandbox?: '*'
}

/** A shipped scenario in short. */
export interface ScenarioSummary {
  /** The name to load it by. */
  readonly name: string
  /** Its purpose, in one sentence. */
  readonly description: string
  /** The number of animals. */
  readonly pets: number
}

/** A state in a few numbers. */
export interface StateSummary {
  /** The version of the mock. */
  readonly version: string
  /** The name of the loaded scenario. */
  readonly scenario: string
  /** The number of animals. */
  readonly pets: number
  /** The number of animals of each status; those without a status count in `pets` only. */
  readonly byStatus: Readonly<Record<string, number>>
  /** The delay of every response, if the scenario has one: milliseconds, or the shortest and the longest. */
  readonly latency?: DelayMs
  /** The number of sandboxes; absent if the mock has none. */
  readonly sandboxes?: number
}

/** How a state differs from its scenario. */
export interface StateDiff {
  /** The name of the loaded scenario. */
  readonly scenario: string
  /** The animals that are new, have other fields, or are gone. */
  readonly pets: {
    readonly added: readonly Pet[]
    readonly changed: readonly { readonly before: Pet; readonly after: Pet }[]
    readonly removed: readonly Pet[]
  }
  /** Null if it is as the scenario has it; a `now` is null where the clock follows real time. */
  readonly clock: { readonly before: ClockDiff; readonly after: ClockDiff } | null
  /** Null if it is as the scenario has it. */
  readonly latency: { readonly before: DelayMs | null; readonly after: DelayMs | null } | null
  /** A fault that was replaced by another of the same id is in both. */
  readonly faults: { readonly added: readonly LiveFault[]; readonly removed: readonly LiveFault[] }
  /** The choices that differ. */
  readonly assume: readonly { readonly id: AssumptionId; readonly before: string; readonly after: string }[]
}

/** One side of a difference between clocks. */
interface ClockDiff {
  readonly now: string | null
  readonly frozen: boolean
}

/** What the mock's clock shows. */
export interface ClockState {
  /** The mock's time, as an ISO 8601 string in UTC. */
  readonly now: string
  /** Whether it stands still. */
  readonly frozen: boolean
}

/** A question that the API leaves open. */
export interface AssumptionState {
  /** The name to choose by, as in `assume`. */
  readonly id: AssumptionId
  /** What can be chosen. */
  readonly choices: readonly string[]
  /** The current choice. */
  readonly choice: string
  /** The choice unless another is made. */
  readonly default: string
  /** When and where `calibrate` saw the real service make the current choice; absent if it did not. */
  readonly confirmed?: { readonly on: string; readonly against: string }
  /** The number of logged requests that depend on it. */
  readonly uses: number
}

/** Something that happened; `sandbox` is the key of the sandbox, null for the shared state. Frozen. */
export type MockEvent =
  /** A request whose response is delayed; a `request` event with the same entry id says how it ended. */
  | { readonly type: 'begin'; readonly sandbox: string | null; readonly entry: LogEntry }
  | { readonly type: 'request'; readonly sandbox: string | null; readonly entry: LogEntry }
  | { readonly type: 'change'; readonly sandbox: string | null; readonly row: ChangeRow }
  /** A sandbox was created or removed, or a test kit started a state again. */
  | { readonly type: 'sandbox'; readonly sandbox: string | null }

/** A row of the timeline: a request or a change. */
export type TimelineRow = (LoggedRequest & { readonly type: 'request' }) | ChangeRow
