// The client of a running mock: the methods of the table over `fetch`, one request each, and the
// stream of events.
import { UsageError } from '../../contract/errors.ts'
import { JSON_TYPE, parseJson, toJson } from '../../contract/int64-json.ts'
import { checkValue, FUNCTION } from '../../contract/options.ts'
import type { Problem } from '../../contract/problem.ts'
import type { ScenarioDocument } from '../../scenario/document.ts'
import type { ScenarioReference } from '../../scenario/open.ts'
import { addValues, isChange, type TimelineRow } from '../../world/row.ts'
import { defaultLimit } from '../../world/row-filter.ts'
import { type GivenScenario, isNameAlone } from '../../world/scenario.ts'
import { checkCall } from '../check-call.ts'
import type {
  Control,
  ControlMethod,
  MockEvent,
  RequestFilter,
  Result,
  StateControl,
} from '../control.ts'
import { createFunctions } from '../create-functions.ts'
import type { Input, MethodRow } from '../method-row.ts'
import { extras, methods } from '../methods.ts'
import { CONTROL_PATH, HEADERS, MOCK_NAME } from '../protocol.ts'

type Remote<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<R>
    : Remote<T[K]>
}
/** For a method with two signatures: `Remote` would keep only the second. */
type Both<T> = T extends { (...a: infer A): infer R; (...b: infer B): infer S }
  ? { (...a: A): Promise<R>; (...b: B): Promise<S> }
  : never

type GlobalControl = Omit<Control, keyof StateControl | 'sandbox' | 'subscribe'>

/** The control of one state of a running mock. */
export interface RemoteStateControl extends Remote<Omit<StateControl, 'load' | 'call' | 'whatIf'>> {
  /**
   * The response that a row's request would have got with a change, or the single changes that
   * would change it.
   */
  readonly whatIf: Both<StateControl['whatIf']>
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

type Init = RequestInit & {
  method: string
  headers: Record<string, string>
  body?: string
  signal?: AbortSignal
}
type ControlRequest = Readonly<{ route: MethodRow; target: string; body?: unknown }>
type ControlResponse = Pick<Response, 'status' | 'text' | 'body'> & {
  readonly headers: Pick<Headers, 'get'>
}
export type ControlFetch = (url: string, init: Init) => Promise<ControlResponse>

/** For the console in a page, where there is no server to talk to. */
export interface Transport {
  readonly control: ControlFetch
  readonly service: typeof fetch
  /** As the app calls it: `https://api.example.com/v1`. */
  readonly baseUrl: string
  /**
   * `target` is the side to which it moves; undefined in a narrow window, which has room at the
   * bottom only.
   */
  readonly drawer: { close(): void; move(): void; target(): 'bottom' | 'right' | undefined }
}

/** The token is a function because the console learns it later. */
export interface ClientOptions {
  readonly fetch?: ControlFetch
  readonly token?: () => string | undefined
  readonly sandbox?: string | undefined
  before?(route: MethodRow): Promise<void>
  onRow?(id: number): void
}

export interface ControlClient extends RemoteControl {
  /** Resolves once the mock sends the events of this state, or of all; `signal` ends the stream. */
  events(isAll?: boolean, signal?: AbortSignal): Promise<AsyncIterable<MockEvent>>
}

export function createClient(mockUrl: string, options: ClientOptions = {}): ControlClient {
  const { sandbox } = options
  const { request, read, send } = createRequester(mockUrl, options)

  async function events(isAll = false, signal?: AbortSignal): Promise<AsyncIterable<MockEvent>> {
    const response = await request(toRequest(extras.events, {}, isAll ? '*' : sandbox), signal)
    if (response.status !== 200) await read(response)
    return readEvents(response.body as ReadableStream<Uint8Array>)
  }

  async function subscribe(
    listener: (event: MockEvent) => void,
    onEnd = () => {},
  ): Promise<() => void> {
    for (const [name, one] of Object.entries({ listener, onEnd })) checkValue(FUNCTION, one, name)
    const stopped = new AbortController()
    const stream = await events(sandbox === undefined, stopped.signal)
    const follow = async () => {
      for await (const event of stream) if (!stopped.signal.aborted) listener(event)
      if (!stopped.signal.aborted) onEnd()
    }
    void follow()
    return () => stopped.abort()
  }

  function createStateMethods<T extends RemoteStateControl>(
    key: string | undefined,
    hasGlobal: boolean,
  ): T {
    const call = async (name: ControlMethod, input?: Input): Promise<Result> => {
      const { result, ...more } = await send(requestFor(name, input, key))
      if (!hasRows(name) || !Array.isArray(result)) return { result, ...more }
      const rows: readonly TimelineRow[] = result
      return { result: rows.map((row) => (isChange(row) ? row : addValues(row))), ...more }
    }
    const functions = createFunctions(
      async (name, read) => (await call(name, read())).result,
      hasGlobal,
    )
    return { ...(functions as T), call }
  }

  const ofSandbox = (key: string): RemoteStateControl => createStateMethods(key, false)
  return {
    ...createStateMethods<RemoteControl>(sandbox, true),
    sandbox: ofSandbox,
    subscribe,
    events,
  }
}

function createRequester(mockUrl: string, options: ClientOptions) {
  // Looked up at each call, because tests replace it.
  const {
    fetch = (address, init) => globalThis.fetch(address, init),
    token,
    before,
    onRow,
  } = options
  const throwUnreachable = (): never => {
    throw new UsageError(`No mock responds at ${mockUrl}`, 0)
  }

  async function request(
    { route, target, body }: ControlRequest,
    signal?: AbortSignal,
  ): Promise<ControlResponse> {
    await before?.(route)
    const { method } = route
    const sent = token?.()
    const headers = {
      ...(body !== undefined && { 'content-type': JSON_TYPE }),
      ...(body === undefined && method !== 'GET' && { [HEADERS.control.toLowerCase()]: '1' }),
      // What a header cannot carry is encoded, so that the mock refuses it like any other wrong
      // token.
      ...(sent !== undefined && { authorization: `Bearer ${encodeURI(sent)}` }),
    }
    const content = { ...(body !== undefined && { body: toJson(body) }), ...(signal && { signal }) }
    const init = {
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'manual',
      method,
      headers,
      ...content,
    } as const
    const response = await fetch(mockUrl + CONTROL_PATH + target, init).catch(throwUnreachable)
    if (response.headers.get(HEADERS.mock)?.startsWith(`${MOCK_NAME}/`)) return response
    if (response.status === 431) throw new UsageError('The arguments are too long', 431)
    // Cancelled, since another server's page may never end.
    void response.body?.cancel().catch(() => {})
    throw new UsageError(
      `The server at ${mockUrl} is not ${MOCK_NAME} (status ${response.status})`,
      0,
    )
  }

  async function read(response: ControlResponse): Promise<unknown> {
    const isJson = response.headers.get('content-type')?.startsWith(JSON_TYPE)
    const text = response.text().then((sent) => (isJson ? parseJson(sent) : sent))
    const value: unknown = await text.catch(throwUnreachable)
    if (response.status <= 299) return value
    const { message, problems = message } = value as {
      message: string
      problems?: readonly Problem[]
    }
    throw new UsageError(problems, response.status, message)
  }

  async function send(sent: ControlRequest): Promise<Result> {
    const { of, method } = sent.route
    const isRemoval = of && method === 'DELETE'
    const response = await request(sent)
    const texts = [HEADERS.row, HEADERS.total].map((name) => response.headers.get(name))
    const [rowId, total] = texts.map((text) => (text === null ? undefined : Number(text)))
    if (rowId !== undefined) onRow?.(rowId)
    if (response.status === 204) return { result: isRemoval ? true : undefined, row: rowId }
    const result = await read(response).catch((error: UsageError) => {
      // Where the control API is off, everything is a 404.
      const isMissing = error.problems.some(({ kind }) => kind === 'not-found')
      if (!isMissing || !(isRemoval || (of && method === 'GET'))) throw error
      return isRemoval ? false : undefined
    })
    return { result, row: rowId, ...(total !== undefined && { total }) }
  }

  return { request, read, send }
}

const hasRows = (name: ControlMethod): boolean => name === 'requests' || name === 'timeline'

export function requestFor(
  name: ControlMethod,
  given: Input = {},
  sandbox?: string,
): ControlRequest {
  const input: Input & RequestFilter = checkCall(name, given)
  if (name === 'load' && isNameAlone(input.scenario))
    return toRequest(methods.load, { scenario: { ...input.scenario, pets: [] } }, sandbox)
  // The control API has a default limit, which a client must not inherit.
  const { limit = defaultLimit({ sandbox, ...input }) } = input
  return toRequest(methods[name], hasRows(name) ? { ...input, limit } : input, sandbox)
}

function toRequest(
  route: MethodRow,
  { id, ...others }: Input,
  sandbox: string | undefined,
): ControlRequest {
  const { path, isGlobal } = route
  const { query, body } = placeArguments(
    route,
    path.includes('{id}') || id === undefined ? others : { id, ...others },
  )
  const given = Object.entries({ ...(!isGlobal && { sandbox }), ...query }).filter(
    ([, value]) => value !== undefined,
  )
  const parameters = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  const target = [path.replace('{id}', encodeURIComponent(String(id))), parameters.join('&')]
    .filter(Boolean)
    .join('?')
  return { route, target, body }
}

function placeArguments(
  { method, args, body: name }: MethodRow,
  input: Input,
): { query?: Input; body?: unknown } {
  if (method === 'GET' || method === 'DELETE') return { query: input }
  if (name !== undefined) {
    const { [name]: body, ...query } = input
    return { query, body }
  }
  return args ? { body: input } : {}
}

/** Ends if the connection breaks. EventSource cannot send a token, and Node 20 does not have it. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<MockEvent, void> {
  // Not every browser can iterate over a stream.
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() as string
      for (const block of blocks) {
        // A block without data keeps the connection alive. The mock writes data on one line.
        const [, data] = /^data: ([^\n]*)/m.exec(block) ?? []
        if (data === undefined) continue
        const event = parseJson(data) as unknown as MockEvent
        if (event.type === 'request' || event.type === 'begin') addValues(event.row)
        yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
