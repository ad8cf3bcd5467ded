// The request log of a running mock, with the requests whose response is still delayed.
import type { RemoteControl } from '../client/remote.ts'
import type { JournalEntry } from '../world/journal-entry.ts'
import { addWaiting, createRequestLog } from './request-log.ts'

/** Follows the events of a mock from now on, until you stop it or the mock stops. */
export async function followRequests(
  control: Pick<RemoteControl, 'requests' | 'subscribe'>,
): Promise<{ read(): Promise<JournalEntry[]>; stop(): void }> {
  const log = createRequestLog()
  const stop = await control.subscribe(log.record)
  return {
    async read() {
      // First, so that a request that ends before the log is read is not lost.
      const waiting = log.waiting()
      return addWaiting(await control.requests(), waiting)
    },
    stop,
  }
}
