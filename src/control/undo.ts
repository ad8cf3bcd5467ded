// What the last change of each world that loses something replaced, so that it can be taken back. Kept within a limit of its own, all
// worlds together: the oldest goes first, and what is larger than the limit cannot be undone.
import { MAX_UNDO_BYTES } from '../limits.ts'

/** A change that can be undone: a scenario was loaded, the world was reset, or the journal was emptied. */
export type Undoable = 'load' | 'reset' | 'requests'

interface Replaced {
  readonly what: Undoable
  /** Roughly the memory that is held for it. */
  readonly bytes: number
  /** Brings it back. */
  restore(): void
}

export interface Undos<Key> {
  /** Replaces what was remembered for that world. */
  remember(key: Key, replaced: Replaced): void
  forget(key: Key): void
  /** Undoes the last change of that world; undefined if nothing is remembered. Nothing is forgotten if it cannot be done. */
  undo(key: Key): Undoable | undefined
}

export function createUndos<Key>(maxBytes = MAX_UNDO_BYTES): Undos<Key> {
  /** The oldest first. */
  const all = new Map<Key, Replaced>()
  let bytes = 0

  function forget(key: Key): void {
    bytes -= all.get(key)?.bytes ?? 0
    all.delete(key)
  }

  return {
    remember(key, replaced) {
      forget(key)
      all.set(key, replaced)
      bytes += replaced.bytes
      while (bytes > maxBytes) forget(all.keys().next().value as Key)
    },
    forget,
    undo(key) {
      const replaced = all.get(key)
      replaced?.restore()
      forget(key)
      return replaced?.what
    },
  }
}
