import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createLineWriter } from './line-writer.ts'

function createStream() {
  const written: string[] = []
  const stream = Object.assign(new EventEmitter(), { writableLength: 0, write: (text: string) => written.push(text) })
  return { stream, written }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('createLineWriter', () => {
  it('writes all lines of one turn at once, and makes them only then', async () => {
    const { stream, written } = createStream()
    const writer = createLineWriter(stream)
    let made = 0
    for (const name of ['a', 'b', 'c']) {
      writer.add(() => {
        made++
        return name
      })
    }
    expect([made, written]).toEqual([0, []])
    await nextTurn()
    expect([made, written]).toEqual([3, ['a\nb\nc\n']])
    writer.add(() => 'd')
    await nextTurn()
    expect(written).toEqual(['a\nb\nc\n', 'd\n'])
  })

  it('writes what is waiting when it is flushed, once', async () => {
    const { stream, written } = createStream()
    const writer = createLineWriter(stream)
    writer.add(() => 'last')
    writer.flush()
    expect(written).toEqual(['last\n'])
    await nextTurn()
    expect(written).toEqual(['last\n'])
  })

  it('falls silent when the reader has gone', async () => {
    const { stream, written } = createStream()
    const writer = createLineWriter(stream)
    writer.add(() => 'before')
    stream.emit('error', new Error('EPIPE'))
    writer.add(() => 'after')
    await nextTurn()
    writer.flush()
    expect(written).toEqual([])
  })

  it('leaves lines out for a reader that is too slow, and says how many', () => {
    const { stream, written } = createStream()
    const writer = createLineWriter(stream)
    stream.writableLength = 8 * 2 ** 20 + 1
    writer.add(() => 'a')
    writer.add(() => 'b')
    writer.flush()
    stream.writableLength = 0
    writer.add(() => 'c')
    writer.flush()
    expect(written).toEqual(['… 2 lines left out: the log is read more slowly than it is written\nc\n'])
  })
})
