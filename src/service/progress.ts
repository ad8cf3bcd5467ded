// A call while the service answers it: what is known so far, most of which ends up in the journal.
import type { Json } from '../contract/int64-json.ts'
import type { FaultBody } from '../fault-body.ts'
import type { Context } from '../operations/operation.ts'
import type { Exchange } from '../world/journal-entry.ts'
import type { World } from '../world/world.ts'
import type { Call } from './call.ts'
import type { OperationContract, Route } from './route.ts'

/** The input of a call before it is checked. */
export interface Sent {
  readonly path: Route['params']
  readonly query: ReadonlyMap<string, readonly string[]>
  body: Json | undefined
}

export interface Progress extends Exchange, Context {
  world: World
  assumptions: Exchange['assumptions']
  operation: OperationContract | undefined
  /** The API key, once it has been read. */
  apiKey: string | undefined
  delay: number
  /** Whether it has its entry in the journal. */
  isSettled: boolean
  /** The status that a fault or `Prefer` forced, 0 for a drop. */
  forced: number | undefined
  /** What a fault makes of the body. */
  spoiled: FaultBody | undefined
  /** The input, once it has been read. */
  sent: Sent | undefined
  /** Fields of the reply besides those that every reply has. */
  headers: Record<string, string>
}

const NONE: never[] = []
const NO_HEADERS = {}

/** A call about which nothing is known yet, in the world of unsigned calls. */
export function begin({ method, target }: Call, world: World, realAt: number): Progress {
  return {
    id: 0,
    at: 0,
    realAt,
    method,
    target,
    operation: undefined,
    assumptions: NONE,
    faults: NONE,
    surprises: NONE,
    notes: NONE,
    error: undefined,
    outcome: 'sent',
    durationMs: 0,
    key: undefined,
    fields: NONE,
    requestBody: '',
    status: 0,
    responseHeaders: NO_HEADERS,
    responseBody: '',
    world,
    apiKey: undefined,
    delay: 0,
    isSettled: false,
    forced: undefined,
    spoiled: undefined,
    sent: undefined,
    headers: {},
  }
}

/** Drops what the journal does not show: the API key, and a body that may be large. */
export function release(progress: Progress): void {
  progress.apiKey = undefined
  progress.sent = undefined
  progress.headers = NO_HEADERS
}
