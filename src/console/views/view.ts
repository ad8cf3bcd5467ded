// What every view is given.
import type { Actions } from '../state/actions.ts'
import type { ConsoleState } from '../state/console-state.ts'
import type { WorldView } from '../state/world-view.ts'

export interface ViewProps {
  readonly state: ConsoleState
  readonly world: WorldView
  readonly actions: Actions
}
