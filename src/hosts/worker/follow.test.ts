import { describe, expect, it } from 'vitest'
import type { MockEvent } from '../../control/control.ts'
import { createFollower } from './follow.ts'
import type { WorldObject } from './platform.ts'

const encoder = new TextEncoder()
const changeOf = (sandbox: string | null, what = 'clock') => ({ type: 'change', sandbox, what }) as MockEvent
const toText = (event: MockEvent) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

/** Worlds whose events are written by hand; what was heard of them all is in `heard`. */
function create(keys: readonly string[]) {
  const asked: string[] = []
  const cancelled: string[] = []
  const streams = new Map<string, ReadableStreamDefaultController<Uint8Array>>()
  const heard: MockEvent[] = []
  let publish: ((event: MockEvent) => void) | undefined
  const subscribe = createFollower({
    subscribe(listener) {
      publish = listener
      return () => {
        publish = undefined
      }
    },
    keys: () => keys,
    toObject: (name) =>
      ({
        async events(key: string) {
          asked.push(key)
          if (key === 'broken') throw new Error('no such world')
          expect(key).toBe(name)
          return new ReadableStream<Uint8Array>({
            start: (controller) => void streams.set(key, controller),
            cancel: () => void cancelled.push(key),
          })
        },
      }) as unknown as WorldObject,
  })
  const stop = subscribe((event) => heard.push(event))
  return {
    asked,
    cancelled,
    heard,
    stop,
    tell: (event: MockEvent) => publish?.(event),
    isSubscribed: () => publish !== undefined,
    write: (key: string, piece: string | Uint8Array) =>
      streams.get(key)?.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece),
    close: (key: string) => streams.get(key)?.close(),
  }
}

const settled = () => new Promise(setImmediate)

describe('whoever listens to all events', () => {
  it('hears those of the shared world and of each sandbox, whole, however they come in', async () => {
    const { heard, tell, write } = create(['ann', 'ben'])
    tell(changeOf(null))
    await settled()
    write('ann', `: listening\n\n${toText(changeOf('ann'))}${toText(changeOf('ann', 'faults')).slice(0, 30)}`)
    write('ben', toText(changeOf('ben')))
    await settled()
    expect(heard).toEqual([changeOf(null), changeOf('ann'), changeOf('ben')])
    write('ann', toText(changeOf('ann', 'faults')).slice(30))
    await settled()
    expect(heard.slice(3)).toEqual([changeOf('ann', 'faults')])
  })

  it('hears a character that comes in two pieces', async () => {
    const { heard, write } = create(['ann'])
    await settled()
    const bytes = encoder.encode(toText(changeOf('ann', '🐕')))
    const within = bytes.findIndex((byte) => byte > 127) + 2
    write('ann', bytes.subarray(0, within))
    write('ann', bytes.subarray(within))
    await settled()
    expect(heard).toEqual([changeOf('ann', '🐕')])
  })

  it('hears of a sandbox from when it comes, and follows none twice', async () => {
    const { asked, heard, tell, write } = create(['ann'])
    await settled()
    for (const event of [changeOf('ben', 'sandboxes'), changeOf('ann', 'sandboxes'), changeOf(null, 'sandboxes'), changeOf('cyd')])
      tell(event)
    await settled()
    expect(asked).toEqual(['ann', 'ben'])
    expect(heard).toHaveLength(4)
    write('ben', toText(changeOf('ben')))
    await settled()
    expect(heard[4]).toEqual(changeOf('ben'))
  })

  it('follows none twice that comes while it is being asked, and no more than 64 then', async () => {
    const keys = Array.from({ length: 63 }, (_, index) => `key-${index}`)
    const { asked, cancelled, heard, stop, tell, write } = create(keys)
    for (const key of ['key-0', 'late', 'late', 'later']) tell(changeOf(key, 'sandboxes'))
    await settled()
    expect(asked).toEqual([...keys, 'late'])
    write('late', toText(changeOf('late')))
    await settled()
    expect(heard.slice(4)).toEqual([changeOf('late')])
    stop()
    await settled()
    expect(cancelled).toEqual(asked)
  })

  it('follows a sandbox again that went and came back, also one that could not be followed', async () => {
    const { asked, close, tell } = create(['ann', 'broken'])
    await settled()
    close('ann')
    await settled()
    tell(changeOf('ann', 'sandboxes'))
    tell(changeOf('broken', 'sandboxes'))
    await settled()
    expect(asked).toEqual(['ann', 'broken', 'ann', 'broken'])
  })

  it('follows at most 64, those that came last', async () => {
    const keys = Array.from({ length: 70 }, (_, index) => `key-${index}`)
    const { asked, close, tell } = create(keys)
    await settled()
    expect(asked).toEqual(keys.slice(6))
    tell(changeOf('late', 'sandboxes'))
    await settled()
    expect(asked).toHaveLength(64)
    close('key-6')
    await settled()
    tell(changeOf('late', 'sandboxes'))
    await settled()
    expect(asked[64]).toBe('late')
  })

  it('hears nothing more once it stops, and lets every world go', async () => {
    const { asked, cancelled, heard, isSubscribed, stop, tell } = create(['ann', 'ben'])
    await settled()
    stop()
    await settled()
    expect([isSubscribed(), cancelled, heard]).toEqual([false, ['ann', 'ben'], []])
    tell(changeOf('cyd', 'sandboxes'))
    await settled()
    expect(asked).toEqual(['ann', 'ben'])
  })

  it('lets a world go that answers after it has stopped', async () => {
    const { asked, cancelled, stop } = create(['ann'])
    stop()
    await settled()
    expect([asked, cancelled]).toEqual([['ann'], ['ann']])
  })
})
