// Keeps the state of a mock beyond its life: in a browser's storage, or in a file of the command line. What is kept is a scenario.
import { UsageError } from '../contract/errors.ts'
import { parseJson, toJson } from '../contract/int64-json.ts'
import type { Control } from '../control/control.ts'
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

/** Goes on from the storage and keeps the state there. If that fails later, it is reported, and the mock works without it. */
export function keepInStorage(storage: StateStorage, worlds: Worlds, control: Control): void {
  try {
    const text = storage.getItem(ITEM)
    if (typeof text === 'string') resumeState(worlds, parseJson(text) as Scenario)
  } catch (error) {
    throw new UsageError(`storage: the item ${ITEM} is not the state of a mock; remove it: ${(error as Error).message}`)
  }
  watchState(worlds, control, () => {
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
  const before = new Map(start.shelf.texts.map((text, index) => [String(start.shelf.ids[index]), text]))
  const after = new Map(shelf.texts.map((text, index) => [String(shelf.ids[index]), text]))
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

/** Calls `save` after what moved the revision of the state; returns what stops it. */
export function watchState(worlds: Worlds, control: Control, save: () => void): () => void {
  let saved = readMoment()
  function readMoment() {
    const world = worlds.of()
    return { world, revision: world.items.revision }
  }
  return control.subscribe(() => {
    const { world, revision } = readMoment()
    if (world === saved.world && revision === saved.revision) return
    saved = { world, revision }
    save()
  })
}

/** The JSON of the shared state. The animals are texts already. */
export function printState(worlds: Worlds): string {
  const world = worlds.of()
  const { name, ...rest } = world.state({ pets: false })
  const head = toJson({ name })
  return `${head.slice(0, -1)},"pets":[${world.catalogue.texts().join(',')}],${toJson(rest).slice(1)}`
}
