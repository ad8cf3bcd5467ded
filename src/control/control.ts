// The tester's side of the mock, as plain methods. `methods.ts` gives each of them its HTTP route.
import type { Coverage } from '../coverage/coverage.ts'
import type { AssumptionChoices, Int64, Pet } from '../generated/contract.ts'
import type { ScenarioReference } from '../scenario/open.ts'
import type { Delay, DelayMs, Duration, Fault, LiveFault } from '../world/faults.ts'
import type { ChangeRow, RequestRow, TimelineRow } from '../world/row.ts'
import type { ReadScenario, Scenario } from '../world/scenario.ts'
import type {
  AddedPet,
  Alternative,
  AssumptionState,
  ClockOptions,
  ClockState,
  DiffOptions,
  OutcomeCount,
  PetChanges,
  PetFilter,
  PetPage,
  RequestFilter,
  ScenarioSummary,
  StateDiff,
  StateOptions,
  StateSummary,
  WhatIf,
  WhatIfChange,
} from './results.ts'

/** What a tester can do to one state: the shared one, or that of one sandbox. */
export interface StateControl {
  /** Calls a method by its name, with its arguments by name: `control.call('clock.set', { now: null })`. */
  call(method: ControlMethod, input?: Readonly<Record<string, unknown>>): Outcome | Promise<Outcome>
  /** Resets to the loaded scenario, random numbers included. `requests` starts again; the timeline stays. */
  reset(): StateSummary
  /**
   * Replaces the whole state with a shipped scenario, or with a value that extends one or generates animals. Rejects
   * with a UsageError that names every problem, and changes nothing, if it is invalid.
   */
  load(scenario: ScenarioReference): Promise<StateSummary>
  /** Replaces the whole state with a scenario, at once. Throws a UsageError, and changes nothing, if it is invalid. */
  load(scenario: Scenario): StateSummary
  /** The whole state as a scenario, which can be loaded; `before` a row it is frozen, and without API keys. */
  state(options?: StateOptions): ReadScenario
  /** The scenario's name, the number of animals and the latency, without the cost of the whole state. */
  summary(): StateSummary
  /** What differs from the loaded scenario, or from the state before the row `since`; now, or before the row `before`. */
  diff(options?: DiffOptions): StateDiff
  /** Requests and changes, in one sequence of ids. A filter on what only requests have leaves the changes out. */
  timeline(filter?: RequestFilter): TimelineRow[]
  /**
   * The timeline as a text to save, with the state before every row and without API keys; `animal-store-mock open`
   * shows it. With `sandbox: '*'` that of all sandboxes, which have numbers instead of their keys.
   */
  recording(options?: Pick<RequestFilter, 'sandbox'>): string
  /**
   * Takes one change back and leaves what happened since: by default the latest that is not undone. Undoing an undo is
   * a redo. Throws a UsageError with status 409, and changes nothing, if what it touched has changed since.
   */
  undo(id?: number): ChangeRow
  /** Goes back to the state before a row, clock and random numbers included. As a change, it can be undone. */
  rewind(id: number): ChangeRow
  /** The response that the request of a row would get from the state before it, with a change. Nothing happens to the mock. */
  whatIf(id: number, change?: WhatIfChange): WhatIf
  /** Single changes that would have changed the response. */
  whatIf(id: number, options: { readonly alternatives: true }): Alternative[]
  /** Changes the animals by hand, for what happens in a store but no operation of the API can do. */
  readonly pets: {
    /** Adds an animal under its `id`, or under the next one if it has none, and returns it. */
    add(pet: AddedPet): Pet
    /** Changes some fields of an animal, and removes those that are null; throws a UsageError if there is none. */
    update(id: Int64, changes: PetChanges): Pet
    /** Removes an animal; returns false if there is none with that id. Its id is not given out again. */
    remove(id: Int64): boolean
    /** An animal by its id; undefined if there is none. */
    get(id: Int64): Pet | undefined
    /** One page of the animals that match, with counts: the first 100 in the order of their ids by default. */
    list(filter?: PetFilter): PetPage
  }
  /** Deliberate misbehaviour of this state; `reset` restores the scenario's. */
  readonly faults: {
    /**
     * Adds a fault after the others, or replaces the one with its `id`, and returns it with its id and counters.
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
   * The requests since the last load, reset or clear, in the order in which the mock decided them: all, or those that
   * match the filter. `sandbox: '*'` includes all sandboxes, by default with the last 1,000 requests.
   */
  requests(filter?: RequestFilter): RequestRow[]
  /** Deletes the requests and the changes of the timeline; with `sandbox: '*'` those of all sandboxes too. */
  clearRequests(options?: Pick<RequestFilter, 'sandbox'>): void
  /** The mock's own time, which dates responses and decides when `getPet` is removed. */
  readonly clock: {
    /** The time, and whether it stands still. */
    get(): ClockState
    /** Sets the clock to a date, or a date and time (UTC unless it names a zone); with null it follows real time again. */
    set(now: string | null, options?: ClockOptions): ClockState
    /** Moves the clock, forwards or back: milliseconds, `30s`, `-1d`, or an ISO 8601 duration such as `P1M`. */
    advance(duration: Duration, options?: ClockOptions): ClockState
    /** Stops the clock where it is; `freeze(false)` lets it run on from there. */
    freeze(frozen?: boolean): ClockState
  }
  /** The delay of every response of this state. */
  readonly latency: {
    /** Milliseconds, or the shortest and the longest; null if there is none. */
    get(): DelayMs | null
    /** Delays every response from now on, such as `200ms-1.5s`; null or `off` ends that. */
    set(latency: Delay | null): void
  }
  /** Every question that the API leaves open, with the current choice and how many logged requests depend on it. */
  assumptions(): AssumptionState[]
  /** Changes some of the choices: `control.assume({ 'invalid-query': 'clamp' })`. The others stay. */
  assume(choices: Readonly<Partial<AssumptionChoices>>): void
}

/** What a method has done. */
export interface Outcome {
  /** What the method returns. */
  readonly result?: unknown
  /** The id of the row that it added to the timeline; undefined if it changed nothing. */
  readonly row?: number | undefined
  /** How many rows match, if the result is the last of them. */
  readonly total?: number
  /** The result as the text that is sent over HTTP, if that can be made without it. */
  print?(): string
}

/** What a tester can do to a mock: the methods of its shared state, and those for the whole mock. */
export interface Control extends StateControl {
  /** The same methods for the sandbox of one API key; the mock must have been made with `sandbox: true`. */
  sandbox(key: string): StateControl
  /** The API keys that have a sandbox, the one idle longest first. */
  sandboxes(): string[]
  /** Removes a sandbox; returns false if the key has none. */
  removeSandbox(key: string): boolean
  /**
   * Replaces every state and the timeline with those of a recording, and stops the clocks at its end. It cannot be undone. Rejects with
   * a UsageError, and changes nothing, if it is invalid.
   */
  openRecording(recording: string, options?: { readonly file?: string }): Promise<ChangeRow>
  /** The shipped scenarios. */
  scenarios(): ScenarioSummary[]
  /** What has been exercised since the mock was made, in all sandboxes; resets and removed sandboxes lose nothing. */
  coverage(options?: { readonly outcomes?: boolean }): Coverage & { readonly outcomes?: readonly OutcomeCount[] }
  /** Calls `listener` on every request and change; returns unsubscribe. Delayed requests begin for it at once. */
  subscribe(listener: (event: MockEvent) => void): () => void
}

/** Something that happened; `sandbox` is the key of the sandbox, null for the shared state. Frozen. */
export type MockEvent =
  /** A request whose response is delayed; a `request` event with the same row id says how it ended. */
  | { readonly type: 'begin' | 'request'; readonly sandbox: string | null; readonly row: RequestRow }
  | { readonly type: 'change'; readonly sandbox: string | null; readonly row: ChangeRow }
  /** A sandbox was created or removed, or a test kit started a state again. */
  | { readonly type: 'sandbox'; readonly sandbox: string | null }

/** `reset`, `pets.get`, `clock.advance` … */
type MethodName<T> = {
  [K in keyof T & string]: T[K] extends (...args: never[]) => unknown ? K : `${K}.${MethodName<T[K]>}`
}[keyof T & string]

/** `sandbox(key)` is the query parameter of the other methods, and `subscribe` is a stream of events. */
export type ControlMethod = MethodName<Omit<Control, 'sandbox' | 'subscribe' | 'call'>>
