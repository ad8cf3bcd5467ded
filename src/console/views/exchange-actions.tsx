// What a person can do with a request that they see.
import type { Actions } from '../state/actions.ts'
import { type ConsoleState, isTemplate } from '../state/console-state.ts'
import type { ShownEntry } from '../state/filter-traffic.ts'
import { sendRequest } from '../state/send-request.ts'
import { isCut, toServiceRequest } from '../state/to-entry-request.ts'
import type { WorldView } from '../state/world-view.ts'

interface ExchangeActionsProps {
  readonly entry: ShownEntry
  readonly state: ConsoleState
  readonly world: WorldView
  readonly actions: Actions
  onEdit(): void
  /** Goes to the scenario that is being edited. */
  onScenario(): void
}

export function ExchangeActions({ entry, state, world, actions, onEdit, onScenario }: ExchangeActionsProps) {
  const { operation, sandbox } = entry
  // In the world that new sandboxes start from there is nobody to fail.
  const isReached = !isTemplate(state) || sandbox !== null
  const sendAgain = async () => {
    const answer = await sendRequest(toServiceRequest(entry, state, world))
    actions.say('failure' in answer ? answer.failure : `Sent again; the response is ${answer.status}`)
  }
  const makeScenario = async () => {
    if (await actions.editExchange(entry)) onScenario()
  }
  return (
    <div class="buttons">
      <button
        type="button"
        class="button"
        disabled={isCut(entry.request.body)}
        title={isCut(entry.request.body) ? 'The journal does not have the whole body' : ''}
        onClick={sendAgain}
      >
        Send again
      </button>
      <button type="button" class="button" onClick={onEdit}>
        Edit and send
      </button>
      {operation !== null && isReached && (
        <button type="button" class="button" onClick={() => actions.failOperation(operation, sandbox)}>
          Fail {operation}
        </button>
      )}
      {isReached && (
        <button type="button" class="button" onClick={makeScenario}>
          Make a scenario
        </button>
      )}
    </div>
  )
}
