// The change log of a world. A world is a map of items: an animal, a choice, a fault, its counts, the next id, the clock … The owner of an
// item notes here what it was before each change. The length of the log is the revision, so that two numbers tell what a row changed.

export type ChangeLog = ReturnType<typeof createChangeLog>

/** Holds the items of one kind: `pet 7` by the id `7`, and `next-id`, which is alone, by an empty one. */
export interface Holder {
  get(id: string): unknown
  /** Notes the change, unless there is none. Undefined takes the item away. */
  set(id: string, value: never): void
}

/** One item that is alone in its kind. */
export interface Cell<T> {
  readonly value: T
  set(next: T): void
}

/** What a change takes besides what it notes. */
const CHANGE_BYTES = 128
/** Changes that are forgotten together, since the rest of the log moves each time. */
const BATCH = 1_000

export function createChangeLog() {
  // Three lists instead of one of objects: V8 would allocate those in old space, since all of them live long at first.
  let kinds: string[] = []
  let ids: string[] = []
  let befores: unknown[] = []
  /** How many changes are no longer in the lists. */
  let forgotten = 0
  /** The first revision that is still known. */
  let known = 0
  let bytes = 0
  const holders = new Map<string, Holder>()
  const find = (item: string) => {
    const [kind] = item.split(' ', 1) as [string]
    return { holder: holders.get(kind) as Holder, id: item.slice(kind.length + 1) }
  }

  /** Notes what an item is before it changes. The holder knows how many characters it takes, if those are many. */
  function note(kind: string, id: string, before: unknown, characters = 0): void {
    kinds.push(kind)
    ids.push(id)
    befores.push(before)
    bytes += CHANGE_BYTES + 2 * characters
  }

  return {
    note,
    get(item: string): unknown {
      const { holder, id } = find(item)
      return holder.get(id)
    },
    /** Gives an item another value, through its holder. */
    set(item: string, value: unknown): void {
      const { holder, id } = find(item)
      holder.set(id, value as never)
    },
    hold: (kind: string, holder: Holder) => void holders.set(kind, holder),
    cell<T>(kind: string, initial: T): Cell<T> {
      const cell = {
        value: initial,
        set(next: T): void {
          if (next === cell.value) return
          note(kind, '', cell.value)
          cell.value = next
        },
      }
      holders.set(kind, { get: () => cell.value, set: (_, value) => cell.set(value) })
      return cell
    },
    /** The number of changes so far. */
    get revision(): number {
      return forgotten + kinds.length
    },
    /** Roughly the memory that all changes have taken, forgotten ones too. */
    get bytes(): number {
      return bytes
    },
    /** False if the changes since then are no longer all known. */
    knows: (revision: number) => revision >= known,
    /** The items that changed between two revisions, such as `pet 7`, with what they were at the first. */
    between(from: number, to = forgotten + kinds.length): Map<string, unknown> {
      const changed = new Map<string, unknown>()
      for (let index = from - forgotten; index < to - forgotten; index++) {
        const item = ids[index] === '' ? (kinds[index] as string) : `${kinds[index]} ${ids[index]}`
        if (!changed.has(item)) changed.set(item, befores[index])
      }
      return changed
    },
    /** Forgets the changes before a revision; their places in the lists are given back when there are more of them. */
    forget(revision: number): void {
      for (; known < revision; known++) befores[known - forgotten] = undefined
      const count = revision - forgotten
      if (count === 0 || count < Math.min(BATCH, kinds.length)) return
      kinds = kinds.slice(count)
      ids = ids.slice(count)
      befores = befores.slice(count)
      forgotten = revision
    },
  }
}
