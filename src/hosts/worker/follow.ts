// The events of sandboxes, for whoever listens to all events: they happen in other objects, so the shared object listens to each of
// them for as long as somebody listens to it.
import { parseJson } from '../../contract/int64-json.ts'
import type { Control, MockEvent } from '../../control/control.ts'
import { MAX_EVENT_STREAMS } from '../../limits.ts'
import type { WorldObject } from './platform.ts'

interface FollowSettings {
  readonly subscribe: Control['subscribe']
  readonly keys: () => readonly string[]
  toObject(key: string): WorldObject
}

/** Subscribes to the events of the shared world and of the sandboxes that came last; listening to them keeps them awake. */
export function createFollower({ subscribe, keys, toObject }: FollowSettings): Control['subscribe'] {
  return (listener) => {
    /** Those that were asked for their events, and from when they answer, how these are read. */
    const followed = new Map<string, ReadableStreamDefaultReader<Uint8Array> | undefined>()
    let isOver = false

    async function follow(key: string): Promise<void> {
      if (isOver || followed.has(key) || followed.size >= MAX_EVENT_STREAMS) return
      followed.set(key, undefined)
      const reader = (await toObject(key).events(key)).getReader()
      followed.set(key, reader)
      if (isOver) await reader.cancel()
      await readEvents(reader, listener)
      followed.delete(key)
    }
    const start = (key: string) => void follow(key).catch(() => followed.delete(key))

    const unsubscribe = subscribe((event) => {
      listener(event)
      if (event.type === 'change' && event.what === 'sandboxes' && event.sandbox !== null) start(event.sandbox)
    })
    for (const key of keys().slice(-MAX_EVENT_STREAMS)) start(key)
    return () => {
      isOver = true
      unsubscribe()
      for (const reader of followed.values()) void reader?.cancel().catch(() => {})
    }
  }
}

async function readEvents(reader: ReadableStreamDefaultReader<Uint8Array>, listener: (event: MockEvent) => void): Promise<void> {
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += decoder.decode(value, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() as string
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (data !== undefined) listener(parseJson(data) as unknown as MockEvent)
    }
  }
}
