// What every view is given.
import type { Actions } from './actions.ts'
import type { ConsoleState } from './console-state.ts'
import type { WorldView } from './world-view.ts'

export interface ViewProps {
  readonly state: ConsoleState
  readonly world: WorldView
  readonly actions: Actions
}
