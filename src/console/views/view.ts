// What every view is given.
import type { Actions } from '../state/actions.ts'
import type { ConsoleState } from '../state/console-state.ts'
import type { Navigation } from '../state/use-address.ts'
import type { WorldView } from '../state/world-view.ts'

export interface ViewProps extends Navigation {
  readonly state: ConsoleState
  readonly world: WorldView
  readonly actions: Actions
  /** The address of something in this world. */
  link(view: string, part?: string): string
}
