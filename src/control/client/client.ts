// The client of a running mock: the methods of the table over `fetch`, one request each, and the
// stream of events.
import { checkValue, FUNCTION } from '../../contract/options.ts'
import type { ScenarioDocument } from '../../scenario/document.ts'
import type { ScenarioReference } from '../../scenario/open.ts'
import { addValues, isChange, type TimelineRow } from '../../world/row.ts'
import type { GivenScenario } from '../../world/scenario.ts'
import { bindMethods } from '../bind-methods.ts'
import type { Control, ControlMethod, MockEvent, Result, StateControl } from '../control.ts'
import type { Input } from '../method-row.ts'
import { extras } from '../methods.ts'
import { ALL_SANDBOXES } from '../protocol.ts'
import { hasRows, requestFor, toRequest } from './control-request.ts'
import { readEvents } from './read-events.ts'
import { type ControlFetch, createSender, type SenderOptions } from './send.ts'

type Remote<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<R>
    : Remote<T[K]>
}
/** For a method with three signatures: `Remote` would keep only the last. */
type Each<T> = T extends {
  (...a: infer A): infer R
  (...b: infer B): infer S
  (...c: infer C): infer U
}
  ? { (...a: A): Promise<R>; (...b: B): Promise<S>; (...c: C): Promise<U> }
  : never

type GlobalControl = Omit<Control, keyof StateControl | 'sandbox' | 'subscribe'>

/** The control of one state of a running mock. */
export interface RemoteStateControl extends Remote<Omit<StateControl, 'load' | 'call' | 'whatIf'>> {
  /**
   * The response that a row's request would have got with a change, the single changes that would
   * change it, or with `onward` also the later responses.
   */
  readonly whatIf: Each<StateControl['whatIf']>
  /** Calls a method by its name, with one object of fields. */
  call(name: ControlMethod, input?: Input): Promise<Result>
  /** Loads a shipped scenario, or a value, which may use `extends` and `generate`. */
  load(
    scenario: ScenarioDocument | GivenScenario | ScenarioReference,
  ): Promise<ReturnType<StateControl['reset']>>
}

/** The control of a running mock: the methods of `mock.control`, each returning a promise. */
export interface RemoteControl extends RemoteStateControl, Remote<GlobalControl> {
  /** The same methods for the sandbox of one API key. */
  sandbox(key: string): RemoteStateControl
  /**
   * Calls `listener` on every event, of all sandboxes unless you name one, and `onEnd` if the
   * stream breaks off.
   */
  subscribe(listener: (event: MockEvent) => void, onEnd?: () => void): Promise<() => void>
}

/** For the console of a mock in its own page, where there is no server to talk to. */
export interface Transport {
  readonly control: ControlFetch
  readonly service: typeof fetch
  /** As the app calls it: `https://api.example.com/v1`. */
  readonly baseUrl: string
  /**
   * Beside an app. `target` is the side to which it moves; undefined in a narrow window, which has
   * room at the bottom only.
   */
  readonly drawer?: { close(): void; move(): void; target(): 'bottom' | 'right' | undefined }
}

export interface ClientOptions extends SenderOptions {
  readonly sandbox?: string | undefined
}

export interface ControlClient extends RemoteControl {
  /** Resolves once the mock sends the events of this state, or of all; `signal` ends the stream. */
  events(isAll?: boolean, signal?: AbortSignal): Promise<AsyncIterable<MockEvent>>
}

export function createClient(mockUrl: string, options: ClientOptions = {}): ControlClient {
  const { sandbox } = options
  const { request, read, send } = createSender(mockUrl, options)

  function createMethods(key: string | undefined, hasGlobal: boolean) {
    async function call(name: ControlMethod, input?: Input): Promise<Result> {
      const answer = await send(requestFor(name, input, key))
      return hasRows(name) ? { ...answer, result: restoreRows(answer.result) } : answer
    }
    const run = async (name: ControlMethod, readInput: () => Input) => {
      const { result } = await call(name, readInput())
      return result
    }
    const functions = bindMethods(run, hasGlobal) as Omit<RemoteControl, 'call'>
    return { ...functions, call }
  }

  async function events(isAll = false, signal?: AbortSignal): Promise<AsyncIterable<MockEvent>> {
    const key = isAll ? ALL_SANDBOXES : sandbox
    const response = await request(toRequest(extras.events, {}, key), signal)
    if (response.status !== 200) await read(response)
    return readEvents(response.body as ReadableStream<Uint8Array>)
  }

  async function subscribe(
    listener: (event: MockEvent) => void,
    onEnd = () => {},
  ): Promise<() => void> {
    checkValue(FUNCTION, listener, 'listener')
    checkValue(FUNCTION, onEnd, 'onEnd')
    const stopped = new AbortController()
    const stream = await events(sandbox === undefined, stopped.signal)
    follow(stream, listener, onEnd, stopped.signal)
    return () => stopped.abort()
  }

  return {
    ...createMethods(sandbox, true),
    sandbox: (key) => createMethods(key, false),
    subscribe,
    events,
  }
}

async function follow(
  stream: AsyncIterable<MockEvent>,
  listener: (event: MockEvent) => void,
  onEnd: () => void,
  stopped: AbortSignal,
): Promise<void> {
  for await (const event of stream) {
    if (!stopped.aborted) listener(event)
  }
  if (!stopped.aborted) onEnd()
}

/** Printing a row leaves its values out. */
function restoreRows(result: unknown): unknown {
  if (!Array.isArray(result)) return result
  const rows: readonly TimelineRow[] = result
  return rows.map((row) => (isChange(row) ? row : addValues(row)))
}
