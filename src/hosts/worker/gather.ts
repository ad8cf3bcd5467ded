// The requests of all worlds in one list: each object has those of its own world, so the shared one asks the others.
import type { Control, TrafficEntry } from '../../control/control.ts'
import type { ControlOutcome } from '../../control/control-routes.ts'
import { MAX_EVENT_STREAMS, MAX_JOURNALS_BYTES } from '../../limits.ts'
import { redact } from '../../redact.ts'
import type { JournalFilter } from '../../world/journal-entry.ts'
import type { WorldObject } from './platform.ts'

interface GatherSettings {
  /** Of the shared world. */
  readonly control: Pick<Control, 'traffic'>
  readonly keys: () => readonly string[]
  toObject(key: string): WorldObject
  /** Hears why a world does not answer. */
  onFailure(message: string): void
}

interface Gatherer {
  /** The response of the control API; a field of it names the sandboxes that do not answer. */
  traffic(filter: JournalFilter): Promise<ControlOutcome>
  /** Rejects if a sandbox does not answer, once the others are empty. */
  clearTraffic(): Promise<void>
}

/** Names the sandboxes whose requests are not shown. */
const MISSING = 'X-Mock-Missing-Sandboxes'

/** Asks the sandboxes that came last, those that the stream of all events follows too. */
export function createGatherer({ control, keys, toObject, onFailure }: GatherSettings): Gatherer {
  const latest = () => keys().slice(-MAX_EVENT_STREAMS).reverse()

  /** What a world says; one that cannot is noted, and costs nobody the others. */
  async function ask<T>(key: string, missing: string[], question: (object: WorldObject) => Promise<T>): Promise<T | undefined> {
    try {
      return await question(toObject(key))
    } catch (error) {
      missing.push(key)
      onFailure(`The sandbox ${redact(key)} does not answer: ${(error as Error).message}`)
      return undefined
    }
  }

  return {
    async traffic(filter) {
      // First: a filter that is none is refused before anybody else is asked.
      const entries = control.traffic(filter)
      const missing: string[] = []
      let room = MAX_JOURNALS_BYTES
      // One after the other, so that no more is held than the journals of one mock may take.
      for (const key of latest()) {
        const text = (await ask(key, missing, (object) => object.traffic(key, filter))) ?? '[]'
        room -= text.length
        if (room < 0) break
        entries.push(...(JSON.parse(text) as TrafficEntry[]))
      }
      // Each world has numbers of its own, so the order is that of the machine's clock.
      entries.sort((left, right) => Date.parse(left.realAt) - Date.parse(right.realAt) || left.id - right.id)
      const value = filter.limit === undefined ? entries : entries.slice(Math.max(0, entries.length - filter.limit))
      return { status: 200, value, headers: missing.length > 0 ? { [MISSING]: missing.join(', ') } : {} }
    },
    async clearTraffic() {
      const missing: string[] = []
      for (const key of latest()) await ask(key, missing, (object) => object.clearTraffic(key))
      if (missing.length > 0) throw new Error(`Not emptied: ${missing.join(', ')}`)
    },
  }
}
