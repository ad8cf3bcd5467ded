import { describe, expect, it, vi } from 'vitest'
import { MAX_NESTED_EVENTS } from '../limits.ts'
import { createEvents } from './events.ts'

interface Numbered {
  readonly number: number
}

function create() {
  const events = createEvents<Numbered>()
  const publish = (number: number) => events.publish({ number })
  return { events, publish }
}

/** The errors that are thrown outside of any call, instead of failing the test run. */
async function uncaughtDuring(run: () => void): Promise<unknown[]> {
  const errors: unknown[] = []
  const microtask = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((task) => {
    try {
      task()
    } catch (error) {
      errors.push(error)
    }
  })
  run()
  microtask.mockRestore()
  return errors
}

describe('events', () => {
  it('are delivered at once, to everybody, in the order of their subscriptions', () => {
    const { events, publish } = create()
    const heard: string[] = []
    events.subscribe(({ number }) => heard.push(`a${number}`))
    events.subscribe(({ number }) => heard.push(`b${number}`))
    publish(1)
    publish(2)
    expect(heard).toEqual(['a1', 'b1', 'a2', 'b2'])
  })

  it('are told to their owner first, who is no listener', () => {
    const heard: string[] = []
    const events = createEvents<Numbered>(({ number }) => heard.push(`own${number}`))
    events.publish({ number: 1 })
    expect([heard, events.hasListeners]).toEqual([['own1'], false])
    events.subscribe(({ number }) => heard.push(`a${number}`))
    events.publish({ number: 2 })
    expect([heard, events.hasListeners]).toEqual([['own1', 'own2', 'a2'], true])
  })

  it('that a listener causes come after the one it was told of, for everybody', () => {
    const { events, publish } = create()
    const heard: string[] = []
    events.subscribe(({ number }) => {
      heard.push(`a${number}`)
      if (number < 3) publish(number + 1)
    })
    events.subscribe(({ number }) => heard.push(`b${number}`))
    publish(1)
    expect(heard).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
  })

  it('wait for the end of a change, however deep', () => {
    const { events, publish } = create()
    const heard: number[] = []
    events.subscribe(({ number }) => heard.push(number))
    events.begin()
    publish(1)
    events.begin()
    publish(2)
    events.end()
    expect(heard).toEqual([])
    events.end()
    expect(heard).toEqual([1, 2])
  })

  it('reach one function as often as it is subscribed, until each subscription is ended', () => {
    const { events, publish } = create()
    const listener = vi.fn()
    const [first, second] = [events.subscribe(listener), events.subscribe(listener)]
    publish(1)
    expect(listener).toHaveBeenCalledTimes(2)
    first()
    first()
    publish(2)
    expect(listener).toHaveBeenCalledTimes(3)
    second()
    publish(3)
    expect(listener).toHaveBeenCalledTimes(3)
    expect(events.hasListeners).toBe(false)
  })

  it('do not reach a listener that is ended meanwhile, nor with the same event one that is added', () => {
    const { events, publish } = create()
    const heard: string[] = []
    events.subscribe(({ number }) => {
      heard.push(`a${number}`)
      if (number > 1) return
      end()
      events.subscribe((event) => heard.push(`c${event.number}`))
    })
    const end = events.subscribe(({ number }) => heard.push(`b${number}`))
    publish(1)
    publish(2)
    expect(heard).toEqual(['a1', 'a2', 'c2'])
  })

  it('cannot be changed by who is told first', () => {
    const { events, publish } = create()
    const heard: Numbered[] = []
    events.subscribe((event) => {
      expect(() => Object.assign(event, { number: 9 })).toThrow(TypeError)
    })
    events.subscribe((event) => heard.push(event))
    publish(1)
    expect(heard).toEqual([{ number: 1 }])
  })

  it('go on after a listener that throws, whose error is uncaught', async () => {
    const { events, publish } = create()
    const error = new Error('of the listener')
    const heard: number[] = []
    events.subscribe(() => {
      throw error
    })
    events.subscribe(({ number }) => heard.push(number))
    expect(await uncaughtDuring(() => publish(1))).toEqual([error])
    expect(heard).toEqual([1])
  })

  it('without end are cut off with an error, without filling the stack or the memory, and others are delivered afterwards', async () => {
    const { events, publish } = create()
    let heard = 0
    const end = events.subscribe(() => {
      heard++
      publish(heard)
    })
    const errors = await uncaughtDuring(() => publish(0))
    expect(errors).toEqual([new Error('A listener causes further events without end; stopped after 10000 of them')])
    expect(heard).toBe(MAX_NESTED_EVENTS + 1)
    end()
    const later: number[] = []
    events.subscribe(({ number }) => later.push(number))
    publish(7)
    expect(later).toEqual([7])
  })

  it('of before a subscription are not kept for it', () => {
    const { events, publish } = create()
    events.begin()
    publish(1)
    const heard: number[] = []
    events.subscribe(({ number }) => heard.push(number))
    publish(2)
    events.end()
    expect(heard).toEqual([2])
  })
})
