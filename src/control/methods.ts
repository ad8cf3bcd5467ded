// The table of control methods: each row is a method of the control and its HTTP route. The routes of the hosts, the remote client, the
// tools for agents and the table in docs/control.md follow from it. Pages load it with the client, so it imports types only.
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
type Place = 'id' | 'query' | 'body' | { readonly field: string; readonly default?: true }

/** The tools of the MCP server; a tool has the methods of its rows. */
type ToolName =
  | 'get_state'
  | 'list_animals'
  | 'list_requests'
  | 'load_scenario'
  | 'break_operation'
  | 'change_settings'
  | 'change_animals'
  | 'go_back'
  | 'clean_up'

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

/** A method of the control. Those with the same tool all read, or all change something. */
export interface ControlRow extends MethodRow {
  readonly tool: ToolName
}

/** A method that returns nothing answers 204, any other 200, unless its row says otherwise. */
export const methods: Readonly<Record<ControlMethod, ControlRow>> = {
  summary: { method: 'GET', path: '/health', tool: 'get_state' },
  reset: { method: 'POST', path: '/reset', tool: 'load_scenario' },
  state: { method: 'GET', path: '/state', args: ['query'], tool: 'get_state' },
  // The client sends a name to `extras.loadScenario` instead.
  load: { method: 'PUT', path: '/state', args: ['body'], tool: 'load_scenario' },
  diff: { method: 'GET', path: '/diff', args: ['query'], tool: 'get_state' },
  timeline: { method: 'GET', path: '/timeline', args: ['query'], hasAll: true, tool: 'list_requests' },
  undo: { method: 'POST', path: '/undo', args: [{ field: 'id' }], tool: 'go_back' },
  rewind: { method: 'POST', path: '/rewind', args: [{ field: 'id' }], tool: 'go_back' },
  'pets.list': { method: 'GET', path: '/pets', args: ['query'], tool: 'list_animals' },
  'pets.get': { method: 'GET', path: '/pets/{id}', args: ['id'], returns: 'maybe', tool: 'list_animals' },
  'pets.add': { method: 'POST', path: '/pets', args: ['body'], returns: 'added', tool: 'change_animals' },
  'pets.update': { method: 'PATCH', path: '/pets/{id}', args: ['id', 'body'], tool: 'change_animals' },
  'pets.remove': { method: 'DELETE', path: '/pets/{id}', args: ['id'], returns: 'whether', tool: 'change_animals' },
  'faults.list': { method: 'GET', path: '/faults', tool: 'get_state' },
  'faults.add': { method: 'POST', path: '/faults', args: ['body'], returns: 'added', tool: 'break_operation' },
  'faults.remove': { method: 'DELETE', path: '/faults/{id}', args: ['id'], returns: 'whether', tool: 'break_operation' },
  'faults.clear': { method: 'DELETE', path: '/faults', tool: 'break_operation' },
  requests: { method: 'GET', path: '/requests', args: ['query'], hasAll: true, tool: 'list_requests' },
  clearRequests: { method: 'DELETE', path: '/requests', args: ['query'], hasAll: true, tool: 'clean_up' },
  'clock.get': { method: 'GET', path: '/clock', tool: 'get_state' },
  'clock.set': { method: 'PUT', path: '/clock', args: [{ field: 'now' }, 'body'], tool: 'change_settings' },
  'clock.advance': { method: 'PUT', path: '/clock', args: [{ field: 'advance' }, 'body'], tool: 'change_settings' },
  'clock.freeze': { method: 'PUT', path: '/clock', args: [{ field: 'frozen', default: true }], tool: 'change_settings' },
  'latency.get': { method: 'GET', path: '/latency', tool: 'get_state' },
  'latency.set': { method: 'PUT', path: '/latency', args: ['body'], tool: 'change_settings' },
  assumptions: { method: 'GET', path: '/assumptions', tool: 'get_state' },
  assume: { method: 'PUT', path: '/assumptions', args: ['body'], tool: 'change_settings' },
  coverage: { method: 'GET', path: '/coverage', isGlobal: true, tool: 'get_state' },
  scenarios: { method: 'GET', path: '/scenarios', isGlobal: true, tool: 'get_state' },
  sandboxes: { method: 'GET', path: '/sandboxes', isGlobal: true, tool: 'get_state' },
  removeSandbox: { method: 'DELETE', path: '/sandboxes/{id}', args: ['id'], isGlobal: true, returns: 'whether', tool: 'clean_up' },
}

/** Routes that are not methods of the control. */
export const extras = {
  /** The stream behind `subscribe`. */
  events: { method: 'GET', path: '/events', hasAll: true },
  /** Loads a shipped scenario, `{"name"}`, or the text of a file, `{"file","text"}`. */
  loadScenario: { method: 'PUT', path: '/scenario', args: ['body'] },
  /** A shipped scenario. */
  scenario: { method: 'GET', path: '/scenarios/{id}', args: ['id'], isGlobal: true },
  /** The MCP server, where the host has one. */
  mcp: { method: 'POST', path: '/mcp', isGlobal: true },
  openapi: { method: 'GET', path: '/openapi.json', isGlobal: true },
} as const satisfies Record<string, MethodRow>

/** Every response of the control API carries it, so that a client can tell the mock from another server. */
export const MOCK_HEADER = 'X-Mock'
export const MOCK_NAME = 'animal-store-mock'
