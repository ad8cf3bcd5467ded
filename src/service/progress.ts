// A call while the service answers it: what is known so far, most of which ends up in the request log.
import type { Json } from '../contract/int64-json.ts'
import type { FaultBody } from '../fault-body.ts'
import type { Context } from '../operations/operation.ts'
import type { Exchange } from '../world/log-entry.ts'
import type { World } from '../world/world.ts'
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
  /** The status that a fault or `Prefer` forced, 0 for a drop. */
  forced: number | undefined
  /** What a fault makes of the body. */
  spoiled: FaultBody | undefined
  /** The input, once it has been read. */
  sent: Sent | undefined
  /** Fields of the reply besides those that every reply has. */
  headers: Record<string, string>
}
