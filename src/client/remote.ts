// Builds a control from the table of methods: every method becomes one request.
import type { Control, MockEvent, StateControl, StateSummary } from '../control/control.ts'
import { extras, type MethodRow, methods } from '../control/methods.ts'
import type { ScenarioName } from '../generated/scenarios.ts'
import type { ScenarioDocument } from '../scenario/document.ts'

/** The same methods, each returning a promise. */
type Remote<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : Remote<T[K]>
}

/** The control of one state of a running mock. */
export interface RemoteStateControl extends Remote<Omit<StateControl, 'load'>> {
  /** Replaces the whole state with a scenario, which may use `extends` and `generate`, or with the shipped one of that name. */
  load(scenario: ScenarioDocument | ScenarioName): Promise<StateSummary>
}

/** The control of a running mock: the methods of `mock.control`, each returning a promise. */
export interface RemoteControl extends RemoteStateControl, Remote<Omit<Control, keyof StateControl | 'sandbox' | 'subscribe'>> {
  /** The same methods for the sandbox of one API key. */
  sandbox(key: string): RemoteStateControl
  /**
   * Calls `listener` on every event from the moment the promise resolves; returns unsubscribe. `onEnd` is called once if the stream ends
   * by itself, because the mock stopped or the connection broke.
   *
   * @example
   * const unsubscribe = await control.subscribe((event) => console.log(event.type))
   */
  subscribe(listener: (event: MockEvent) => void, onEnd?: () => void): Promise<() => void>
}

/** One request of the control API. */
export interface ControlRequest {
  readonly row: MethodRow
  /** Path and query below `/__mock`. */
  readonly target: string
  readonly body?: unknown
}

/** The methods of the table, sent by `send`, for the state of `sandbox`. */
export function createRemoteMethods(send: (request: ControlRequest) => unknown, sandbox: string | undefined): unknown {
  const control: Record<string, unknown> = {}
  for (const [name, row] of Object.entries(methods)) {
    const [first, second] = name.split('.') as [string, string?]
    const call = (...args: readonly unknown[]) =>
      send(
        name === 'load' && typeof args[0] === 'string'
          ? toRequest(extras.loadScenario, [{ name: args[0] }], sandbox)
          : toRequest(row, args, sandbox),
      )
    if (second === undefined) control[first] = call
    else control[first] = { ...(control[first] as object | undefined), [second]: call }
  }
  return control
}

export function toRequest(row: MethodRow, values: readonly unknown[], sandbox: string | undefined): ControlRequest {
  const { path, args = [], isGlobal } = row
  const query: Record<string, unknown> = isGlobal ? {} : { sandbox }
  let target = path
  let body: unknown
  for (const [index, place] of args.entries()) {
    const value = values[index]
    if (place === 'id') target = path.replace('{id}', encodeURIComponent(String(value)))
    else if (place === 'query') Object.assign(query, value)
    else if (place === 'body') body = index === 0 ? value : { ...(body as object), ...(value as object | undefined) }
    else if (value !== undefined || place.default) body = { [place.field]: value === undefined ? place.default : value }
  }
  const given = Object.entries(query).filter(([, parameter]) => parameter !== undefined)
  const parameters = given.map(([name, parameter]) => `${name}=${encodeURIComponent(String(parameter))}`)
  if (parameters.length > 0) target += `?${parameters.join('&')}`
  return { row, target, body }
}
