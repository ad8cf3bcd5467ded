import { expect, it, vi } from 'vitest'
import { createEvents } from './events.ts'

function create() {
  const events = createEvents()
  const publish = (number: number) => events.publish({ type: 'sandbox', sandbox: String(number) })
  const subscribe = (listener: (number: number) => void) =>
    events.subscribe(({ sandbox }) => listener(Number(sandbox)))
  return { events, publish, subscribe }
}

/** Lets the events that are due be delivered, and those that they cause. */
const settle = () => new Promise((resolve) => setTimeout(resolve))

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
  await settle()
  spy.mockRestore()
  return errors
}

it('events that a listener causes come after the one it received, for all listeners', async () => {
  const { publish, subscribe } = create()
  const heard: string[] = []
  subscribe((number) => {
    heard.push(`a${number}`)
    if (number < 3) publish(number + 1)
  })
  subscribe((number) => heard.push(`b${number}`))
  publish(1)
  expect(heard).toEqual([])
  await settle()
  expect(heard).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
})

it('events do not reach a listener that is ended meanwhile, nor with the same event one that is added', async () => {
  const { events, publish, subscribe } = create()
  const heard: string[] = []
  subscribe((number) => {
    heard.push(`a${number}`)
    if (number > 1) return
    end()
    subscribe((other) => heard.push(`c${other}`))
  })
  const end = subscribe((number) => heard.push(`b${number}`))
  publish(1)
  await settle()
  publish(2)
  await settle()
  expect(heard).toEqual(['a1', 'a2', 'c2'])
  expect([events.listeners.size, create().events.listeners.size]).toEqual([2, 0])
})

it('events are frozen', async () => {
  const { events, publish, subscribe } = create()
  const heard: unknown[] = []
  subscribe((number) => heard.push(number))
  const end = events.subscribe((event) => heard.push(event))
  publish(1)
  await settle()
  end()
  publish(2)
  await settle()
  expect(heard).toEqual([1, { type: 'sandbox', sandbox: '1' }, 2])
  expect(Object.isFrozen(heard[1])).toBe(true)
})

it('events go on after a listener that throws, whose error is uncaught', async () => {
  const { publish, subscribe } = create()
  const error = new Error('of the listener')
  const heard: number[] = []
  subscribe(() => {
    throw error
  })
  subscribe((number) => heard.push(number))
  expect(await uncaughtDuring(() => publish(1))).toEqual([error])
  expect(heard).toEqual([1])
})
