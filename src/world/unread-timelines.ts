// Timelines for a mock whose rows nothing reads: they count the rows and keep none.
import { type Memory, NOTHING } from './memory.ts'
import type { Timeline, Timelines } from './timeline.ts'

export function createUnreadTimelines(memory: Memory, begun = 0): Timelines {
  let lastId = begun
  const timeline: Timeline = {
    oldestId: undefined,
    get lastId() {
      return lastId
    },
    add(row, _before, owned = NOTHING) {
      lastId++
      row.id = lastId
      memory.release(owned)
    },
    restore(_earlier, newLastId) {
      lastId = Math.max(lastId, newLastId)
    },
    find: () => undefined,
    requests: () => [],
    rows: () => [],
    clear() {},
    empty() {},
  }
  return {
    create: () => timeline,
    forgetOldestState: () => false,
    prepare: (other) => createUnreadTimelines(other, lastId),
  }
}
