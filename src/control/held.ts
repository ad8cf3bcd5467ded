// The control methods for responses that wait: which are held, and their release.
import { showRow } from '../world/show-row.ts'
import type { ReleaseAs, WaitingReply } from '../world/waiting.ts'
import { conflict, type Found, findRow, found, type View } from './view.ts'

export function listHeld(view: View): Found {
  const { waiting, sandbox } = view.world
  return found(waiting.listHeld().map(({ row }) => showRow(row, sandbox)))
}

/** Ends delays too. Without an id, all responses that wait, the oldest first. */
export function release(
  view: View,
  input: { readonly id?: number; readonly as?: ReleaseAs },
): Found {
  const { id, as } = input
  const replies = id === undefined ? view.world.waiting.list() : [findWaiting(view, id)]
  return {
    kind: 'found',
    found: { result: replies.map(({ row }) => row.id) },
    apply() {
      for (const reply of replies) reply.release(as)
    },
  }
}

function findWaiting(view: View, id: number): WaitingReply {
  const reply = view.world.waiting.find(id)
  if (reply) return reply
  findRow(view, id)
  throw conflict(`Row ${id} is not waiting; held lists the rows that are held`)
}
