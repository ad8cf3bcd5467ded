// Speaks with the control API over its public routes: exact at int64 both ways, with the token and the sandbox that apply.
import { parseJson, toJson } from '../../contract/int64-json.ts'
import { CONTROL_PATH } from '../../control-path.ts'

/** The control API refused, or could not be reached; every problem has a line of its own. */
export class ControlError extends Error {
  /** 0 if there was no answer at all. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }

  get problems(): string[] {
    return this.message.split('\n')
  }
}

/** Who asks, and about whose world. */
export interface ControlScope {
  readonly token: string | undefined
  readonly sandbox: string | undefined
}

export interface ControlClient {
  /** The value of the answer; the caller knows its type from the route. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  /** The event stream, of all worlds at once. */
  listen(signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
}

const UNREACHABLE = 'The mock does not answer: is it still running?'

export function createControlClient(scope: () => ControlScope): ControlClient {
  async function send(method: string, target: string, more: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
    const { token } = scope()
    const headers = { ...more.headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) }
    const response = await fetch(CONTROL_PATH + target, { ...more, method, headers, cache: 'no-store', credentials: 'omit' }).catch(() => {
      throw new ControlError(0, UNREACHABLE)
    })
    if (!response.ok) throw new ControlError(response.status, toMessage(await response.text()))
    return response
  }

  return {
    async call<T>(method: string, path: string, body?: unknown) {
      const { sandbox } = scope()
      const target = sandbox === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}sandbox=${encodeURIComponent(sandbox)}`
      const response = await send(method, target, toInit(method, body))
      const text = await response.text().catch(() => {
        throw new ControlError(0, UNREACHABLE)
      })
      return (text === '' ? undefined : parseJson(text)) as T
    },
    async listen(signal) {
      const { body } = await send('GET', '/events', { signal })
      if (!body) throw new ControlError(0, UNREACHABLE)
      return body
    },
  }
}

/** A write without a body needs a header that no plain link can send. */
function toInit(method: string, body: unknown): { headers?: Record<string, string>; body?: string } {
  if (body !== undefined) return { headers: { 'Content-Type': 'application/json' }, body: toJson(body) }
  return method === 'GET' ? {} : { headers: { 'X-Mock-Control': '1' } }
}

/** The message of an Error body, or whatever else came. */
function toMessage(text: string): string {
  try {
    const { message } = parseJson(text) as { message?: unknown }
    if (typeof message === 'string') return message
  } catch {
    // Not from the mock, then.
  }
  return text === '' ? 'An answer without a body' : text
}
