// What the control methods take and return.
import type { AssumptionChoices, AssumptionId, Int64, NewPet, Pet, PetStatus } from '../generated/contract.ts'
import type { Delay, DelayMs, LiveFault } from '../world/faults.ts'
import type { LogFilter, RequestRow } from '../world/row.ts'

/** Just before the row with this id, a request or a change; by default now. */
export type BeforeOption = { readonly before?: number }

/** With the state just before the row `since`; by default with the scenario. */
export type DiffOptions = BeforeOption & { readonly since?: number }

/** With `pets: false` the animals are left out, since a state can have millions; true by default. */
export type StateOptions = BeforeOption & { readonly pets?: boolean }

/** Whether the clock stands still from then on; by default as before. */
export type ClockOptions = { readonly frozen?: boolean }

/** What to change about a moment; several at once are possible. */
export interface WhatIfChange {
  /** Without any fault, or without those with these ids. */
  readonly without?: 'faults' | readonly string[]
  readonly assume?: Readonly<Partial<AssumptionChoices>>
  /** Another latency; null for none. */
  readonly latency?: Delay | null
  /** Another moment, such as `2030-12-06`. */
  readonly at?: string
  /** Another request: what is not named stays, and null leaves a header field out. */
  readonly request?: {
    readonly method?: string
    readonly target?: string
    readonly headers?: Readonly<Record<string, string | null>>
    readonly body?: string
  }
}

/** A response that was not sent, to the request of the row `id`. */
export interface WhatIf extends Pick<RequestRow, 'id' | 'status' | 'problems' | 'assumptions' | 'faults' | 'notes'> {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly drop: boolean
  /** In milliseconds. */
  readonly delay: number
  /** Why it would be refused; null if it would not. */
  readonly reason: string | null
  /** What the request would change in the state. */
  readonly after: StateDiff
  /** How it differs from the sent response, ignoring Date; null if it does not. */
  readonly differs: { readonly status: number | null; readonly headers: readonly string[]; readonly body: boolean } | null
}

/** How many requests of the log would get another status under another choice. */
export type OutcomeCount = { readonly assumption: AssumptionId; readonly choice: string; readonly requests: number }

/** A change that gives another response. */
export interface Alternative extends Pick<WhatIf, 'status' | 'reason'> {
  readonly change: WhatIfChange
  readonly isOtherStatus: boolean
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

/** A shipped scenario in short: the name to load it by, its purpose in one sentence, its number of animals. */
export type ScenarioSummary = { readonly name: string; readonly description: string; readonly pets: number }

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
  /** The present delay of every response: milliseconds, or the shortest and the longest; absent if there is none. */
  readonly latency?: DelayMs
  /** The number of sandboxes; absent if the mock was started without them. */
  readonly sandboxes?: number
  /** The recording that the mock shows, the version that made it, and when. */
  readonly recording?: { readonly file: string; readonly version: string; readonly madeAt: string }
}

/** How a state differs from its scenario. */
export interface StateDiff {
  /** The name of the loaded scenario. */
  readonly scenario: string
  /** The animals that are new, have other fields, or are gone. */
  readonly pets: { readonly added: readonly Pet[]; readonly changed: readonly Pair<Pet>[]; readonly removed: readonly Pet[] }
  /** Null if it is as the scenario has it; a `now` is null where the clock follows real time. */
  readonly clock: Pair<{ readonly now: string | null; readonly frozen: boolean }> | null
  /** Null if it is as the scenario has it. */
  readonly latency: Pair<DelayMs | null> | null
  /** A fault that was replaced by another of the same id is in both. */
  readonly faults: { readonly added: readonly LiveFault[]; readonly removed: readonly LiveFault[] }
  /** The choices that differ. */
  readonly assume: readonly ({ readonly id: AssumptionId } & Pair<string>)[]
}

type Pair<T> = { readonly before: T; readonly after: T }

/** What the mock's clock shows, as an ISO 8601 string in UTC, and whether it stands still. */
export type ClockState = { readonly now: string; readonly frozen: boolean }

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
