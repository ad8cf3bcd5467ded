// Sends requests to the control API of a running mock, and reads its responses.
import { UsageError } from '../../contract/errors.ts'
import { JSON_TYPE, parseJson, toJson } from '../../contract/int64-json.ts'
import type { Problem } from '../../contract/problem.ts'
import type { Result } from '../control.ts'
import type { MethodRow } from '../method-row.ts'
import { CONTROL_PATH, HEADERS, MOCK_NAME } from '../protocol.ts'
import type { ControlRequest } from './control-request.ts'

type Init = RequestInit & {
  method: string
  headers: Record<string, string>
  body?: string
  signal?: AbortSignal
}
type ControlResponse = Pick<Response, 'status' | 'text' | 'body'> & {
  readonly headers: Pick<Headers, 'get'>
}
export type ControlFetch = (url: string, init: Init) => Promise<ControlResponse>

export interface SenderOptions {
  readonly fetch?: ControlFetch
  /** A function, because the console learns the token later. */
  readonly token?: () => string | undefined
  /** Before each request. The command line checks the sandbox first. */
  before?(route: MethodRow): Promise<void>
  /** The row of each change. The console shows what was changed from there. */
  onRow?(id: number): void
}

export function createSender(mockUrl: string, options: SenderOptions) {
  // Looked up at each call, because tests replace it.
  const usualFetch: ControlFetch = (address, init) => globalThis.fetch(address, init)
  const fetch = options.fetch ?? usualFetch

  /** Resolves to the response as it is, once it is known to be the mock's. */
  async function request(sent: ControlRequest, signal?: AbortSignal): Promise<ControlResponse> {
    await options.before?.(sent.route)
    const init = createInit(sent, options.token?.(), signal)
    const response = await fetch(mockUrl + CONTROL_PATH + sent.target, init).catch(throwUnreachable)
    if (response.headers.get(HEADERS.mock)?.startsWith(`${MOCK_NAME}/`)) return response
    if (response.status === 431) throw new UsageError('The arguments are too long', 431)
    // Another server's page may never end.
    response.body?.cancel().catch(() => {})
    const status = `status ${response.status}`
    throw new UsageError(`The server at ${mockUrl} is not ${MOCK_NAME} (${status})`, 0)
  }

  async function read(response: ControlResponse): Promise<unknown> {
    const isJson = response.headers.get('content-type')?.startsWith(JSON_TYPE)
    const parsed = response.text().then((text) => (isJson ? parseJson(text) : text))
    const value: unknown = await parsed.catch(throwUnreachable)
    if (response.status <= 299) return value
    const { message, problems } = value as { message: string; problems?: readonly Problem[] }
    throw new UsageError(problems ?? message, response.status, message)
  }

  async function send(sent: ControlRequest): Promise<Result> {
    const response = await request(sent)
    const row = readNumber(response, HEADERS.row)
    if (row !== undefined) options.onRow?.(row)
    if (response.status === 204) {
      const result = isRemoval(sent.route) ? true : undefined
      return { result, row }
    }
    const result = await readFound(sent.route, response)
    const total = readNumber(response, HEADERS.total)
    return total === undefined ? { result, row } : { result, row, total }
  }

  /** What was not found is a result: false for a removal, or else undefined. */
  async function readFound(route: MethodRow, response: ControlResponse): Promise<unknown> {
    try {
      return await read(response)
    } catch (error) {
      if (!isNotFound(error)) throw error
      if (isRemoval(route)) return false
      if (route.of && route.method === 'GET') return undefined
      throw error
    }
  }

  function throwUnreachable(): never {
    throw new UsageError(`No mock responds at ${mockUrl}`, 0)
  }

  return { request, read, send }
}

function createInit(
  sent: ControlRequest,
  token: string | undefined,
  signal: AbortSignal | undefined,
): Init {
  const { method } = sent.route
  const headers: Record<string, string> = {}
  const init: Init = { method, headers, cache: 'no-store', credentials: 'omit', redirect: 'manual' }
  if (sent.body !== undefined) {
    headers['content-type'] = JSON_TYPE
    init.body = toJson(sent.body)
  } else if (method !== 'GET') {
    headers[HEADERS.control.toLowerCase()] = '1'
  }
  // What a header cannot carry is encoded: the mock then refuses it like any other wrong token.
  if (token !== undefined) headers.authorization = `Bearer ${encodeURI(token)}`
  if (signal) init.signal = signal
  return init
}

function readNumber(response: ControlResponse, header: string): number | undefined {
  const text = response.headers.get(header)
  return text === null ? undefined : Number(text)
}

function isRemoval(route: MethodRow): boolean {
  return route.of !== undefined && route.method === 'DELETE'
}

/** By its problem, not its status: where the control API is off, everything is a 404. */
function isNotFound(error: unknown): boolean {
  if (!(error instanceof UsageError)) return false
  return error.problems.some((problem) => problem.kind === 'not-found')
}
