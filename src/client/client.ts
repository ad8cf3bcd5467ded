// The client of a running mock: the methods of the table over `fetch`, and the stream of events.
import { parseJson, toJson } from '../contract/int64-json.ts'
import type { MockEvent } from '../control/control.ts'
import { parseParts } from '../control/logged-request.ts'
import { CONTROL_PATH, extras, type MethodRow, MOCK_HEADER, MOCK_NAME, NOT_FOUND } from '../control/methods.ts'
import { contract } from '../generated/contract.ts'
import { readEvents } from './events.ts'
import { type ControlRequest, createRemoteMethods, type RemoteControl, type RemoteStateControl, toRequest } from './remote.ts'

/** A call of the control API failed. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  /** The status of the mock's response; 0 if there was none, or not all of it, or the server is not the mock. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The part of a `Response` that the client reads. */
interface ControlResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: ReadableStream<Uint8Array> | null
  text(): Promise<string>
}

/** The part of `fetch` that the client uses. */
export type ControlFetch = (
  url: string,
  init: typeof FETCH_OPTIONS & { method: string; headers: Record<string, string>; body?: string; signal?: AbortSignal },
) => Promise<ControlResponse>

/** For the command line and the console: another `fetch`, and a token and a sandbox that may change between calls. */
export interface ClientOptions {
  readonly fetch?: ControlFetch
  readonly token?: () => string | undefined
  readonly sandbox?: () => string | undefined
}

export interface EventOptions {
  /** Ends the stream. */
  readonly signal?: AbortSignal
  /** Called for every sign of life, the mock's heartbeat included. */
  readonly onActivity?: () => void
}

/** The control, with what the console and the command line need besides. */
export interface ControlClient extends RemoteControl {
  /** Calls one of the `extras`, which are not methods of the control. */
  call<T>(row: MethodRow, ...args: readonly unknown[]): Promise<T>
  /** Resolves once the mock is listening. */
  events(options?: EventOptions): Promise<AsyncIterable<MockEvent>>
}

const FETCH_OPTIONS = { cache: 'no-store', credentials: 'omit', redirect: 'manual' } as const

export function createClient(url: string, { fetch = lateFetch, token = none, sandbox = none }: ClientOptions = {}): ControlClient {
  const origin = url.replace(/\/+$/, '').replace(new RegExp(`${contract.basePath}$`), '')

  /** The mock's response, whatever its status; its body is not read yet. */
  async function request({ row: { method }, target, body }: ControlRequest, signal?: AbortSignal): Promise<ControlResponse> {
    const sent = token()
    const headers = {
      // A write without a body needs a header that no plain link can send.
      ...(body !== undefined ? { 'content-type': 'application/json' } : method === 'GET' ? {} : { 'x-mock-control': '1' }),
      ...(sent === undefined ? {} : { authorization: `Bearer ${sent}` }),
    }
    const more = { ...(body === undefined ? {} : { body: toJson(body) }), ...(signal ? { signal } : {}) }
    const response = await fetch(origin + CONTROL_PATH + target, { method, headers, ...FETCH_OPTIONS, ...more }).catch(throwUnreachable)
    if (response.headers.get(MOCK_HEADER)?.startsWith(`${MOCK_NAME}/`)) return response
    // Not read: another server's page may have no end.
    void response.body?.cancel().catch(() => {})
    throw new ControlError(0, `The server at ${origin} is not ${MOCK_NAME} (status ${response.status})`)
  }

  /** The value of a response; a status above 299 is an error with a message. */
  async function read(response: ControlResponse): Promise<unknown> {
    const value = await response.text().then(parseJson).catch(throwUnreachable)
    if (response.status > 299) throw new ControlError(response.status, (value as unknown as Error).message)
    return value
  }

  async function send(sent: ControlRequest): Promise<unknown> {
    const { returns } = sent.row
    const response = await request(sent)
    if (response.status === 204) return returns === 'whether' ? true : undefined
    return read(response).catch((error: ControlError) => {
      // Where the control API is off, everything is a 404.
      const isMissing = error.status === 404 && error.message.endsWith(NOT_FOUND)
      if (isMissing && returns === 'whether') return false
      if (isMissing && returns === 'maybe') return undefined
      throw error
    })
  }

  async function events({ signal, onActivity }: EventOptions = {}): Promise<AsyncIterable<MockEvent>> {
    const response = await request(toRequest(extras.events, [], sandbox()), signal)
    if (response.status !== 200 || !response.body) await read(response)
    return readEvents(response.body as ReadableStream<Uint8Array>, onActivity)
  }

  async function subscribe(listener: (event: MockEvent) => void, onEnd?: () => void): Promise<() => void> {
    const stopped = new AbortController()
    const stream = (await events({ signal: stopped.signal }))[Symbol.asyncIterator]()
    void follow()
    return () => stopped.abort()

    async function follow(): Promise<void> {
      for (;;) {
        // A broken connection is the end of the stream.
        const next = await stream.next().catch(() => undefined)
        if (stopped.signal.aborted) return
        if (!next || next.done) return onEnd?.()
        listener(next.value)
      }
    }
  }

  function createMethods<T extends RemoteStateControl>(key: () => string | undefined): T {
    const methods = createRemoteMethods(send, key) as T
    return { ...methods, requests: async (filter) => (await methods.requests(filter)).map(parseParts) }
  }

  return {
    ...createMethods<RemoteControl>(sandbox),
    sandbox: (key) => createMethods(() => key),
    subscribe,
    call: (row, ...args) => send(toRequest(row, args, sandbox())) as Promise<never>,
    events,
  }

  function throwUnreachable(): never {
    throw new ControlError(0, `No mock responds at ${origin}`)
  }
}

/** Looked up at each call, because tests replace it. */
function lateFetch(...[url, init]: Parameters<ControlFetch>): ReturnType<ControlFetch> {
  return globalThis.fetch(url, init)
}

function none(): undefined {}
