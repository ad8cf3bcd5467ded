// What is known about a call while it is answered.
import type { Refusal } from '../contract/errors.ts'
import type { OperationContract } from '../contract/generated/contract.ts'
import type { Json } from '../contract/int64-json.ts'
import type { Strike } from '../world/faults.ts'
import { NONE } from '../world/notes.ts'
import type { State } from '../world/state.ts'
import type { Surprised } from '../world/surprise-response.ts'
import type { World } from '../world/world.ts'
import type { ApiKey } from './api-key.ts'
import type { Call } from './call.ts'
import type { Choice } from './choose-sandbox.ts'
import type { SentInput } from './target.ts'

/**
 * Each step of `answer` writes down what it finds out, even if it then refuses the call: the row of
 * a refused call says it too. A comment names the only step that writes a field.
 */
export interface Context {
  /** A copy of the caller's, which becomes part of the row. */
  readonly call: OwnCall
  readonly realAt: number
  readonly isBodySent: boolean
  /** The sandbox that the call chooses, with `--sandbox`; else its key does. */
  readonly choice: Choice | undefined
  /** By `authenticate`; until then, the chosen sandbox if it exists, or that of unsigned calls. */
  world: CalledWorld
  /**
   * What the call makes of the state of its world, by every step that draws a random number, counts
   * or runs the operation. It becomes the present state when the call has been decided.
   */
  state: State
  /** By `authenticate`. */
  apiKey: ApiKey | undefined
  /** By `admit`; undefined for an unknown path or method. */
  operation: OperationContract | undefined
  /** What a fault or `Prefer` does to the call, by `strikeCall`. */
  strike: Strike | undefined
  /** By `refuse`, and by `admit` for a sandbox that no call can choose. */
  isRefusedByHost: boolean
  /** By `parseInput`. */
  sent: SentInput | undefined
  /** By `parseBody`, before it is checked. */
  sentBody: Json | undefined
  /** The body as text, by `parseBody`. */
  bodyText: string
  /** A set of bits; by any step, with `dependOn`. */
  assumptions: number
  /** By any step, with `addNote`. */
  notes: readonly string[]
  /** By any step, with `addHeader`: fields besides those that every response has. */
  headers: Record<string, string> | undefined
}

/** A call whose header fields are ours. */
interface OwnCall extends Pick<Call, 'method' | 'target' | 'body'> {
  readonly headers: Record<string, string>
}

/** What answering a call needs of a world. */
export type CalledWorld = Pick<
  World,
  'sandbox' | 'state' | 'pages' | 'checkRoom' | 'advance' | 'hasRemoved' | 'waiting'
>

/** What a call gets. */
export interface Decision {
  readonly status: number
  readonly body: string
  /** The connection is cut, with status 0 and no body. */
  readonly drop?: true
  /** The status of the response that a fault lost, with `drop`. */
  readonly lost?: number
  readonly refusal?: Refusal
  readonly surprise?: Surprised
}

export function createContext(
  world: CalledWorld,
  given: Call,
  realAt: number,
  choice?: Choice,
): Context {
  const { method, target, body } = given
  const call = { method, target, headers: { ...given.headers }, body }
  return {
    call,
    realAt,
    choice,
    isBodySent: call.method !== 'HEAD',
    world,
    state: world.state,
    apiKey: undefined,
    operation: undefined,
    strike: undefined,
    isRefusedByHost: false,
    sent: undefined,
    sentBody: undefined,
    bodyText: '',
    assumptions: 0,
    notes: NONE,
    headers: undefined,
  }
}

export function addHeader(context: Context, name: string, value: string): void {
  context.headers ??= {}
  context.headers[name] = value
}
