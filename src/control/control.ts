// The tester's side of the mock, as types. The compiler asks for a row in `methods.ts` and a
// function for each method.
import type { AssumptionId, Int64, NewPet, Pet, PetStatus } from '../contract/generated/contract.ts'
import type { ScenarioReference } from '../scenario/open.ts'
import type { RequestChange } from '../service/call.ts'
import type { Coverage } from '../service/coverage.ts'
import type { Delay, DelayMs, Duration, Fault, LiveFault } from '../world/faults.ts'
import type { ChangeRow, RequestRow, TimelineRow } from '../world/row.ts'
import type { LogFilter } from '../world/row-filter.ts'
import type { AddedPet, GivenScenario, ReadScenario, SomeChoices } from '../world/scenario.ts'
import type { ReleaseAs } from '../world/waiting.ts'
import type { RecordingSource } from '../world/worlds.ts'
import type { Expectation } from './rows/verdict.ts'

/** What a tester can do to one state: the shared one, or that of one sandbox. */
export interface StateControl {
  /**
   * Calls a method by name, with one object of fields:
   * `control.call('pets.update', { id: 1, status: 'sold' })`.
   */
  call(name: ControlMethod, input?: Readonly<Record<string, unknown>>): Result | Promise<Result>
  /** Returns to the loaded scenario. `requests` starts again; the timeline stays. */
  reset(): StateSummary
  /**
   * Replaces the state; an invalid scenario changes nothing. Surprises stay unless the scenario
   * sets `surprise`.
   */
  load(scenario: ScenarioReference): Promise<StateSummary>
  /** Loads a scenario at once. Throws a UsageError, and changes nothing, if it is invalid. */
  load(scenario: GivenScenario): StateSummary
  /** The whole state as a scenario; `before` a row it is frozen, and without API keys. */
  state(options?: StateOptions): ReadScenario
  /** The scenario's name, the number of animals and the latency. */
  summary(): StateSummary
  /** What differs from the loaded scenario. */
  diff(options?: DiffOptions): StateDiff
  /** Requests and changes in their order. Filtering on a request-only field hides the changes. */
  timeline(filter?: RequestFilter): TimelineRow[]
  /** The timeline as a text to save, without API keys. */
  recording(options?: RecordingOptions): string
  /**
   * Takes back one change, by default the latest. Undoing a load, reset or rewind also undoes
   * everything after it.
   */
  undo(id?: number): ChangeRow
  /** Goes back to the whole state before a row. */
  rewind(id: number): ChangeRow
  /** The response that a row's request would have got with a change. The mock stays as it is. */
  whatIf(id: number, change?: WhatIfChange): WhatIf
  /**
   * Which responses from this row on would have differed, if the change had been made before it.
   */
  whatIf(id: number, change: WhatIfChange & OnwardOptions): Onward
  /** Single changes that would have changed the response. */
  whatIf(id: number, options: { readonly alternatives: true }): Alternative[]
  /**
   * Makes the end of what if onward the present state, as one change of the whole state.
   */
  makeReal(id: number, change?: WhatIfChange): ChangeRow
  /**
   * Changes the animals by hand, for what happens in a store but no operation of the API can do.
   */
  readonly pets: {
    /** Adds an animal under its `id`, or under the next one. */
    add(pet: AddedPet): Pet
    /**
     * Changes some fields of an animal; a null `status` removes it. Throws if no animal has that
     * id.
     */
    update(id: Int64, changes: PetChanges): Pet
    /** Removes an animal; false if there is none with that id. */
    remove(id: Int64): boolean
    /** An animal by its id; undefined if there is none. */
    get(id: Int64): Pet | undefined
    /** One page of the animals that match, with counts. */
    list(filter?: PetFilter): PetPage
  }
  /** Deliberate misbehaviour of this state; `reset` restores the scenario's. */
  readonly faults: {
    /** Adds a fault, or replaces the one with its `id`. */
    add(fault: Fault): LiveFault
    /** The faults in the order in which they are tried. */
    list(): LiveFault[]
    /** Removes a fault; false if there is none with that id. */
    remove(id: string): boolean
    /** Removes all faults. */
    clear(): void
  }
  /** The requests since the last load, reset or clear. */
  requests(filter?: RequestFilter): RequestRow[]
  /** Whether the mock has received the expected requests since the last load, reset or clear. */
  verify(expected: Expectation): Verification
  /** The requests whose responses a fault holds, the oldest first. */
  held(): RequestRow[]
  /**
   * Lets one waiting response go, held or delayed, or without an id all of them; returns the ids of
   * their rows. `as` replaces what is sent, such as `{ status: 503 }`: the operation has run.
   */
  release(id?: number, as?: ReleaseAs): number[]
  /**
   * Deletes all earlier rows of the timeline, except requests whose response is still delayed or
   * held.
   */
  clearRequests(options?: Pick<RequestFilter, 'sandbox'>): void
  /** The mock's own time, which dates responses and decides when `getPet` is removed. */
  readonly clock: {
    /** The time, and whether it stands still. */
    get(): ClockState
    /** Sets the clock to a date, in UTC unless it names a zone; null follows real time again. */
    set(now: string | null, options?: ClockOptions): ClockState
    /** Moves the clock, forwards or back: milliseconds, `30s`, `-1d` or `PT30M`. */
    advance(duration: Duration, options?: ClockOptions): ClockState
    /** Stops the clock; `freeze(false)` lets it run on. */
    freeze(frozen?: boolean): ClockState
  }
  /** The delay of every response of this state. */
  readonly latency: {
    /** Milliseconds, or the shortest and the longest; null if there is none. */
    get(): DelayMs | null
    /** Delays every response: `200ms-1.5s`; null or `off` turns it off. */
    set(latency: Delay | null): void
  }
  /** Which API keys are valid in this state. */
  readonly keys: {
    /** The valid keys, in full; null if any is, except `invalid`. */
    get(): readonly string[] | null
    /** Makes only these keys valid, or with an empty list none; null makes any key valid. */
    set(keys: readonly string[] | null): void
  }
  /** The questions that the API leaves open, with the current choices, or those `before` a row. */
  assumptions(options?: BeforeOption): AssumptionState[]
  /** Changes some choices: `assume({ 'invalid-query': 'clamp' })`. */
  assume(choices: SomeChoices): void
}

/** What a call of a method by its name gives. */
export interface Result {
  /** What the method returns. */
  readonly result?: unknown
  /** The id of the row that it added to the timeline; undefined if it changed nothing. */
  readonly row?: number | undefined
  /** How many rows match, if the result is the last of them. */
  readonly total?: number
  /** The result as the text that is sent over HTTP, if that can be made without it. */
  print?(): string
  /** The same result, made while other clients are served. */
  inTurns?(): Promise<unknown>
}

/**
 * What a tester can do to a mock: the methods of its shared state, and those for the whole mock.
 */
export interface Control extends StateControl {
  /**
   * The methods that concern one state, for the sandbox of this API key; the mock must have
   * `sandbox: true`.
   */
  sandbox(key: string): StateControl
  /** The API keys that have a sandbox. */
  sandboxes(): string[]
  /** Removes a sandbox; false if the key has none. */
  removeSandbox(key: string): boolean
  /** Replaces every state and the timeline with a recording. */
  openRecording(
    recording: string,
    options?: { readonly file?: string | undefined },
  ): Promise<ChangeRow>
  /** The shipped scenarios. */
  scenarios(): ScenarioSummary[]
  /** What was tried since the mock was made, in all sandboxes. */
  coverage(options?: {
    readonly outcomes?: boolean | undefined
  }): Coverage & { readonly outcomes?: readonly OutcomeCount[] }
  /** Calls `listener` on every request and change; returns unsubscribe. */
  subscribe(listener: (event: MockEvent) => void): () => void
}

/**
 * Something that happened; `sandbox` is the key of the sandbox, null for the shared state. Frozen.
 */
export type MockEvent =
  /**
   * A request whose response is delayed; a `request` event with the same row id says how it ended.
   */
  | {
      readonly type: 'begin' | 'request'
      readonly sandbox: string | null
      readonly row: RequestRow
    }
  | { readonly type: 'change'; readonly sandbox: string | null; readonly row: ChangeRow }
  /** A sandbox was created or removed, or a test kit started a state again. */
  | { readonly type: 'sandbox'; readonly sandbox: string | null }

type MethodName<T> = {
  [K in keyof T & string]: T[K] extends (...args: never[]) => unknown
    ? K
    : `${K}.${MethodName<T[K]>}`
}[keyof T & string]

/**
 * `sandbox(key)` is the query parameter of the other methods, and `subscribe` is a stream of
 * events.
 */
export type ControlMethod = MethodName<Omit<Control, 'sandbox' | 'subscribe' | 'call'>>

/** Just before the row with this id, a request or a change; by default now. */
export type BeforeOption = { readonly before?: number | undefined }

/** With the state just before the row `since`; by default with the scenario. */
export type DiffOptions = BeforeOption & { readonly since?: number | undefined }

/**
 * With `pets: false` the animals are left out, since a state can have millions; true by default.
 */
export type StateOptions = BeforeOption & { readonly pets?: boolean | undefined }

/** Whether the clock stands still from then on; by default as before, but with `null` it runs. */
export type ClockOptions = { readonly frozen?: boolean | undefined }

/** What to change about the moment of a request. You can combine the fields. */
export interface WhatIfChange {
  /** Without any fault, or without the faults with these ids. */
  readonly without?: 'faults' | readonly string[] | undefined
  /** Other choices for what the API leaves open. */
  readonly assume?: SomeChoices | undefined
  /** Another latency; null for none. */
  readonly latency?: Delay | null | undefined
  /** Another moment, such as `2030-12-06`. */
  readonly at?: string | undefined
  /** With these faults too; one without an `id` is called `what-if-1`, and so on. */
  readonly with?: readonly Fault[] | undefined
  /**
   * Other animals, by their ids: `{ 7: { status: 'sold' }, 8: null }`. Null removes one. For an id
   * that is not there, name every required field.
   */
  readonly pets?: Readonly<Record<string, PetChanges | null>> | undefined
  /**
   * Another request: the rest stays; null leaves the body or a field out. A body other than text is
   * sent as JSON.
   */
  readonly request?: RequestChange | undefined
}

type EndingField = 'status' | 'outcome' | 'error'
type Imagined =
  | EndingField
  | 'id'
  | 'durationMs'
  | 'problems'
  | 'assumptions'
  | 'faults'
  | 'notes'
  | 'response'

/** What the row of a request would have been. */
export interface WhatIf extends Pick<RequestRow, Imagined> {
  /** What the request would change in the state. */
  readonly after: StateDiff
  /**
   * How it differs from the sent response, whose `status` it names, ignoring Date; null if it does
   * not.
   */
  readonly differs: Readonly<{
    status: number | null
    headers: readonly string[]
    body: boolean
  }> | null
}

/** For what if onward. */
export interface OnwardOptions {
  /** Goes on with the later rows. */
  readonly onward: true
  /** Lists all rows, not only those that would differ. @default false */
  readonly all?: boolean | undefined
}

/** Which rows would have differed, from one row on to the present. */
export interface Onward {
  /** The rows that would differ or cannot be answered, and the changes with a note. */
  readonly rows: readonly OnwardRow[]
  /** The number of requests that it went through. */
  readonly considered: number
  /** How many of their responses would differ. */
  readonly differing: number
  /** The row before which it stopped, since one call takes 1,000 rows; null at the present. */
  readonly stoppedAt: number | null
  /** How the state would differ at the end: `after` is the imagined one. */
  readonly after: StateDiff
  /** What it cannot know. */
  readonly note: string
}

/** A row of the imagined line: a request, or a change that a tester made. */
export type OnwardRow = OnwardRequest | OnwardChange

/** A request, and the response that it would get in the imagined line. */
export interface OnwardRequest extends Pick<RequestRow, 'type' | 'id' | 'method' | 'target'> {
  /** What the mock decided, even if the client left before. */
  readonly was: Pick<RequestRow, 'status' | 'outcome'>
  /** The response; null if the mock cannot know it. */
  readonly would: OnwardResponse | null
  /** As in `WhatIf`. */
  readonly differs: WhatIf['differs']
  /** Why there is no response, or which id it was asked with. */
  readonly note: string | null
}

/** The response of a row in an imagined line. */
export type OnwardResponse = Pick<WhatIf, Exclude<Imagined, 'id'>>

/** A change of a tester in the imagined line. */
export interface OnwardChange extends Pick<ChangeRow, 'type' | 'id' | 'text'> {
  /** Why it cannot be made there, or that both lines meet again. */
  readonly note: string | null
}

/**
 * How many logged `requests` would get another status if this `assumption` had another `choice`.
 */
export type OutcomeCount = {
  readonly assumption: AssumptionId
  readonly choice: string
  readonly requests: number
}

/** A single `change` that gives another response. The status is null if the mock cannot say. */
export type Alternative = { readonly change: WhatIfChange } & (
  | Pick<WhatIf, EndingField>
  | { readonly status: null; readonly error: string }
)

/** Fields to change; null removes one that is optional. */
export type PetChanges = { readonly [Field in keyof NewPet]?: NewPet[Field] | null | undefined }

/** A field of an animal to sort by. */
export type PetColumn = keyof Pet

/** Which animals to list, and in which order. */
export interface PetFilter extends BeforeOption {
  /** Only animals with this status, or `absent` for animals without one. */
  readonly status?: PetStatus | 'absent' | undefined
  /** Only animals with this in their name or id, in any case, or with this category. */
  readonly search?: string | undefined
  /** Only animals that are new or changed since the scenario was loaded. */
  readonly changed?: boolean | undefined
  /** A field, after a minus in descending order; `id` by default. */
  readonly sort?: PetColumn | `-${PetColumn}` | undefined
  /** Skips this many. */
  readonly offset?: number | undefined
  /** At most this many: 100 by default, at most 1,000. */
  readonly limit?: number | undefined
}

/** One page of the animals that match a filter. */
export type PetPage = Readonly<{
  /** The number of all animals. */
  total: number
  /** The number of animals of each status; `absent` for those without one. */
  byStatus: Readonly<Record<string, number>>
  /** The number of animals that are new or changed since the scenario was loaded. */
  changed: number
  /** The number of animals that match the filter. */
  matches: number
  /** The animals of this page. */
  pets: readonly Pet[]
  /** Which of `pets` differ from the scenario, by their ids. */
  marks: Readonly<Record<string, 'added' | 'changed'>>
}>

/** Which requests to return: all of this state by default, of all sandboxes with `sandbox: '*'`. */
export type RequestFilter = LogFilter & { readonly sandbox?: '*' | undefined }

/** Which rows a recording has; all by default. */
export type RecordingOptions = Pick<RequestFilter, 'sandbox'> & {
  /** Only these: ids and ranges of them, such as `12,15-40`. Excludes `last`. */
  readonly rows?: string | undefined
  /** Only the last n. */
  readonly last?: number | undefined
}

/** Whether the mock has received the expected requests. */
export type Verification = Readonly<{
  ok: boolean
  /** The number of matching requests. */
  count: number
  /** What was received, and what differs, in words. */
  message: string
  /** The requests that differ least, by their ids, unless `ok`. */
  nearest: readonly Readonly<{
    id: number
    differences: readonly Readonly<{ path: string; expected: string; got: string }>[]
  }>[]
}>

/** A shipped scenario. */
export type ScenarioSummary = {
  readonly name: string
  readonly description: string
  readonly pets: number
}

/** A state in brief. */
export type StateSummary = Readonly<{
  /** The version of the mock. */
  version: string
  /** The name of the loaded scenario. */
  scenario: string
  /** The number of animals. */
  pets: number
  /** The number of animals of each status; `absent` for those without one. */
  byStatus: Readonly<Record<string, number>>
  /**
   * The delay of every response: milliseconds, or the shortest and the longest; absent if there is
   * none.
   */
  latency?: DelayMs
  /** The number of sandboxes; absent if the mock was started without them. */
  sandboxes?: number
  /** The recording that the mock shows, the version that made it, and when. */
  recording?: RecordingSource
  /** The page that opens links to recordings; absent for that of the site. */
  player?: string
}>

/**
 * How a state differs from its `scenario`: null or empty where it does not. A `Pair` has `before`
 * and `after`.
 */
export type StateDiff = Readonly<{
  scenario: string
  /** Whether that is a shipped scenario as it is: options change one under the same name. */
  isShipped?: true
  pets: {
    readonly added: readonly Pet[]
    readonly changed: readonly Pair<Pet>[]
    readonly removed: readonly Pet[]
  }
  /** `now` is null while the clock follows real time. */
  clock: Pair<{ readonly now: string | null; readonly frozen: boolean }> | null
  latency: Pair<DelayMs | null> | null
  /** Only the ends of the keys. */
  apiKeys: Pair<readonly string[]> | null
  /**
   * A replaced fault is in `added` and `removed`; with `since`, `used` lists those that applied.
   */
  faults: Readonly<{
    added: readonly LiveFault[]
    removed: readonly LiveFault[]
    used?: readonly Pair<LiveFault>[]
  }>
  assume: readonly ({ readonly id: AssumptionId } & Pair<string>)[]
}>

type Pair<T> = { readonly before: T; readonly after: T }

/** The mock's time. */
export type ClockState = { readonly now: string; readonly frozen: boolean }

/** A question that the API leaves open. */
export type AssumptionState = Readonly<{
  id: AssumptionId
  choices: readonly string[]
  choice: string
  default: string
  /**
   * When and where `calibrate` saw the real service make the current choice; absent if it did not.
   */
  confirmed?: { readonly on: string; readonly against: string }
  /** The number of logged requests that depend on it. */
  uses: number
}>
