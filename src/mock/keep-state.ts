// Keeps the state of a mock beyond its life: in a browser's storage, or in a file of the command line. What is kept is a scenario.
import { UsageError } from '../contract/errors.ts'
import { parseJson, toJson } from '../contract/int64-json.ts'
import { parseScenario } from '../scenario/check.ts'
import { type Scenario, toSettings } from '../world/start.ts'
import type { Worlds } from '../world/worlds.ts'

/** Where a page keeps the state: `sessionStorage` or `localStorage`, or anything with these two methods. */
export interface StateStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

/** The item of the storage. */
const ITEM = 'animal-store-mock'

/** Goes on from the storage; the result keeps the state there, if it has changed. If that fails, it is reported, and the mock works without it. */
export function keepInStorage(storage: StateStorage, worlds: Worlds): () => void {
  try {
    const text = storage.getItem(ITEM)
    if (typeof text === 'string') resumeState(worlds, parseJson(text) as Scenario)
  } catch (error) {
    throw new UsageError(`storage: the item ${ITEM} is not the state of a mock; remove it: ${(error as Error).message}`)
  }
  return onRevision(worlds, () => {
    try {
      storage.setItem(ITEM, printState(worlds))
    } catch (error) {
      console.error(`animal-store-mock: the state is not kept, since its storage failed: ${(error as Error).message}`)
    }
  })
}

/** Goes on from a kept state; a reset brings back the scenario that the mock was started with. */
export function resumeState(worlds: Worlds, kept: Scenario): void {
  const start = worlds.start()
  const { shelf, ...settings } = parseScenario(kept)
  const toTexts = ({ texts, ids }: typeof shelf) => new Map(texts.map((text, index) => [String(ids[index]), text]))
  const before = toTexts(start.shelf)
  const after = toTexts(shelf)
  worlds.resume(start, {
    settings: {
      ...toSettings(settings),
      lastFaultId: 0,
      lastEntryId: 0,
      clockWasTurned: toJson(settings.clock) !== toJson(start.clock),
    },
    pets: [
      ...[...before.keys()].filter((id) => !after.has(id)).map((id) => ({ id, text: undefined })),
      ...[...after].filter(([id, text]) => before.get(id) !== text).map(([id, text]) => ({ id, text })),
    ],
    requestLog: [],
    awayMs: 0,
  })
}

/** Whenever the result is called, `save` is called if the revision of the shared state has moved since. */
export function onRevision(worlds: Worlds, save: () => void): () => void {
  const readMoment = () => ({ world: worlds.of(), revision: worlds.of().changeLog.revision })
  let saved = readMoment()
  return () => {
    const now = readMoment()
    if (now.world === saved.world && now.revision === saved.revision) return
    saved = now
    save()
  }
}

/** The JSON of the shared state. The animals are texts already. */
export function printState(worlds: Worlds): string {
  const world = worlds.of()
  const { name, ...rest } = world.state({ pets: false })
  const head = toJson({ name })
  return `${head.slice(0, -1)},"pets":[${world.catalogue.texts().join(',')}],${toJson(rest).slice(1)}`
}
