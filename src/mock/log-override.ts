// Logs a response that did not come from the mock: a test has overridden it with its own handler.
import { admit, type WorldSource } from '../service/admit.ts'
import { fillIn } from '../service/answer.ts'
import type { Call, Reply } from '../service/call.ts'
import { begin, type Progress } from '../service/progress.ts'

/** In place of the ids of faults. */
const OVERRIDE = ['override']

/** The exchange, as if a fault had given that response. It is for the operation and the state that the call is for. */
export function describeOverride(call: Call, reply: Reply, worlds: WorldSource): Progress {
  const realAt = Date.now()
  const progress = begin(call, worlds.worldOf(), realAt)
  try {
    admit(call, progress, worlds)
  } catch {
    // The mock would have refused it, which no longer matters.
  }
  progress.at = progress.world.clock.now(realAt)
  progress.faults = OVERRIDE
  progress.forced = reply.status
  if (reply.status === 0) progress.outcome = 'dropped'
  fillIn(progress, call, reply)
  return progress
}
