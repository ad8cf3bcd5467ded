import { describe, expect, it } from 'vitest'
import { createMock } from '../mock/mock.ts'
import { createEventStreams } from './event-stream.ts'

function start(sandbox?: string) {
  const { control } = createMock({ sandbox: true })
  const open = createEventStreams(control)
  const texts: string[] = []
  const stream = open(sandbox)
  stream.start((text) => texts.push(text))
  return { control, open, texts, stop: stream.stop }
}

describe('an event stream', () => {
  it('writes an event as its type and one line of JSON', async () => {
    const { control, texts } = start()
    control.clock.freeze()
    await Promise.resolve()
    expect(texts).toEqual([
      ': listening\n\n',
      expect.stringMatching(/^event: change\ndata: \{"type":"change","sandbox":null,"row":.*\}\n\n$/),
    ])
  })

  it('writes nothing more once it has stopped, and others go on', async () => {
    const { control, open, texts, stop } = start()
    const others: string[] = []
    open(undefined).start((text) => others.push(text))
    stop()
    stop()
    control.clock.freeze()
    await Promise.resolve()
    expect(texts).toHaveLength(1)
    expect(others).toHaveLength(2)
  })

  it('of a sandbox leaves out what happens elsewhere', async () => {
    const { control, texts } = start('mine')
    control.clock.freeze()
    control.sandbox('theirs').clock.freeze()
    control.sandbox('mine').clock.freeze()
    await Promise.resolve()
    expect(texts.slice(1).map((text) => /event: (.*)/.exec(text)?.[1])).toEqual(['sandbox', 'change'])
  })

  it('is one of 64 at most, from the moment it is granted', () => {
    const { open, stop } = start()
    for (let count = 2; count <= 64; count++) open(undefined)
    expect(() => open(undefined)).toThrowError(expect.objectContaining({ status: 503 }))
    stop()
    expect(() => open(undefined)).not.toThrow()
  })

  it('leaves no listener behind', () => {
    let listeners = 0
    const { control } = createMock()
    const counting = {
      ...control,
      subscribe(listener: Parameters<typeof control.subscribe>[0]) {
        listeners++
        const unsubscribe = control.subscribe(listener)
        return () => {
          listeners--
          unsubscribe()
        }
      },
    }
    const open = createEventStreams(counting)
    expect(listeners).toBe(0)
    const streams = [open(undefined), open(undefined)]
    for (const stream of streams) stream.start(() => {})
    expect(listeners).toBe(2)
    for (const stream of streams) stream.stop()
    expect(listeners).toBe(0)
  })
})
