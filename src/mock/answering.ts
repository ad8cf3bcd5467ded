// A mock that only answers: without a control, it keeps no rows, and a page with handlers loads no
// code that reads them.
import { createService } from '../service/answer.ts'
import { createUnreadTimelines } from '../world/unread-timelines.ts'
import { keepInStorage } from './keep-state.ts'
import { type MockOptions, openOptions } from './mock-options.ts'
import { openWorlds } from './open-worlds.ts'
import type { Answering } from './respond.ts'

export function createAnswering(given: MockOptions): Answering {
  const options = openOptions('createHandlers', given)
  const { worlds, settings } = openWorlds(options, createUnreadTimelines)
  const save = options.storage ? keepInStorage(options.storage, worlds) : () => {}
  return createService({ ...settings, worldOf: worlds.of, onBegin: save, onEnd: save })
}
