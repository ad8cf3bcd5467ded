// Sends requests to a mock on a port of this machine, as they are, and gives everything that comes
// back.
import { Agent } from 'node:http'
import { parseJson, toJson } from '../../src/contract/int64-json.ts'
import { sendOverHttp } from '../support/send-over-http.ts'

interface Ask {
  readonly method?: string
  readonly path: string
  /** An API key, or the control token. */
  readonly key?: string | undefined
  /** Sent as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

interface Answer {
  readonly status: number
  /** Without those of the connection. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export const TOKEN = 'control-token-of-the-tests'

export interface Client {
  /** Rejects if the connection breaks. */
  ask(ask: Ask): Promise<Answer>
  /** The same with the token, below `/__mock`; gives the value of the body. */
  control(method: string, path: string, body?: unknown): Promise<unknown>
  create(key: string, name: string): Promise<Answer>
}

const OF_THE_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding']

export function createClient(
  port: () => number,
  agent = new Agent({ keepAlive: true, maxSockets: 64 }),
): Client {
  const ask = async ({ method = 'GET', path, key, body, headers = {} }: Ask) => {
    const fields = {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined
        ? method === 'GET'
          ? {}
          : { 'x-mock-control': '1' }
        : { 'content-type': 'application/json' }),
      ...headers,
    }
    const bytes = body === undefined ? undefined : new TextEncoder().encode(toJson(body))
    const answer = await sendOverHttp(
      port(),
      { method, target: path, headers: fields, body: bytes },
      agent,
    )
    const seen = Object.entries(answer.headers).filter(
      ([name]) => !OF_THE_CONNECTION.includes(name),
    )
    return { ...answer, headers: Object.fromEntries(seen) }
  }
  return {
    ask,
    async control(method, path, body) {
      const { status, text } = await ask({ method, path: `/__mock${path}`, key: TOKEN, body })
      if (status >= 400) throw new Error(`${method} ${path}: ${status} ${text}`)
      return text === '' ? undefined : parseJson(text)
    },
    create: (key, name) =>
      ask({ method: 'POST', path: '/v1/pets', key, body: { name, categoryId: 1 } }),
  }
}
