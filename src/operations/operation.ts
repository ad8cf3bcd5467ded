// What every operation is: a function from valid input to the JSON text of its success, or an ApiError.
import type { AssumptionId, OperationId, OperationInputs } from '../generated/contract.ts'
import type { World } from '../world/world.ts'

/** What an operation works with, beside its input. */
export interface Context {
  readonly world: World
  /** The open questions that the response rests on; an operation adds its own. */
  readonly assumptions: AssumptionId[]
}

export type Operation<Id extends OperationId> = (input: OperationInputs[Id], context: Context) => string
