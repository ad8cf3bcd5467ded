// Changes of animals that come in together are written together: the disk is waited for once for all of them, and not once for each.
// Whatever tells of such a change has to wait until it is written.
import type { PetChange } from '../../world/catalogue.ts'

export interface WriteGroup {
  /** Writes the change soon, together with others that come in meanwhile. */
  add(change: PetChange): void
  /** Writes now what is not written yet, for a write that has to come after it. */
  flush(): void
  /** Settles when everything so far is on the disk; undefined if it is. */
  written(): Promise<void> | undefined
}

/** A group takes changes for as long as every turn of the event loop brings more, but for no more turns than this. */
const MAX_TURNS = 16

/** `sync` settles when what was written is on the disk: waiting for it once is cheaper than leaving every response to the platform. */
export function createWriteGroup(write: (changes: readonly PetChange[]) => void, sync: () => Promise<void>): WriteGroup {
  let changes: PetChange[] = []
  /** The group that still takes changes. */
  let open: Promise<void> | undefined
  /** The last group, until it is on the disk: those before it are there earlier. */
  let last: Promise<void> | undefined

  function flush(): void {
    const all = changes
    changes = []
    if (all.length > 0) write(all)
  }

  async function writeSoon(): Promise<void> {
    let before: number
    let turns = 0
    do {
      before = changes.length
      await new Promise((resolve) => setTimeout(resolve, 0))
      turns++
    } while (changes.length > before && turns < MAX_TURNS)
    open = undefined
    flush()
    await sync()
  }

  return {
    add(change) {
      changes.push(change)
      if (open) return
      const group = writeSoon().finally(() => {
        if (last === group) last = undefined
      })
      open = group
      last = group
    },
    flush,
    written: () => last,
  }
}
