// Requests to a running mock by node:http: the first use of the global `fetch` takes as much
// processor time as the rest of a command.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ControlFetch } from '../../control/client/send.ts'

const TIMEOUT_MS = 10_000

export const fetchByHttp: ControlFetch = async (url, init) => {
  const { method, headers, body } = init
  const isSecure = url.startsWith('https:')
  const { request } = isSecure ? await import('node:https') : await import('node:http')
  const sent = request(url, { method, headers, agent: false, timeout: TIMEOUT_MS })
  sent.end(body)
  // Without an error: nothing listens for one once the response has begun, and reading the body
  // fails anyway.
  sent.once('timeout', () => sent.destroy())
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  // The client does not read a 204, and an unread response keeps the process running.
  if (response.statusCode === 204) response.resume()
  return {
    status: response.statusCode ?? 0,
    headers: { get: (name) => response.headers[name.toLowerCase()]?.toString() ?? null },
    text: () => text(response),
    get body() {
      // A stream of events may be silent.
      sent.setTimeout(0)
      return Readable.toWeb(response) as Response['body']
    },
  }
}
