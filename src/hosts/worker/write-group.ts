// Changes of animals that come in together are written together: the disk is waited for once for all of them, and not once for each.
// Whatever tells of such a change has to wait until it is written.
import type { PetChange } from '../../world/catalogue.ts'

export interface WriteGroup {
  /** Writes the change within this turn of the event loop or the next. */
  add(change: PetChange): void
  /** Writes now what is not written yet, for a write that has to come after it. */
  flush(): void
  /** Settles when everything so far is written; undefined if it is. */
  written(): Promise<void> | undefined
}

export function createWriteGroup(write: (change: PetChange) => void): WriteGroup {
  let changes: PetChange[] = []
  let writing: Promise<void> | undefined

  function flush(): void {
    const all = changes
    changes = []
    for (const change of all) write(change)
  }

  async function writeNextTurn(): Promise<void> {
    // By then the requests that have arrived by now have been answered too.
    await new Promise((resolve) => setTimeout(resolve, 0))
    writing = undefined
    flush()
  }

  return {
    add(change) {
      changes.push(change)
      writing ??= writeNextTurn()
    },
    flush,
    written: () => writing,
  }
}
