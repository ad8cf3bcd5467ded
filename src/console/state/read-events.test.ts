import { describe, expect, it } from 'vitest'
import { readEvents } from './read-events.ts'

/** A stream that comes in pieces of so many bytes. */
function toStream(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
      controller.close()
    },
  })
}

describe('readEvents', () => {
  const text =
    ': listening\n\nevent: exchange\ndata: {"name":"Zoë 🐶"}\n\n: still here\n\ndata: one\ndata: two\r\n\r\ndata:\n\ndata: never ended'

  it.each([1, 2, 3, 7, 1000])('gives whole events, however the bytes come: %i at a time', async (size) => {
    const heard: string[] = []
    let pieces = 0
    await readEvents(
      toStream(text, size),
      (data) => heard.push(data),
      () => pieces++,
    )
    expect(heard).toEqual(['{"name":"Zoë 🐶"}', 'one\ntwo', ''])
    expect(pieces).toBe(Math.ceil(new TextEncoder().encode(text).length / size))
  })
})
