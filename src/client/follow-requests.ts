// The journal of a running mock with the requests that are not in it yet, since their response is still held back.
import { addWaiting, createRequestLog } from '../control/request-log.ts'
import type { JournalEntry } from '../world/journal-entry.ts'
import type { ControlClient } from './control-client.ts'

/** Follows the events of a mock from now on, until it is stopped or the mock is. */
export async function followRequests(client: ControlClient): Promise<{ read(): Promise<JournalEntry[]>; stop(): void }> {
  const stopped = new AbortController()
  const log = createRequestLog()
  const events = await client.events({ signal: stopped.signal })
  follow().catch(() => {
    // Whether the mock still runs, the next request to it tells.
  })

  async function follow(): Promise<void> {
    for await (const event of events) log.note(event)
  }

  return {
    async read() {
      // First, so that none is lost that ends before the journal is read.
      const waiting = log.waiting()
      return addWaiting(await client.requests(), waiting)
    },
    stop: () => stopped.abort(),
  }
}
