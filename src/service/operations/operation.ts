// Every operation: from valid input and a state to the JSON text of its success and the next state,
// or an ApiError.
import type { OperationId, OperationInputs } from '../../contract/generated/contract.ts'
import type { State } from '../../world/state.ts'
import type { World } from '../../world/world.ts'

/** What an operation may see of the call. */
interface Context {
  readonly state: State
  readonly world: Pick<World, 'pages'>
  /** Whether the client gets the body: HEAD does not. */
  readonly isBodySent: boolean
  /** Written by `dependOn` alone. */
  assumptions: number
}

interface Success {
  /** Empty if the response has no body. */
  readonly body: string
  readonly state: State
}

export type Operation<Id extends OperationId> = (
  input: OperationInputs[Id],
  context: Context,
) => Success
