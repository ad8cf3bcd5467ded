// The seam between the engine and its hosts: plain objects both ways, no platform classes, no
// waiting.
import { printBody } from '../contract/int64-json.ts'
import type { HostLimit } from '../world/kept-row.ts'

/** A request, as an adapter passes it to `mock.answer`. */
export interface Call {
  /** The method as it was sent: `GET`. */
  readonly method: string
  /** The request target as it was sent: path and query, or absolute. */
  readonly target: string
  /** How it came, if the host knows. */
  readonly scheme?: 'http' | 'https'
  /** The fields by their lower-case names; repeated ones are joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  /** The bytes of the body, if there is one, without its Content-Encoding. */
  readonly body?: Uint8Array | undefined
  /**
   * The host reports how its reply ended, through `Reply.settle`; without this a reply counts as
   * sent at once.
   */
  readonly reportsOutcome?: true
}

/** A response, which the adapter sends. */
export interface Reply {
  /** The status; 0 for a drop. */
  readonly status: number
  /** The header fields, by the names that are sent. */
  readonly headers: Readonly<Record<string, string>>
  /** The text of the body; empty if there is none. */
  readonly body: string
  /** Milliseconds that the host waits first. Of a held reply, it is the limit of its hold. */
  readonly delay?: number
  /** For a delayed reply to a call with `reportsOutcome`: the wait, which may end early. */
  readonly wait?: Wait
  /** The host cuts the connection instead of responding. */
  readonly drop?: true
  /** With `drop`, the connection ends with a TCP reset. */
  readonly reset?: true
  /** The body is shorter than its Content-Length: the host closes the connection after it. */
  readonly cut?: true
  /** Milliseconds over which the host spreads the body. */
  readonly spread?: number
  /**
   * Ends the row of a call with `reportsOutcome`; `aborted` if the client left first. Only the
   * first report counts. `unable` names what the host replaced by the nearest thing.
   */
  readonly settle?: (outcome: 'sent' | 'aborted', unable?: HostLimit) => void
}

/** How a host waits. It keeps the time; the mock says what it sends in the end. */
export interface Wait {
  /**
   * Calls `send` once with the final reply: when the host ends the wait, or earlier if a tester
   * releases the reply or its state is replaced.
   */
  onEnd(send: (final: Reply) => void): void
  /** The delay is over, or the mock stops. */
  end(cause: 'time' | 'stop'): void
}

export interface SentRequest {
  readonly method: string
  readonly target: string
  readonly headers: Reply['headers']
  readonly body: string
}

export interface RequestChange {
  readonly method?: string | undefined
  readonly target?: string | undefined
  /** By name, in any case; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>> | undefined
  /** A text, or a value that is sent as JSON. */
  readonly body?: unknown
}

export function changeRequest(sent: SentRequest, change: RequestChange): SentRequest {
  const { target = sent.target, body = sent.body } = change
  const fields = new Map(Object.entries(sent.headers))
  for (const [name, value] of Object.entries(change.headers ?? {})) {
    const field = name.toLowerCase()
    if (value === null) fields.delete(field)
    else fields.set(field, value)
  }
  return {
    method: change.method?.toUpperCase() ?? sent.method,
    target,
    headers: Object.fromEntries(fields),
    body: printBody(body ?? ''),
  }
}

/** A request that is made here. */
export function toCall(request: Omit<SentRequest, 'body'> & { body?: string | undefined }): Call {
  const { method, target, headers, body } = request
  return { method, target, headers, body: new TextEncoder().encode(body) }
}
