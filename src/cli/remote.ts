// A running mock, reached through its control API.
import type { IncomingMessage, RequestOptions } from 'node:http'
import { UsageError } from '../contract/errors.ts'
import { type Json, parseJson, toJson } from '../contract/int64-json.ts'
import { CONTROL_PATH } from '../control-path.ts'

/** Which mock, and which world of it. */
export interface RemoteFlags {
  /** Without the version segment. */
  readonly url: string
  readonly sandbox?: string
  readonly token?: string
}

export interface Remote {
  get(path: string, query?: Readonly<Record<string, string | number | undefined>>): Promise<Json>
  put(path: string, body: unknown): Promise<Json>
  post(path: string): Promise<Json>
  /** The stream of server-sent events, each as its data. */
  events(): Promise<AsyncIterable<Json>>
}

/** What is sent beside the path. */
interface Sending {
  readonly method?: string
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

const PATIENCE = 10_000

export function createRemote({ url, sandbox, token }: RemoteFlags): Remote {
  async function ask(path: string, { query = {}, headers = {}, body, ...rest }: Sending): Promise<IncomingMessage> {
    const parameters = Object.entries({ ...query, sandbox }).filter(([, value]) => value !== undefined)
    const search = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]))
    const address = `${url}${CONTROL_PATH}${path}${search.size === 0 ? '' : `?${search}`}`
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const response = await send(address, { ...rest, headers: { ...headers, ...authorization } }, body).catch(() => {
      throw new UsageError(`no mock answers at ${url}: start one with animal-store-mock, or say where it is with --url`)
    })
    const { statusCode: status = 0 } = response
    if (status < 200 || status > 299) throw new UsageError(explain(url, status, await readText(response)))
    return response
  }

  async function exchange(path: string, sending: Sending): Promise<Json> {
    const response = await ask(path, { ...sending, signal: AbortSignal.timeout(PATIENCE) })
    return parse(url, await readText(response))
  }

  return {
    get: (path, query = {}) => exchange(path, { query }),
    put: (path, body) => exchange(path, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: toJson(body) }),
    post: (path) => exchange(path, { method: 'POST', headers: { 'x-mock-control': '1' } }),
    events: async () => readEvents(await ask('/events', { headers: { accept: 'text/event-stream' } })),
  }
}

/** Not `fetch`: its first call takes as long as the rest of a command. */
async function send(address: string, options: RequestOptions, body: string | undefined): Promise<IncomingMessage> {
  const { request } = address.startsWith('https:') ? await import('node:https') : await import('node:http')
  return new Promise((resolve, reject) => {
    request(address, { ...options, agent: false }, resolve)
      .on('error', reject)
      .end(body)
  })
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return text
}

/** What a refusal means for whoever typed the command. */
function explain(url: string, status: number, text: string): readonly string[] {
  const message = findMessage(text)
  if (message === undefined) return [`what answers at ${url} is not this mock (status ${status}): say where it is with --url`]
  if (status === 401) return ['this mock asks for its token: give it with --token, or as ANIMAL_STORE_CONTROL_TOKEN']
  if (status === 404) return [`the control API of the mock at ${url} is off: start it without --no-control`]
  return message.split('\n')
}

/** The message of an Error body. */
function findMessage(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}

function parse(url: string, text: string): Json {
  try {
    return parseJson(text)
  } catch {
    throw new UsageError(`what answers at ${url} is not this mock: say where it is with --url`)
  }
}

/** The data of each event, as it comes in (HTML standard, 9.2.6; our own events have their data on one line). */
async function* readEvents(response: IncomingMessage): AsyncIterable<Json> {
  let text = ''
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      const lines = (text + chunk).split('\n')
      text = lines.pop() as string
      for (const line of lines) if (line.startsWith('data: ')) yield parseJson(line.slice(6))
    }
  } catch {
    // The mock has gone; so has the stream.
  }
}
