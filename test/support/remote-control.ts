// The control of a mock in another process, as the plain methods that it is in this one: each is a request of the control API.
import { UsageError } from '../../src/contract/errors.ts'
import { parseJson, toJson } from '../../src/contract/int64-json.ts'
import type { ClockState, Control, WorldControl } from '../../src/control/control.ts'
import type { Undoable } from '../../src/control/undo.ts'
import type { Delay } from '../../src/world/faults.ts'
import type { AnsweredAtOnce } from './ask-at-once.ts'

/** Asks the control API; `target` is below `/__mock`. */
type Ask = (method: string, target: string, body: string | undefined) => AnsweredAtOnce

export function createRemoteControl(ask: Ask, hasSandboxes: boolean): Control {
  const call = (method: string, target: string, body?: unknown): never => {
    const { status, text } = ask(method, target, body === undefined ? undefined : toJson(body))
    if (status === 404 && method === 'DELETE') return false as never
    if (status >= 400) throw new UsageError((parseJson(text) as { message: string }).message.split('\n'))
    return (text === '' ? true : parseJson(text)) as never
  }

  function toWorld(key: string | undefined): WorldControl {
    const at = (path: string, query: Readonly<Record<string, unknown>> = {}) => {
      const given = Object.entries({ ...query, sandbox: key }).filter(([, value]) => value !== undefined)
      return given.length === 0 ? path : `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
    }
    return {
      reset: () => call('POST', at('/reset')),
      load: (scenario) => call('PUT', at('/state'), scenario),
      state: () => call('GET', at('/state')),
      summary: () => call('GET', at('/health')),
      changes: () => call('GET', at('/changes')),
      diff: () => call('GET', at('/diff')),
      undo: () => (call('POST', at('/undo')) as { undone: Undoable }).undone,
      latency: {
        get: () => (call('GET', at('/latency')) as { latency: Delay | null }).latency,
        set: (latency) => call('PUT', at('/latency'), { latency }),
      },
      pets: {
        add: (pet) => call('POST', at('/pets'), pet),
        update: (id, changes) => call('PATCH', at(`/pets/${id}`), changes),
        remove: (id) => call('DELETE', at(`/pets/${id}`)),
        get: (id) => call('GET', at(`/pets/${id}`)),
        list: (filter = {}) => call('GET', at('/pets', { ...filter })),
      },
      faults: {
        add: (fault) => call('POST', at('/faults'), fault),
        list: () => call('GET', at('/faults')),
        remove: (id) => call('DELETE', at(`/faults/${encodeURIComponent(id)}`)),
        clear: () => call('DELETE', at('/faults')),
      },
      requests: (filter = {}) => call('GET', at('/requests', { ...filter })),
      clearRequests: () => call('DELETE', at('/requests')),
      clock: {
        get: (): ClockState => call('GET', at('/clock')),
        set: (now, options) => call('PUT', at('/clock'), { now, ...options }),
        advance: (advance, options) => call('PUT', at('/clock'), { advance, ...options }),
        freeze: (frozen = true) => call('PUT', at('/clock'), { frozen }),
      },
      assumptions: () => call('GET', at('/assumptions')),
      assume: (choices) => call('PUT', at('/assumptions'), choices),
    }
  }

  return {
    ...toWorld(undefined),
    sandbox(key) {
      const world = toWorld(key)
      // Refuses a key, or the absence of sandboxes, at once.
      world.clock.get()
      return world
    },
    hasSandboxes,
    sandboxes: () => call('GET', '/sandboxes'),
    traffic: (filter = {}) =>
      call('GET', `/traffic?${new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]))}`),
    clearTraffic: () => call('DELETE', '/traffic'),
    removeSandbox: (key) => call('DELETE', `/sandboxes/${encodeURIComponent(key)}`),
    coverage: () => call('GET', '/coverage'),
    subscribe() {
      throw new Error('Events come over HTTP: listen to /__mock/events')
    },
  }
}
