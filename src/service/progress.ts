// A call on its way through the service: what becomes known of it, all of which ends up in the journal.
import type { Exchange } from '../world/journal-entry.ts'
import type { World } from '../world/world.ts'
import type { Call } from './call.ts'
import type { Notes } from './parse-input.ts'
import type { OperationContract } from './route.ts'

export interface Progress extends Exchange, Notes {
  world: World
  /** Whether the key is valid, so that the world is the key's own. */
  isSigned: boolean
  notes: string[]
  operation: OperationContract | undefined
  delay: number
  drop: boolean
  /** The status that a fault or `Prefer` forced, 0 for a drop. */
  forced: number | undefined
  /** Fields of the reply beside those that every reply has. */
  readonly headers: Record<string, string>
}

const NO_FAULTS: readonly string[] = []
const NO_FIELDS: readonly string[] = []
const UNANSWERED = { status: 0, headers: {}, body: '' }

/** A call about which nothing is known yet, in the world of unsigned calls. */
export function begin({ method, target }: Call, world: World): Progress {
  return {
    at: 0,
    realAt: 0,
    method,
    target,
    operation: undefined,
    assumptions: [],
    faults: NO_FAULTS,
    notes: [],
    error: undefined,
    outcome: 'sent',
    durationMs: 0,
    key: undefined,
    fields: NO_FIELDS,
    requestBody: '',
    answer: UNANSWERED,
    world,
    isSigned: false,
    delay: 0,
    drop: false,
    forced: undefined,
    sent: undefined,
    headers: {},
  }
}
