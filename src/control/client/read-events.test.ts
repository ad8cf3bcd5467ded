import { expect, it } from 'vitest'
import type { MockEvent } from '../control.ts'
import { readEvents } from './read-events.ts'

const CHANGE = { type: 'sandbox', sandbox: 'ä-\u2028key' }
const BIG = { type: 'sandbox', sandbox: 'b-key', id: 9223372036854775807n }
const TEXT = `data: ${JSON.stringify(CHANGE)}\n\n: no data: 1\n\nevent: sandbox\ndata: {"type":"sandbox","sandbox":"b-key","id":9223372036854775807}\n\ndata: {"cut`

function toStream(text: string, length: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(at, at + length))
      at += length
    },
  })
}

it.each([1, 7, 10_000])(
  'readEvents yields whole events, without comments, from chunks of %i bytes',
  async (length) => {
    const events: MockEvent[] = []
    for await (const event of readEvents(toStream(TEXT, length))) events.push(event)
    expect(events).toEqual([CHANGE, BIG])
  },
)

it('readEvents cancels the stream when the loop over it stops early', async () => {
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(TEXT)),
    cancel() {
      isCancelled = true
    },
  })
  for await (const event of readEvents(body)) {
    expect(event).toEqual(CHANGE)
    break
  }
  expect(isCancelled).toBe(true)
})
