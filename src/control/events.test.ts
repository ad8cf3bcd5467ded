import { describe, expect, it, vi } from 'vitest'
import { MAX_CAUSED_EVENTS } from '../limits.ts'
import { createEvents } from './events.ts'

interface Numbered {
  readonly number: number
}

function create() {
  const events = createEvents<Numbered>()
  const publish = (number: number) => events.publish({ number })
  return { events, publish }
}

/** Lets the events that are due be delivered. */
const settle = () => Promise.resolve()

/** The errors that are thrown outside of any call, instead of failing the test run. */
async function uncaughtDuring(run: () => void): Promise<unknown[]> {
  const errors: unknown[] = []
  const { queueMicrotask: real } = globalThis
  const spy = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((task) =>
    real(() => {
      try {
        task()
      } catch (error) {
        errors.push(error)
      }
    }),
  )
  run()
  for (let turn = 0; turn < 3; turn++) await settle()
  spy.mockRestore()
  return errors
}

describe('events', () => {
  it('that a listener causes come after the one it received, for all listeners', async () => {
    const { events, publish } = create()
    const heard: string[] = []
    events.subscribe(({ number }) => {
      heard.push(`a${number}`)
      if (number < 3) publish(number + 1)
    })
    events.subscribe(({ number }) => heard.push(`b${number}`))
    publish(1)
    await settle()
    expect(heard).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
  })

  it('do not reach a listener that is ended meanwhile, nor with the same event one that is added', async () => {
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
    await settle()
    publish(2)
    await settle()
    expect(heard).toEqual(['a1', 'a2', 'c2'])
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

  it.each([
    [MAX_CAUSED_EVENTS, []],
    [Number.POSITIVE_INFINITY, [expect.any(Error)]],
  ])('of which each causes another, %d of them, are cut off at a limit, and others are delivered afterwards', async (caused, errors) => {
    const { events, publish } = create()
    let heard = 0
    const end = events.subscribe(() => {
      if (heard++ < caused) publish(heard)
    })
    expect(await uncaughtDuring(() => publish(0))).toEqual(errors)
    expect(heard).toBe(MAX_CAUSED_EVENTS + 1)
    expect(events.hasListeners).toBe(true)
    end()
    expect(events.hasListeners).toBe(false)
    const later: number[] = []
    events.subscribe(({ number }) => later.push(number))
    publish(7)
    await settle()
    expect(later).toEqual([7])
  })
})
