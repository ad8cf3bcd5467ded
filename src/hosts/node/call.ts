// Carries a node:http request into the engine and the reply out: reads, waits, drops, and decides nothing itself.
import { Buffer } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Call, Reply } from '../../service/call.ts'

/** How long a client may go on sending a body that has been refused, so that it gets to read the refusal. */
const LINGER = 500

/** The call of a request. Its fields are all it holds on to, so that nothing keeps a socket alive. */
export function toCall({ method = '', url = '', headers, rawHeaders }: IncomingMessage, body?: Uint8Array): Call {
  const all = toHeader(rawHeaders)
  // node:http has dropped some repeated fields from its own record, but it knows at once which are not there at all.
  return { method, target: url, header: (name) => (headers[name] === undefined ? undefined : all(name)), body }
}

/** Looks a field up in a flat list of names and values; repeated ones are joined, as the Fetch standard does. */
export function toHeader(fields: readonly string[]): Call['header'] {
  return (name) => {
    let found: string | undefined
    for (let index = 0; index < fields.length; index += 2) {
      const field = fields[index] as string
      if (field.length !== name.length || field.toLowerCase() !== name) continue
      found = found === undefined ? fields[index + 1] : `${found}, ${fields[index + 1]}`
    }
    return found
  }
}

/** Whether a body follows the head of the request (RFC 9112 §6). */
export function hasBody({ header }: Call): boolean {
  return header('transfer-encoding') !== undefined || Number(header('content-length') ?? 0) > 0
}

/** Whether the head announces more than will be read. */
export function announcesTooMuch({ header }: Call, limit: number): boolean {
  return Number(header('content-length') ?? 0) > limit
}

/** Gives the body to `done` once it is there, or as soon as it is larger than the limit. */
export function readBody(request: IncomingMessage, limit: number, done: (body: Uint8Array) => void): void {
  const chunks: Buffer[] = []
  let length = 0
  const onEnd = () => done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
  const onData = (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length <= limit) return
    request.off('data', onData).off('end', onEnd)
    done(Buffer.concat(chunks))
  }
  request.on('data', onData).on('end', onEnd)
}

/** The replies that wait for their delay to pass; a server that stops sends them at once. */
export interface Waiting {
  add(milliseconds: number, response: ServerResponse, send: () => void): void
  /** Whether one of them is for this connection. */
  holds(socket: Duplex): boolean
  flush(): void
}

export function createWaiting(): Waiting {
  const sends = new Map<ServerResponse, () => void>()
  return {
    add(milliseconds, response, send) {
      const once = () => {
        clearTimeout(timer)
        sends.delete(response)
        send()
      }
      const timer = setTimeout(once, milliseconds)
      sends.set(response, once)
      response.once('close', () => {
        clearTimeout(timer)
        sends.delete(response)
      })
    },
    holds: (socket) => [...sends.keys()].some((response) => response.socket === socket),
    flush() {
      for (const send of [...sends.values()]) send()
    },
  }
}

/** Puts the reply on the wire, or cuts the wire. */
export function sendReply(reply: Reply, request: IncomingMessage, response: ServerResponse, expectsBody: boolean): void {
  if (reply.drop) {
    request.socket.destroy()
    return
  }
  response.writeHead(reply.status, reply.headers)
  if (!expectsBody || request.complete) {
    endWith(reply.body, response)
    return
  }
  // Closing on a client that is still sending would reset the connection before it has read the answer.
  response.write(reply.body)
  const end = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, LINGER)
  request.resume().once('end', end).once('close', end)
}

/** As `response.end(body)`, which would hand the socket a second, empty piece and so make it gather both: a tenth of all its work. */
function endWith(body: string, response: ServerResponse): void {
  const { socket } = response
  // An answer that waits for the ones before it on its connection has no socket yet.
  if (body === '' || !socket) {
    response.end(body)
    return
  }
  socket.cork()
  response.write(body)
  socket.uncork()
  response.end()
}
