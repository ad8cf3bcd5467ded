// Turns a node:http request into a call of the engine, and reads its body within one budget for all.
import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Call } from '../../service/call.ts'

/** The call holds on to the header fields only, so that the request log keeps no socket alive. */
export function toCall({ method = '', url = '', headers, rawHeaders }: IncomingMessage): Call {
  // The server joins repeated fields; only Set-Cookie would be a list.
  const header: Call['header'] = (name) => headers[name] as string | undefined
  return { method, target: url, header, body: undefined, fields: rawHeaders, reportsOutcome: true, showsWire: true }
}

/** Whether a body follows the head of the request (RFC 9112 §6); HTTP/2 says so in its frames. */
export function hasBody(request: IncomingMessage): boolean {
  const { headers } = request
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0) return true
  return isHttp2(request) && !request.stream.endAfterHeaders
}

/** A request of another's server, which may speak HTTP/2. */
export function isHttp2(request: IncomingMessage): request is IncomingMessage & { readonly stream: { readonly endAfterHeaders: boolean } } {
  return 'stream' in request
}

/** The body of a request that has arrived whole, as most have. Reading it through events costs creates a tenth more processor time. */
export function takeBody(request: IncomingMessage): Uint8Array {
  return (request.read() as Buffer | null) ?? NO_BYTES
}

const NO_BYTES = new Uint8Array()

export type BodyBudget = ReturnType<typeof createBodyBudget>

/** One budget for all bodies in flight: requests that are still arriving, and responses that clients do not read. */
export function createBodyBudget(maxBytes: number) {
  let held = 0
  return {
    /** Takes the bytes in any case; returns whether they fit. */
    take(bytes: number): boolean {
      held += bytes
      return held <= maxBytes
    },
    release(bytes: number): void {
      held -= bytes
    },
  }
}

interface BodyReading {
  readonly maxBytes: number
  readonly budget: BodyBudget
  /** Gets the body once it is complete, or as soon as it is larger than the limit. */
  onBody(body: Uint8Array): void
  /** Called instead when the budget is used up. */
  onFull(): void
}

/** Reads a body that is still arriving; returns what stops the reading. */
export function readBody(request: IncomingMessage, { maxBytes, budget, onBody, onFull }: BodyReading): () => void {
  const chunks: Buffer[] = []
  let length = 0
  const stop = () => {
    request.off('data', onData).off('end', onEnd).off('close', stop)
    budget.release(length)
    length = 0
  }
  const onEnd = () => {
    stop()
    onBody(Buffer.concat(chunks))
  }
  const onData = (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    const fits = budget.take(chunk.length)
    if (fits && length <= maxBytes) return
    stop()
    if (fits) onBody(Buffer.concat(chunks))
    else onFull()
  }
  request.on('data', onData).on('end', onEnd).on('close', stop)
  return stop
}
