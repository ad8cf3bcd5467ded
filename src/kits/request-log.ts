// The requests since a moment, from the events of a mock, whether they have ended or not: the journal has a request only once it has
// ended, and a reset empties it.
import type { MockEvent } from '../control/control.ts'
import type { JournalEntry } from '../world/journal-entry.ts'

export interface RequestLog {
  /** Records an event of the mock. */
  record(event: MockEvent): void
  /** Starts again without the requests so far, even if their responses come later. */
  restart(): void
  /** The requests of all worlds, those that still wait for their response among them. */
  all(): JournalEntry[]
  /** The requests that still wait: in the sandbox of a key, in the shared world with null, in any world without a key. */
  waiting(sandbox?: string | null): JournalEntry[]
}

/** As many as a journal has by default. */
const MAX_ENDED = 1_000

export function createRequestLog(): RequestLog {
  const begun = new Map<number, Extract<MockEvent, { readonly type: 'begin' }>>()
  let ended: JournalEntry[] = []
  let lastId = 0
  /** The last request before this log. */
  let lastBefore = 0

  const inWorld = (sandbox?: string | null) => [...begun.values()].filter((event) => sandbox === undefined || event.sandbox === sandbox)
  const waiting = (sandbox?: string | null) => inWorld(sandbox).map(({ entry }) => entry)

  return {
    record(event) {
      if (event.type === 'change') {
        // The journal of that world is another one, and will not have them.
        if (event.what === 'load' || event.what === 'reset') for (const { id } of waiting(event.sandbox)) begun.delete(id)
        return
      }
      const { id } = event.entry
      if (id <= lastBefore) return
      lastId = Math.max(lastId, id)
      if (event.type === 'begin') begun.set(id, event)
      else {
        begun.delete(id)
        ended = [...ended, event.entry].slice(-MAX_ENDED)
      }
    },
    restart() {
      begun.clear()
      ended = []
      lastBefore = lastId
    },
    all: () => addWaiting(ended, waiting()),
    waiting,
  }
}

/** The journal with the requests that it does not have yet, in the order in which they were sent. */
export function addWaiting(journal: readonly JournalEntry[], waiting: readonly JournalEntry[]): JournalEntry[] {
  const ended = new Set(journal.map(({ id }) => id))
  return [...journal, ...waiting.filter(({ id }) => !ended.has(id))].sort((one, other) => one.id - other.id)
}
