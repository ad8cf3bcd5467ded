// The client of a running mock: the methods of the table over `fetch`, and the stream of events.
import { parseJson, toJson } from '../contract/int64-json.ts'
import { listProblems, type Problem } from '../contract/problem.ts'
import type { MockEvent, Outcome } from '../control/control.ts'
import {
  CONTROL_PATH,
  extras,
  type MethodRow,
  MOCK_HEADER,
  MOCK_NAME,
  nameArguments,
  RECORDING_TYPE,
  ROW_HEADER,
  TOTAL_HEADER,
} from '../control/methods.ts'
import type { RequestFilter } from '../control/results.ts'
import { contract } from '../generated/contract.ts'
import { MAX_LOG_ENTRIES } from '../limits.ts'
import { addParts, isChange } from '../world/row.ts'
import { type ControlRequest, createRemoteMethods, type RemoteControl, type RemoteStateControl, toRequest } from './remote.ts'

/** A call of the control API failed. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  /** The status of the mock's response; 0 if there was none, or not all of it, or the server is not the mock. */
  readonly status: number
  /** Why the mock refused it, as data; empty if it did not respond. */
  readonly problems: readonly Problem[]

  constructor(status: number, message: string, problems: readonly Problem[] = []) {
    super(message)
    this.status = status
    this.problems = problems
  }
}

type ControlResponse = Pick<Response, 'status' | 'text'> & {
  readonly headers: Pick<Headers, 'get'>
  readonly body: ReadableStream<Uint8Array> | null
}

export type ControlFetch = (
  url: string,
  init: typeof FETCH_OPTIONS & { method: string; headers: Record<string, string>; body?: string; signal?: AbortSignal },
) => Promise<ControlResponse>

/** For the console in a page, where there is no server to talk to. */
export interface Transport {
  readonly control: ControlFetch
  readonly service: typeof fetch
  /** As the app calls it: `https://api.example.com/v1`. */
  readonly baseUrl: string
  /** Absent if the console has its own window. */
  readonly drawer?: { close(): void; move(): void; detach(): void }
}

/** The token is a function because the console learns it later. */
export interface ClientOptions {
  readonly fetch?: ControlFetch
  readonly token?: () => string | undefined
  readonly sandbox?: string | undefined
  /** Called with the id of the row that a call adds to the timeline. */
  onRow?(id: number): void
}

export interface ControlClient extends RemoteControl {
  /** Asks one of the `extras`, which are not methods of the control. */
  ask<T>(row: MethodRow, ...args: readonly unknown[]): Promise<T>
  /** Resolves once the mock sends events; `signal` ends the stream. */
  events(signal?: AbortSignal): Promise<AsyncIterable<MockEvent>>
}

const DATA = 'data: '
const FETCH_OPTIONS = { cache: 'no-store', credentials: 'omit', redirect: 'manual' } as const

/** From the address of the API, the control API or the console. */
export function findOrigin(url: string): string {
  const address = url.replace(/\/+$/, '')
  const end = [contract.basePath, CONTROL_PATH].find((path) => address.endsWith(path)) ?? ''
  return address.slice(0, address.length - end.length)
}

export function createClient(url: string, options: ClientOptions = {}): ControlClient {
  // Looked up at each call, because tests replace it.
  const { fetch = (address, init) => globalThis.fetch(address, init), token, sandbox, onRow } = options
  const origin = findOrigin(url)

  async function request({ row: { method }, target, body }: ControlRequest, signal?: AbortSignal): Promise<ControlResponse> {
    const sent = token?.()
    const headers = {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      // A write without a body needs a header that a plain link cannot send.
      ...(body === undefined && method !== 'GET' && { 'x-mock-control': '1' }),
      ...(sent !== undefined && { authorization: `Bearer ${sent}` }),
    }
    const init = { method, headers, ...FETCH_OPTIONS, ...(body !== undefined && { body: toJson(body) }), ...(signal && { signal }) }
    const response = await fetch(origin + CONTROL_PATH + target, init).catch(throwUnreachable)
    if (response.headers.get(MOCK_HEADER)?.startsWith(`${MOCK_NAME}/`)) return response
    if (response.status === 431) throw new ControlError(431, 'The arguments are too long')
    // Cancelled, since another server's page may never end.
    void response.body?.cancel().catch(() => {})
    throw new ControlError(0, `The server at ${origin} is not ${MOCK_NAME} (status ${response.status})`)
  }

  async function read(response: ControlResponse): Promise<unknown> {
    const isText = response.headers.get('content-type') === RECORDING_TYPE
    const parse = (text: string): unknown => (isText ? text : parseJson(text))
    const value = await response.text().then(parse).catch(throwUnreachable)
    if (response.status <= 299) return value
    const { message, problems } = value as { message: string; problems?: readonly Problem[] }
    throw new ControlError(response.status, message, problems ?? listProblems(message))
  }

  async function send(sent: ControlRequest): Promise<Outcome> {
    const { of, method }: Partial<MethodRow> = sent.row
    const isRemoval = of !== undefined && method === 'DELETE'
    const response = await request(sent)
    const numberIn = (name: string) => (response.headers.get(name) === null ? undefined : Number(response.headers.get(name)))
    const [row, total] = [numberIn(ROW_HEADER), numberIn(TOTAL_HEADER)]
    if (row !== undefined) onRow?.(row)
    if (response.status === 204) return { result: isRemoval ? true : undefined, row }
    const result = await read(response).catch((error: ControlError) => {
      // Where the control API is off, everything is a 404.
      const isMissing = error.problems.some(({ kind }) => kind === 'not-found')
      if (!isMissing || !(isRemoval || (of && method === 'GET'))) throw error
      return isRemoval ? false : undefined
    })
    return { result, row, ...(total !== undefined && { total }) }
  }

  async function events(signal?: AbortSignal): Promise<AsyncIterable<MockEvent>> {
    const response = await request(toRequest(extras.events, {}, sandbox), signal)
    if (response.status !== 200) await read(response)
    return readEvents(response.body as ReadableStream<Uint8Array>)
  }

  async function subscribe(listener: (event: MockEvent) => void, onEnd?: () => void): Promise<() => void> {
    const stopped = new AbortController()
    const stream = await events(stopped.signal)
    const follow = async () => {
      for await (const event of stream) if (!stopped.signal.aborted) listener(event)
      if (!stopped.signal.aborted) onEnd?.()
    }
    void follow()
    return () => stopped.abort()
  }

  function createMethods<T extends RemoteStateControl>(key: string | undefined): T {
    const methods = createRemoteMethods(send, key, async (start) => (await start()).result) as T
    return {
      ...methods,
      requests: async (filter) => (await methods.requests(toWhole(filter))).map(addParts),
      timeline: async (filter) => (await methods.timeline(toWhole(filter))).map((row) => (isChange(row) ? row : addParts(row))),
    }
  }

  return {
    ...createMethods<RemoteControl>(sandbox),
    sandbox: (key) => createMethods(key),
    subscribe,
    ask: async (row, ...args) => (await send(toRequest(row, nameArguments(row, args), sandbox))).result as never,
    events,
  }

  function throwUnreachable(): never {
    throw new ControlError(0, `No mock responds at ${origin}`)
  }
}

/** The control API has a default limit, which a client must not inherit. */
function toWhole(filter: RequestFilter = {}): RequestFilter {
  return { limit: filter.sandbox === undefined ? Number.MAX_SAFE_INTEGER : MAX_LOG_ENTRIES, ...filter }
}

/** Ends if the connection breaks. EventSource cannot send a token, and Node 20 does not have it. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<MockEvent, void> {
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
        const data = block.split('\n').find((line) => line.startsWith(DATA))
        if (data === undefined) continue
        const event = parseJson(data.slice(DATA.length)) as unknown as MockEvent
        if (event.type === 'request' || event.type === 'begin') addParts(event.row)
        yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
