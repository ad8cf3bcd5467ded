// One response, and whether the engine would have sent it from a state.
import type { State } from '../world/state.ts'
import { findDifference } from './compare.ts'
import type { Exchange } from './exchange.ts'
import { type Choices, type Prediction, predict } from './model.ts'

export interface Judged {
  readonly exchange: Exchange
  /** The state that the request met. */
  readonly before: State
  readonly predictions: readonly Prediction[]
  /** Those that the response fits; none if no choice explains it. */
  readonly fits: readonly Prediction[]
  /** No animal was seen before with the category that the request sends. */
  readonly hasNewCategory: boolean
}

export function judgeRow(exchange: Exchange, before: State, made: Choices): Judged {
  const predictions = predict(exchange, before, made)
  const statuses = new Set(predictions.map(({ status }) => status))
  const fits = predictions.filter((one) => !findDifference(exchange, one, statuses))
  return { exchange, before, predictions, fits, hasNewCategory: false }
}
