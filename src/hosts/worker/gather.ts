// The requests of all worlds in one list: each object has those of its own world, so the shared one asks the others.
import type { Control, TrafficEntry } from '../../control/control.ts'
import { MAX_EVENT_STREAMS, MAX_JOURNALS_BYTES } from '../../limits.ts'
import type { JournalFilter } from '../../world/journal-entry.ts'
import type { WorldObject } from './platform.ts'

interface GatherSettings {
  /** Of the shared world. */
  readonly control: Pick<Control, 'traffic'>
  readonly keys: () => readonly string[]
  toObject(key: string): WorldObject
}

interface Gatherer {
  traffic(filter: JournalFilter): Promise<TrafficEntry[]>
  clearTraffic(): Promise<void>
}

/** Asks the sandboxes that came last, those that the stream of all events follows too. */
export function createGatherer({ control, keys, toObject }: GatherSettings): Gatherer {
  const latest = () => keys().slice(-MAX_EVENT_STREAMS).reverse()

  return {
    async traffic(filter) {
      // First: a filter that is none is refused before anybody else is asked.
      const entries = control.traffic(filter)
      let room = MAX_JOURNALS_BYTES
      // One after the other, so that no more is held than the journals of one mock may take.
      for (const key of latest()) {
        const text = await toObject(key).traffic(key, filter)
        room -= text.length
        if (room < 0) break
        entries.push(...(JSON.parse(text) as TrafficEntry[]))
      }
      // Each world has numbers of its own, so the order is that of the machine's clock.
      entries.sort((left, right) => Date.parse(left.realAt) - Date.parse(right.realAt) || left.id - right.id)
      return filter.limit === undefined ? entries : entries.slice(Math.max(0, entries.length - filter.limit))
    },
    async clearTraffic() {
      for (const key of latest()) await toObject(key).clearTraffic(key)
    },
  }
}
