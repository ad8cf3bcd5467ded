// What a calibration comes to.
import type { AssumptionId } from '../contract/generated/contract.ts'
import type { ScenarioDocument } from '../scenario/document.ts'

/** What a check comes to. */
export type Verdict =
  | 'confirmed'
  | 'differs'
  | 'no choice fits'
  | 'violates the spec'
  | 'violates HTTP'
  | 'another API version?'
  | 'undecided'
  | 'could not check'

/** What the responses show about one question, or one deviation. */
export interface Finding {
  /** The same in every run: the class, the operation or assumption, the place in the spec. */
  readonly id: string
  /** What the check comes to. */
  readonly verdict: Verdict
  /** An assumption, an operation, or a request outside the spec. */
  readonly subject: string
  /** What was seen, or why nothing was. */
  readonly detail: string
  /** The first requests that show it, by their places in the file or among the probes. */
  readonly rows: readonly number[]
  /** It is known, and does not count. */
  readonly isAccepted: boolean
}

/** How a service compares with the spec and with the choices made. */
export interface Calibration {
  /** `could not check` if nothing differs, but a check could not be made. */
  readonly outcome: 'matches' | 'differs' | 'could not check'
  /** Deviations, then an answer to each question that the spec leaves open. */
  readonly findings: readonly Finding[]
  /** What others changed meanwhile, what was not seen, and what was left out. */
  readonly notes: readonly string[]
  /** The requests that were judged, and those that the scenario explains. */
  readonly rows: { readonly judged: number; readonly explained: number }
  /** The animals at the start, and the choices; `calibrated` says when and where. */
  readonly scenario: ScenarioDocument
}

export const DEVIATIONS: readonly Verdict[] = [
  'differs',
  'no choice fits',
  'violates the spec',
  'violates HTTP',
  'another API version?',
]

/** Why nothing shows a choice, if nothing was meant to. */
export type Reasons = Readonly<Partial<Record<AssumptionId, string>>>
