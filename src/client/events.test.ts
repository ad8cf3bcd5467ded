import { describe, expect, it } from 'vitest'
import { readEvents, type ServerSentEvent } from './events.ts'

async function* send(chunks: readonly string[]): AsyncIterable<string> {
  yield* chunks
}

async function read(...chunks: readonly string[]): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = []
  for await (const event of readEvents(send(chunks))) events.push(event)
  return events
}

const message = (data: string) => ({ event: 'message', data })

describe('readEvents', () => {
  it.each<[string, string, ServerSentEvent[]]>([
    ['names the event', 'event: change\ndata: {"a":1}\n\n', [{ event: 'change', data: '{"a":1}' }]],
    ['calls an event without a name a message', 'data: 1\n\n', [message('1')]],
    ['forgets the name after each event', 'event: change\ndata: 1\n\ndata: 2\n\n', [{ event: 'change', data: '1' }, message('2')]],
    ['joins several data lines', 'data: 1\ndata: 2\ndata:\n\n', [message('1\n2\n')]],
    ['takes one space after the colon away, no more', 'data:  1\n\ndata:2\n\n', [message(' 1'), message('2')]],
    ['keeps colons in the data', 'data: a: b\n\n', [message('a: b')]],
    ['skips comments', ': listening\n\ndata: 1\n: still here\ndata: 2\n\n', [message('1\n2')]],
    ['skips unknown fields and events without data', 'id: 7\nretry: 3\nnonsense\n\nevent: change\n\ndata: 1\n\n', [message('1')]],
    ['takes a field without a colon for an empty one', 'data\n\n', [message('')]],
    ['takes CR LF and CR for line ends', 'data: 1\r\n\r\ndata: 2\r\rdata: 3\n\n', [message('1'), message('2'), message('3')]],
    ['skips a byte order mark at the beginning alone', '\uFEFFdata: 1\n\ndata: \uFEFF2\n\n', [message('1'), message('\uFEFF2')]],
    ['gives nothing for an event that is cut off', 'data: 1\n\ndata: 2\n', [message('1')]],
    ['gives nothing for an empty stream', '', []],
  ])('%s', async (_title, text, events) => {
    expect(await read(text)).toEqual(events)
    expect(await read(...text)).toEqual(events)
  })

  it('reads the same however the text is cut', async () => {
    const text = '\uFEFFevent: exchange\r\ndata: {"name":"Rex"}\r\n\r\n: x\n\ndata: 1\rdata: 2\r\rdata: 🐈\n\n'
    const whole = await read(text)
    expect(whole).toHaveLength(3)
    for (let first = 0; first <= text.length; first++) {
      for (let second = first; second <= text.length; second++) {
        expect(await read(text.slice(0, first), text.slice(first, second), text.slice(second))).toEqual(whole)
      }
    }
  })

  it('looks at a line in a hundred thousand pieces once', async () => {
    const pieces = Array.from({ length: 100_000 }, () => 'x'.repeat(100))
    const started = process.cpuUsage()
    const [event] = await read('data: ', ...pieces, '\n\n')
    expect(event?.data).toHaveLength(10_000_000)
    // Processor time: on a busy machine the clock on the wall says nothing.
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(2_000)
  })
})
