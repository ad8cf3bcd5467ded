// The path of a request with the id of an animal, in a line where that id belongs to another one.
import { splitQuery } from '../contract/address.ts'
import type { Int64 } from '../contract/generated/contract.ts'
import type { RequestChange } from '../service/call.ts'
import { findPetText } from '../world/catalogue.ts'
import type { KeptRequest } from '../world/kept-row.ts'
import { parsePetId } from '../world/row.ts'
import { findIn } from '../world/sorted.ts'
import { type State, setPetText } from '../world/state.ts'
import type { Line } from './imagined-line.ts'

interface FollowedTarget {
  readonly request: RequestChange | undefined
  readonly state: State
  /** Puts back what the request must not see. */
  restore(next: State): State
  readonly note: string | null
}

const unchanged = (state: State): State => state

/** A client follows the id that its create got. Without a create, there is no such animal. */
export function followTarget(row: Readonly<KeptRequest>, line: Line): FollowedTarget {
  const { state, ids } = line
  const id = parsePetId(row)
  const own = id === null ? undefined : findIn(ids, id)
  if (id === null || own === undefined) {
    return { request: undefined, state, restore: unchanged, note: null }
  }
  if (own !== null) {
    const note = `animal ${id} would be ${own}, which it asks for`
    return { request: { target: replaceId(row.target, own) }, state, restore: unchanged, note }
  }
  const note = `animal ${id} would not have been created`
  const other = findPetText(state.catalogue, id)
  return {
    request: undefined,
    state: setPetText(state, id, undefined),
    restore: (next) => setPetText(next, id, other),
    note,
  }
}

/** The id is the last segment of the path. */
function replaceId(target: string, id: Int64): string {
  const { path } = splitQuery(target)
  const start = path.lastIndexOf('/') + 1
  return path.slice(0, start) + String(id) + target.slice(path.length)
}
