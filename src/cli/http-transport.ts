// The command line's `fetch`, by node:http: the first use of the platform's takes as long as the rest of a command.
import type { IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ControlFetch } from '../client/client.ts'

/** `timeoutMs` limits how long the mock may send nothing; a stream of events may be silent for longer. */
export function createHttpFetch(timeoutMs: number): ControlFetch {
  return async (url, { method, headers, body, signal }) => {
    const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http')
    const isLocal = new URL(url).hostname === 'localhost'
    const options = { method, headers, agent: false, timeout: timeoutMs, ...(signal && { signal }), ...(isLocal && { lookup }) }
    const sent = request(url, options)
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('timeout', () => sent.destroy(new Error('timeout')))
      sent.once('error', reject)
      sent.once('response', resolve)
      sent.end(body)
    })
    // A connection that breaks fails the reading, if there is any, and nothing else.
    response.on('error', () => {})
    // The client reads no body of a 204, and an unread response keeps the process waiting.
    if (response.statusCode === 204) response.resume()
    return {
      status: response.statusCode ?? 0,
      headers: { get: (name) => response.headers[name.toLowerCase()]?.toString() ?? null },
      text: () => text(response),
      get body() {
        sent.setTimeout(0)
        return Readable.toWeb(response) as ReadableStream<Uint8Array>
      },
    }
  }
}

/** Both loopback addresses, whatever the hosts file says: the second is tried if nothing listens on the first. */
const lookup: LookupFunction = (_host, _options, callback) =>
  callback(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ])
