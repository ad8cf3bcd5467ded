// The control methods that list the rows of a timeline, save them, and delete them; and the one
// that removes a sandbox.
import { describeKey } from '../contract/values.ts'
import { writeRecording } from '../scenario/recording/write.ts'
import type { KeptRow } from '../world/kept-row.ts'
import type { LogFilter } from '../world/row-filter.ts'
import { showRow } from '../world/show-row.ts'
import type { World } from '../world/world.ts'
import { chooseRows } from './choose-rows.ts'
import type { RecordingOptions, RequestFilter } from './control.ts'
import { usualRowLimit } from './list-limits.ts'
import { meansAllSandboxes } from './protocol.ts'
import { type Changed, type Found, found, MISSING, type Missing, type View } from './view.ts'

export function listTimeline(view: View, given: RequestFilter): Found {
  return list(view, given, (world, filter) => world.timeline.rows(filter))
}

export function listRequests(view: View, given: RequestFilter): Found {
  return list(view, given, (world, filter) => world.timeline.requests(filter))
}

/** The last `limit` rows that match, in the order of their ids; the others are only counted. */
function list(
  view: View,
  given: RequestFilter,
  readRows: (world: World, filter: LogFilter) => readonly KeptRow[],
): Found {
  const { sandbox, limit = usualRowLimit(sandbox), ...filter } = given
  const matches = worldsOf(view, given).flatMap((world) => {
    return readRows(world, filter).map((row) => ({ row, world }))
  })
  matches.sort((left, right) => left.row.id - right.row.id)
  const last = matches.slice(Math.max(0, matches.length - limit))
  const result = last.map((one) => showRow(one.row, one.world.sandbox))
  return { kind: 'found', found: { result, total: matches.length } }
}

function worldsOf(view: View, filter: Pick<RequestFilter, 'sandbox'>): readonly World[] {
  return meansAllSandboxes(filter.sandbox) ? view.worlds.all() : [view.world]
}

export function printRecording(view: View, options: RecordingOptions): Found {
  const worlds = worldsOf(view, options)
  return found(writeRecording(worlds, view.worlds.times, chooseRows(worlds, options)))
}

export function clearRequests(view: View): Changed {
  return {
    kind: 'changed',
    state: view.state,
    text: 'timeline cleared',
    apply: () => view.world.timeline.clear(),
  }
}

export function removeSandbox(view: View, input: { readonly id: string }): Changed | Missing {
  const { state, sandboxes } = view
  const { id } = input
  if (!sandboxes.keys().includes(id)) return MISSING
  return {
    kind: 'changed',
    state,
    result: true,
    text: `sandbox ${describeKey(id)} removed`,
    apply: () => sandboxes.remove(id),
  }
}
