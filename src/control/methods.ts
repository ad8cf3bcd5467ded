// The table of control methods: each row is a method of the control and its HTTP route. The routes of the hosts, the remote client and
// the table in docs/control.md follow from it. Pages load it with the client, so it imports types only.
import type { Control } from './control.ts'

/** Where the control API and the console are: on the origin of the service, outside its version segment. */
export const CONTROL_PATH = '/__mock'

/** `reset`, `pets.get`, `clock.advance` … */
type MethodName<T> = {
  [K in keyof T & string]: T[K] extends (...args: never[]) => unknown ? K : `${K}.${MethodName<T[K]>}`
}[keyof T & string]

/** `sandbox(key)` is the query parameter of the other methods, and `subscribe` is a stream of events. */
export type ControlMethod = MethodName<Omit<Control, 'sandbox' | 'subscribe'>>

/** Where an argument goes: the last segment of the path, the query, one field of the body, or the (rest of the) body. */
type Place = 'id' | 'query' | 'body' | { readonly field: string }

export interface MethodRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/__mock`. Routes with the same method and path differ in the field of their first argument. */
  readonly path: string
  readonly args?: readonly Place[]
  /** The method concerns the whole mock, so that it takes no `?sandbox=`. */
  readonly isGlobal?: true
  /** `?sandbox=*` means all sandboxes. */
  readonly hasAll?: true
  /** The method returns whether something was there (204 or 404), the thing or undefined (200 or 404), or what it added (201). */
  readonly returns?: 'whether' | 'maybe' | 'added'
}

/** A method that returns nothing answers 204, any other 200, unless its row says otherwise. */
export const methods: Readonly<Record<ControlMethod, MethodRow>> = {
  summary: { method: 'GET', path: '/health' },
  reset: { method: 'POST', path: '/reset' },
  state: { method: 'GET', path: '/state', args: ['query'] },
  // The client sends a name to `extras.loadScenario` instead.
  load: { method: 'PUT', path: '/state', args: ['body'] },
  diff: { method: 'GET', path: '/diff' },
  'pets.list': { method: 'GET', path: '/pets', args: ['query'] },
  'pets.get': { method: 'GET', path: '/pets/{id}', args: ['id'], returns: 'maybe' },
  'pets.add': { method: 'POST', path: '/pets', args: ['body'], returns: 'added' },
  'pets.update': { method: 'PATCH', path: '/pets/{id}', args: ['id', 'body'] },
  'pets.remove': { method: 'DELETE', path: '/pets/{id}', args: ['id'], returns: 'whether' },
  'faults.list': { method: 'GET', path: '/faults' },
  'faults.add': { method: 'POST', path: '/faults', args: ['body'], returns: 'added' },
  'faults.remove': { method: 'DELETE', path: '/faults/{id}', args: ['id'], returns: 'whether' },
  'faults.clear': { method: 'DELETE', path: '/faults' },
  requests: { method: 'GET', path: '/requests', args: ['query'], hasAll: true },
  clearRequests: { method: 'DELETE', path: '/requests', args: ['query'], hasAll: true },
  'clock.get': { method: 'GET', path: '/clock' },
  'clock.set': { method: 'PUT', path: '/clock', args: [{ field: 'now' }, 'body'] },
  'clock.advance': { method: 'PUT', path: '/clock', args: [{ field: 'advance' }, 'body'] },
  'clock.freeze': { method: 'PUT', path: '/clock', args: [{ field: 'frozen' }] },
  'latency.get': { method: 'GET', path: '/latency' },
  'latency.set': { method: 'PUT', path: '/latency', args: ['body'] },
  assumptions: { method: 'GET', path: '/assumptions' },
  assume: { method: 'PUT', path: '/assumptions', args: ['body'] },
  coverage: { method: 'GET', path: '/coverage', isGlobal: true },
  scenarios: { method: 'GET', path: '/scenarios', isGlobal: true },
  sandboxes: { method: 'GET', path: '/sandboxes', isGlobal: true },
  removeSandbox: { method: 'DELETE', path: '/sandboxes/{id}', args: ['id'], isGlobal: true, returns: 'whether' },
}

/** Routes that are not methods of the control. */
export const extras = {
  /** The stream behind `subscribe`. */
  events: { method: 'GET', path: '/events', hasAll: true },
  /** Loads a shipped scenario, `{"name"}`, or the text of a file, `{"file","text"}`. */
  loadScenario: { method: 'PUT', path: '/scenario', args: ['body'] },
  /** A shipped scenario. */
  scenario: { method: 'GET', path: '/scenarios/{id}', args: ['id'], isGlobal: true },
  openapi: { method: 'GET', path: '/openapi.json', isGlobal: true },
} as const satisfies Record<string, MethodRow>

/** Every response of the control API carries it, so that a client can tell the mock from another server. */
export const MOCK_HEADER = 'X-Mock'
export const MOCK_NAME = 'animal-store-mock'
/** How the message of a 404 ends if a method found nothing. */
export const NOT_FOUND = 'not found'
