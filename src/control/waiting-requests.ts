// The requests whose response is still held back, read from the events of a mock: the journal has a request only once it has ended.
import type { JournalEntry } from '../world/journal-entry.ts'
import type { MockEvent } from './control.ts'

export interface WaitingRequests {
  /** Takes note of an event of the mock. */
  note(event: MockEvent): void
  /** Those in the sandbox of a key; of the shared world with null, of every world without a key. */
  list(sandbox?: string | null): JournalEntry[]
  /** Forgets them: they belong to a test that has ended. */
  clear(): void
}

export function createWaitingRequests(): WaitingRequests {
  const waiting = new Map<number, Extract<MockEvent, { readonly type: 'begin' }>>()
  const inWorld = (sandbox?: string | null) => [...waiting.values()].filter((event) => sandbox === undefined || event.sandbox === sandbox)
  return {
    note(event) {
      if (event.type === 'begin') waiting.set(event.entry.id, event)
      else if (event.type === 'exchange') waiting.delete(event.entry.id)
      // What was sent before a reset is not in the journal, however it ends.
      else if (event.what === 'load' || event.what === 'reset') for (const { entry } of inWorld(event.sandbox)) waiting.delete(entry.id)
    },
    list: (sandbox) => inWorld(sandbox).map(({ entry }) => entry),
    clear: () => waiting.clear(),
  }
}

/** The journal with the requests that it does not have yet, in the order in which they were sent. */
export function addWaiting(journal: readonly JournalEntry[], waiting: readonly JournalEntry[]): JournalEntry[] {
  const ended = new Set(journal.map(({ id }) => id))
  return [...journal, ...waiting.filter(({ id }) => !ended.has(id))].sort((one, other) => one.id - other.id)
}
