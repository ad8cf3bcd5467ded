// The control methods that list the rows of a timeline, save them, and delete them; and the one
// that removes a sandbox.
import { describeKey } from '../contract/values.ts'
import { writeRecording } from '../scenario/recording/write.ts'
import { defaultLimit } from '../world/row-filter.ts'
import { showRow } from '../world/show-row.ts'
import type { World } from '../world/world.ts'
import type { RequestFilter } from './control.ts'
import { type Changed, type Found, found, type View } from './view.ts'

export const listTimeline = (view: View, filter: RequestFilter): Found => list(view, 'rows', filter)

export const listRequests = (view: View, filter: RequestFilter): Found =>
  list(view, 'requests', filter)

/** The last `limit` rows that match, in the order of their ids; the others are only counted. */
function list(view: View, what: 'rows' | 'requests', given: RequestFilter): Found {
  const { sandbox, limit = defaultLimit(given), ...filter } = given
  const matches = worldsOf(view, given).flatMap((world) => {
    return world.timeline[what](filter).map((row) => ({ row, world }))
  })
  matches.sort((left, right) => left.row.id - right.row.id)
  const last = matches.slice(Math.max(0, matches.length - limit))
  const result = last.map(({ row, world }) => showRow(row, world.sandbox))
  return { kind: 'found', found: { result, total: matches.length } }
}

function worldsOf(view: View, filter: RequestFilter): readonly World[] {
  return filter.sandbox === undefined ? [view.world] : view.worlds.all()
}

export function printRecording(view: View, filter: RequestFilter): Found {
  return found(writeRecording(worldsOf(view, filter), view.worlds.times))
}

export function clearRequests(view: View): Changed {
  return {
    kind: 'changed',
    state: view.state,
    text: 'timeline cleared',
    apply: () => view.world.timeline.clear(),
  }
}

export function removeSandbox(view: View, { id }: { readonly id: string }): Changed {
  const { state, sandboxes } = view
  if (!sandboxes.keys().includes(id)) return { kind: 'changed', state, result: false }
  return {
    kind: 'changed',
    state,
    result: true,
    text: `sandbox ${describeKey(id)} removed`,
    apply: () => sandboxes.remove(id),
  }
}
