// Reads the events of a mock from the body of a response. EventSource cannot send a token, and Node
// 20 does not have it.
import { parseJson } from '../../contract/int64-json.ts'
import { addValues } from '../../world/row.ts'
import type { MockEvent } from '../control.ts'

const END = { done: true, value: undefined }

/** Ends if the connection breaks. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<MockEvent, void> {
  // Not every browser can iterate over a stream.
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => END)
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** A block without data keeps the connection alive. The mock writes data on one line. */
function parseEvent(block: string): MockEvent | undefined {
  const data = /^data: ([^\n]*)/m.exec(block)?.[1]
  if (data === undefined) return undefined
  const event = parseJson(data) as unknown as MockEvent
  if (event.type === 'request' || event.type === 'begin') addValues(event.row)
  return event
}
