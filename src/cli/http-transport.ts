// Carries a control client's requests by node:http: the first use of `fetch` takes as long as the rest of a command.
import type { IncomingMessage } from 'node:http'
import type { ControlTransport } from '../client/transport.ts'

export interface HttpTransportOptions {
  /** Where the mock is, without its control path. */
  readonly url: string
  /** How long the mock may send nothing; a stream of events may be silent for longer. */
  readonly timeoutMs: number
}

/** More than any state that could be loaded back, and less than the longest string. */
const MAX_RESPONSE_BYTES = 256 * 2 ** 20

export function createHttpTransport({ url, timeoutMs }: HttpTransportOptions): ControlTransport {
  return async ({ method, target, headers, body, signal }) => {
    const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http')
    const sent = request(url + target, { method, headers, agent: false, timeout: timeoutMs, ...(signal ? { signal } : {}) })
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('timeout', () => sent.destroy(new Error('timeout')))
      sent.once('error', reject)
      sent.once('response', resolve)
      sent.end(body)
    })
    // Whether the body is read or not, a connection that breaks is told to whoever reads it, and ends nothing else.
    response.on('error', () => {})
    return {
      status: response.statusCode ?? 0,
      contentType: response.headers['content-type'] ?? '',
      text: () => readText(response),
      chunks() {
        sent.setTimeout(0)
        return response.setEncoding('utf8')
      },
      cancel: () => void sent.destroy(),
    }
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // Leaving the loop closes the connection.
    if (bytes > MAX_RESPONSE_BYTES) throw new Error('too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
