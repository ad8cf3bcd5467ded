// The one client that every spec of the service asks through, whatever host carries what it sends.
import { parseJson } from '../../src/contract/int64-json.ts'
import type { Mock } from '../../src/mock/mock.ts'

/** What a spec sends. The key is `spec-key` unless another, or none, is named. */
export interface Ask {
  readonly method?: string
  readonly target?: string
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** What comes back, with field names in lower case; `json` is exact at int64. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly json: unknown
}

export interface Api {
  readonly mock: Mock
  /** Sends a request; a dropped connection rejects with a Dropped. */
  ask(ask: Ask | string): Promise<Answer>
  /** Adds an animal. */
  create(pet: unknown, ask?: Ask): Promise<Answer>
}

/** The message is what came before: the status, and the beginning of the body. */
export class Dropped extends Error {}

/** A request to a host. */
export interface Sent {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer> | undefined
}

type Received = Omit<Answer, 'json'>
/** Carries a request to a mock and its answer back. */
export type Wire = (sent: Sent) => Promise<Received>

/** A client of the mock at the other end of the wire; `check` sees every exchange. */
export function createClient(
  mock: Mock,
  wire: Wire,
  check: (sent: Sent, received: Received) => void = () => {},
): Api {
  async function ask(asked: Ask | string): Promise<Answer> {
    const {
      method = 'GET',
      target = '/v1/pets',
      key = 'spec-key',
      headers = {},
      body,
    }: Ask = typeof asked === 'string' ? { target: asked } : asked
    const bytes =
      typeof body === 'string'
        ? new TextEncoder().encode(body)
        : (body as Uint8Array<ArrayBuffer> | undefined)
    const sent = {
      method,
      target,
      headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
      body: bytes,
    }
    const received = await wire(sent)
    check(sent, received)
    return {
      ...received,
      // When it is read: a fault may have sent something else.
      get json() {
        return received.text === '' ? undefined : parseJson(received.text)
      },
    }
  }
  return {
    mock,
    ask,
    create: (pet, more = {}) =>
      ask({
        method: 'POST',
        body: typeof pet === 'string' ? pet : JSON.stringify(pet),
        ...more,
        headers: { 'content-type': 'application/json', ...more.headers },
      }),
  }
}

/** Asks the engine itself, with nothing in between. */
export function toDirectWire(mock: Mock): Wire {
  return async ({ method, target, headers, body }) => {
    const reply = mock.answer({ method, target, headers, body })
    const { delay = 0, spread = 0 } = reply
    if (delay + spread > 0) await new Promise((resolve) => setTimeout(resolve, delay + spread))
    if (reply.drop || reply.cut) throw new Dropped()
    return {
      status: reply.status,
      headers: lowerCase(Object.entries(reply.headers)),
      text: reply.body,
    }
  }
}

/** Asks by a standard request. */
export async function sendRequest(
  send: (request: Request) => Promise<Response>,
  origin: string,
  { method, target, headers, body }: Sent,
): Promise<Received> {
  const request = new Request(origin + target, {
    method,
    headers: { ...headers },
    ...(body ? { body } : {}),
  })
  const response = await send(request).catch(() => {
    throw new Dropped()
  })
  return {
    status: response.status,
    headers: lowerCase([...response.headers]),
    text: await readText(response),
  }
}

async function readText({ status, body }: Response): Promise<string> {
  let text = ''
  try {
    const decoder = new TextDecoder()
    for await (const bytes of body ?? []) text += decoder.decode(bytes, { stream: true })
    return text
  } catch {
    throw new Dropped(`${status} ${text}`)
  }
}

export function lowerCase(fields: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value]))
}
