// The wait of a reply that is delayed or held: what its host sends in the end.
import type { KeptRequest } from '../world/kept-row.ts'
import { addNote } from '../world/notes.ts'
import type { ReleaseAs } from '../world/waiting.ts'
import type { Reply, Wait } from './call.ts'
import type { CalledWorld } from './context.ts'

interface Waited {
  readonly row: KeptRequest
  /** What was decided. */
  readonly reply: Reply
  readonly waiting: CalledWorld['waiting']
  /** Makes the reply for a release, and says so in the row. */
  replace(as: ReleaseAs): Reply
}

export function beginWait({ row, reply, waiting, replace }: Waited): Wait {
  let send: ((final: Reply) => void) | undefined
  let sent: Reply | undefined

  function end(final: Reply): void {
    waiting.remove(row.id)
    if (row.isHeld) row.isHeld = false
    sent = final
    send?.(final)
  }

  function release(as?: ReleaseAs): void {
    if (as === undefined) {
      end(reply)
      return
    }
    const final = replace(as)
    const name = as === 'lost' ? 'as lost' : `with ${final.status}`
    addNote(row, `Released ${name} in place of its ${row.decidedStatus}`)
    end(final)
  }

  function drop(why: string): void {
    const final = replace('lost')
    addNote(row, `Dropped while it was held: ${why}`)
    end(final)
  }

  waiting.add({ row, release, drop })
  return {
    onEnd(given) {
      send = given
      if (sent) send(sent)
    },
    end(cause) {
      if (!waiting.find(row.id)) return
      if (row.isHeld && cause === 'stop') {
        drop('the mock stopped')
        return
      }
      if (row.isHeld) addNote(row, `Sent after ${sayLimit(reply)}, the limit of its hold`)
      end(reply)
    },
  }
}

function sayLimit({ delay = 0 }: Reply): string {
  return `${delay / 1_000} s`
}
