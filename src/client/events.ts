// Reads the mock's stream of server-sent events. The platform's EventSource cannot send the control token, and Node 20 has none.
import { parseJson } from '../contract/int64-json.ts'
import type { MockEvent } from '../control/control.ts'

/** The events of a stream, each as soon as it is complete. `onActivity` hears of every chunk, heartbeats included. */
export async function* readEvents(body: ReadableStream<Uint8Array>, onActivity?: () => void): AsyncGenerator<MockEvent, void> {
  // By its reader: not every browser can iterate over a stream.
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onActivity?.()
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() as string
      for (const block of blocks) {
        // A block without data is a comment, which keeps the connection alive. The mock writes the data on one line.
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (data !== undefined) yield parseJson(data) as unknown as MockEvent
      }
    }
  } finally {
    // Frees the connection if the caller stops early.
    await reader.cancel().catch(() => {})
  }
}
