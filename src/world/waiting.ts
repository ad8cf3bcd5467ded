// Replies that their hosts have not sent yet: delayed ones, and those that a fault holds until a
// tester releases them. The hosts keep the time.
import type { FaultResponse } from './fault-outcome.ts'
import type { KeptRequest } from './kept-row.ts'

/** What a release sends in place of what was decided: an error, a response, or nothing. */
export type ReleaseAs =
  | 'lost'
  | { readonly status: number; readonly response?: undefined }
  | { readonly response: FaultResponse; readonly status?: undefined }

/** A reply that waits. Each of its functions ends that. */
export interface WaitingReply {
  readonly row: Readonly<KeptRequest>
  /** Lets the host send it now. */
  release(as?: ReleaseAs): void
  /** Lets the host drop it. The note of its row says why. */
  drop(why: string): void
}

export function createWaiting() {
  const replies = new Map<number, WaitingReply>()

  function listHeld(): WaitingReply[] {
    return [...replies.values()].filter(({ row }) => row.isHeld)
  }

  return {
    add: (reply: WaitingReply): void => void replies.set(reply.row.id, reply),
    remove: (id: number): boolean => replies.delete(id),
    find: (id: number): WaitingReply | undefined => replies.get(id),
    /** The oldest first. */
    list: (): WaitingReply[] => [...replies.values()],
    listHeld,
    /** What is held belongs to a state; delays go on. */
    dropHeld(why: string): void {
      for (const reply of listHeld()) reply.drop(why)
    },
  }
}
