// The client's `fetch` for a mock in the same process: the control API answers its calls without HTTP.
import type { ControlApi } from '../control/api.ts'
import type { EventStream } from '../control/event-stream.ts'
import type { ControlFetch } from './client.ts'

export function createLocalFetch(answer: ControlApi['answer']): ControlFetch {
  const encoder = new TextEncoder()

  function open(stream: EventStream, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
    return new ReadableStream({
      start(controller) {
        stream.start((text) => controller.enqueue(encoder.encode(text)))
        signal?.addEventListener('abort', () => {
          stream.stop()
          controller.error(signal.reason)
        })
      },
      cancel: stream.stop,
    })
  }

  return async (url, { method, headers, body, signal }) => {
    const { pathname, search } = new URL(url)
    const reply = await answer({ method, target: pathname + search, header: (name) => headers[name], body: encoder.encode(body) })
    const fields = new Map(Object.entries(reply.headers).map(([name, value]) => [name.toLowerCase(), value]))
    return {
      status: reply.status,
      headers: { get: (name) => fields.get(name.toLowerCase()) ?? null },
      text: async () => reply.body,
      body: reply.stream ? open(reply.stream, signal) : null,
    }
  }
}
