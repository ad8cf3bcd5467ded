// What becomes known about a call while it is answered: each stage adds what it finds out, also if it then refuses the call.
import type { ApiError } from '../contract/errors.ts'
import type { Json } from '../contract/int64-json.ts'
import type { Context } from '../operations/operation.ts'
import type { Surprised } from '../surprise/surprise.ts'
import type { Strike } from '../world/faults.ts'
import type { State } from '../world/state.ts'
import type { World } from '../world/worlds.ts'
import type { Call } from './call.ts'
import type { OperationContract, Route } from './route.ts'

/** What the service decided about a call. A drop has no status, no fields and no body, so that none can be read by mistake. */
export type Decision = Respond | { readonly drop: true; readonly refusal?: undefined; readonly surprise?: undefined }

export interface Respond {
  readonly drop?: undefined
  readonly status: number
  readonly body: string
  /** Why it is not what the client asked for. */
  readonly refusal?: ApiError | undefined
  /** What surprises made of it. */
  readonly surprise?: Surprised
}

export interface Sent {
  readonly path: Route['params']
  readonly query: ReadonlyMap<string, readonly string[]>
  body: Json | undefined
}

export interface Recorder extends Omit<Context, 'state' | 'pages'> {
  /** The world of unsigned calls until the key is known. */
  world: World
  /** What the call makes of the state of its world. It becomes the present one when the call has been decided. */
  state: State
  pages: World['pages']
  apiKey: string | undefined
  operation: OperationContract | undefined
  strike: Strike | undefined
  /** The host refused it before the service saw it. */
  isRefusedByHost: boolean
  sent: Sent | undefined
  bodyText: string
  notes: readonly string[]
  /** Fields of the response besides those that every response has; made on first use. */
  headers: Record<string, string> | undefined
}

const NONE: never[] = []

export function createRecorder(world: World, { method }: Call): Recorder {
  return {
    isBodySent: method !== 'HEAD',
    world,
    state: world.state,
    pages: world.pages,
    apiKey: undefined,
    operation: undefined,
    strike: undefined,
    isRefusedByHost: false,
    sent: undefined,
    bodyText: '',
    assumptions: NONE,
    notes: NONE,
    headers: undefined,
  }
}

export function enterWorld(recorder: Recorder, world: World): void {
  recorder.world = world
  recorder.state = world.state
  recorder.pages = world.pages
}

export function addHeader(recorder: Recorder, name: string, value: string): void {
  recorder.headers ??= {}
  recorder.headers[name] = value
}
