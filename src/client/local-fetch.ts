// The client's `fetch` for a mock in the same process.
import type { ControlApi } from '../control/api.ts'
import type { EventStream } from '../control/events.ts'
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
    const call = { method, target: pathname + search, header: (name: string) => headers[name], body: encoder.encode(body) }
    const { status, headers: fields, body: text, stream } = await answer(call)
    return new Response(stream ? open(stream, signal) : text || null, { status, headers: { ...fields } })
  }
}
