// Builds a control from the table of methods: every method becomes one request.
import { UsageError } from '../contract/errors.ts'
import type { Control, ControlMethod, MockEvent, Outcome, StateControl } from '../control/control.ts'
import { createFunctions, extras, type Input, type MethodRow, methods } from '../control/methods.ts'
import type { Alternative, StateSummary, WhatIf, WhatIfChange } from '../control/results.ts'
import type { ScenarioName } from '../generated/scenarios.ts'
import type { ScenarioDocument } from '../scenario/document.ts'

type Remote<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : Remote<T[K]>
}

/** The control of one state of a running mock. */
export interface RemoteStateControl extends Remote<Omit<StateControl, 'load' | 'call' | 'whatIf'>> {
  /** The response that the request of a row would get from the state before it, with a change. Nothing happens to the mock. */
  whatIf(id: number, change?: WhatIfChange): Promise<WhatIf>
  /** One line for each change of one thing that mattered, if it gives another response. */
  whatIf(id: number, options: { readonly alternatives: true }): Promise<Alternative[]>
  /** Calls a method by its name, with its arguments by name; resolves with what it returned and the id of the row that it added. */
  call(method: ControlMethod, input?: Readonly<Record<string, unknown>>): Promise<Outcome>
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

export interface ControlRequest {
  readonly row: MethodRow
  readonly target: string
  readonly body?: unknown
}

/** `finish` takes the result out of the outcome. */
export function createRemoteMethods<Sent>(
  send: (request: ControlRequest) => Sent,
  sandbox: string | undefined,
  finish: (start: () => Sent) => unknown,
): unknown {
  const call = (method: ControlMethod, input: Input = {}) => {
    const { scenario: name } = input
    const isByName = method === 'load' && typeof name === 'string'
    return send(isByName ? toRequest(extras.loadScenario, { name }, sandbox) : toRequest(methods[method], input, sandbox))
  }
  return { call, ...createFunctions((name, input) => finish(() => call(name, input()))) }
}

export function toRequest(row: MethodRow, { id, ...input }: Input, sandbox: string | undefined): ControlRequest {
  const { method, path, body: whole, isGlobal, args = [] } = row
  const hasId = path.includes('{id}')
  if (hasId && id === undefined) throw new UsageError({ kind: 'missing', path: 'id' })
  const target = hasId ? path.replace('{id}', encodeURIComponent(String(id))) : path
  const rest: Input = hasId || id === undefined ? input : { id, ...input }
  const isQuery = method === 'GET' || method === 'DELETE'
  const query = { ...(!isGlobal && { sandbox }), ...(isQuery && rest) }
  const given = Object.entries(query).filter(([, parameter]) => parameter !== undefined)
  const parameters = given.map(([name, parameter]) => `${name}=${encodeURIComponent(String(parameter))}`)
  // Unknown arguments are sent too, so that the mock can refuse them.
  const hasBody = !isQuery && (args.some((name) => name !== 'id' || !hasId) || Object.keys(rest).length > 0)
  const other = Object.keys(rest).find((name) => whole !== undefined && name !== whole)
  if (other !== undefined) throw new UsageError({ kind: 'unknown-field', path: other, name: other, known: [whole as string] })
  return {
    row,
    target: parameters.length > 0 ? `${target}?${parameters.join('&')}` : target,
    ...(hasBody && { body: whole === undefined ? rest : rest[whole] }),
  }
}
