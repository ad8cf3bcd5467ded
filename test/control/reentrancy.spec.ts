// Listeners that act on the mock they listen to. Whatever they do, a change is whole before a listener hears of it, and every listener hears
// of everything in the order in which it happened: as if the same steps had been done one after the other, without listeners.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMock, type LogEntry, type Mock, type MockEvent } from '../../src/index.ts'
import { animals, rex } from '../support/animals.ts'
import { checkProperty } from '../support/property.ts'

const KEYS = ['a', 'b', 'c']
/** Who acts: the tester in one world, or a client by its key. */
type Step =
  | { readonly do: 'create' | 'list' | 'miss'; readonly key: string }
  | { readonly do: 'reset' | 'load' | 'fault' | 'clear' | 'empty' | 'turn' | 'assume'; readonly key: string | undefined }
  | { readonly do: 'remove'; readonly key: string }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('create', 'list', 'miss'), key: fc.constantFrom(...KEYS) }),
  fc.record({
    do: fc.constantFrom('reset', 'load', 'fault', 'clear', 'empty', 'turn', 'assume'),
    key: fc.constantFrom(undefined, ...KEYS),
  }),
  fc.record({ do: fc.constant('remove' as const), key: fc.constantFrom(...KEYS) }),
)

function start(sandbox: boolean): Mock {
  return createMock({ pets: animals, sandbox, now: '2026-11-15', frozen: true })
}

function take({ answer, control }: Mock, sandbox: boolean, { do: what, key }: Step): void {
  const world = sandbox && key !== undefined ? control.sandbox(key) : control
  const send = (method: string, target: string, body?: string) =>
    answer({
      method,
      target,
      header: (name) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })[name],
      body: body === undefined ? undefined : new TextEncoder().encode(body),
    })
  const steps: Record<Step['do'], () => unknown> = {
    create: () => send('POST', '/v1/pets', '{"name":"Pip","categoryId":1}'),
    list: () => send('GET', '/v1/pets?limit=2'),
    miss: () => send('GET', '/v1/nothing'),
    reset: () => world.reset(),
    load: () => world.load({ pets: [rex], now: '2027-01-01', frozen: true }),
    fault: () => world.faults.add({ operation: 'createPet', status: 503, times: 1 }),
    clear: () => world.faults.clear(),
    empty: () => world.clearRequests(),
    turn: () => world.clock.advance('P1D'),
    assume: () => world.assume({ 'default-status': 'pending' }),
    remove: () => control.removeSandbox(key as string),
  }
  steps[what]()
}

/** An entry, apart from when it really happened and how long it took. */
const timeless = ({ realAt, durationMs, ...entry }: LogEntry) => entry

/** All there is to see, apart from that. */
function look({ control }: Mock, sandbox: boolean) {
  const worlds = [control, ...(sandbox ? control.sandboxes().map((key) => control.sandbox(key)) : [])]
  return worlds.map((world) => ({ state: world.state(), requests: world.requests().map(timeless) }))
}

const comparable = (event: MockEvent) => {
  if ('entry' in event) return { ...event, entry: timeless(event.entry) }
  return event.type === 'change' ? { ...event, row: { ...event.row, realAt: '' } } : event
}

describe('listeners that act', () => {
  it('leave the mock, and hear of it, as if each step had been taken by itself', async () => {
    await checkProperty(
      'listeners that act',
      500,
      fc.asyncProperty(
        fc.boolean(),
        fc.array(step, { maxLength: 12 }),
        fc.array(step, { maxLength: 24 }),
        async (sandbox, outer, inner) => {
          const mock = start(sandbox)
          const taken: Step[] = []
          const act = (one: Step) => {
            taken.push(one)
            take(mock, sandbox, one)
          }
          const waiting = [...inner]
          mock.control.subscribe(() => {
            const next = waiting.shift()
            if (next) act(next)
          })
          const heard: unknown[] = []
          mock.control.subscribe((event) => heard.push(comparable(event)))
          for (const one of outer) {
            act(one)
            await Promise.resolve()
          }

          const calm = start(sandbox)
          const told: unknown[] = []
          calm.control.subscribe((event) => told.push(comparable(event)))
          for (const one of taken) take(calm, sandbox, one)
          await Promise.resolve()
          expect(look(mock, sandbox)).toEqual(look(calm, sandbox))
          expect(heard).toEqual(told)
        },
      ),
    )
  })

  it('can load on every load without filling the stack: the mock stops calling them', async () => {
    const { control } = createMock({ pets: [] })
    const own = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    const uncaught = new Promise<Error>((resolve) => process.once('uncaughtException', resolve))
    let loads = 0
    const stop = control.subscribe(() => {
      loads++
      control.load({ pets: [rex] })
    })
    control.load({ pets: [] })
    expect((await uncaught).message).toBe('A listener causes further events without end; stopped after 10000 of them')
    for (const listener of own) process.on('uncaughtException', listener)
    stop()
    expect([loads, control.state().pets]).toEqual([10_001, [rex]])
  })
})
