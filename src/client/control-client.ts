// The one client of the control API, for the command line, the console and the test kits. Exact at int64 both ways. Whatever goes
// wrong, a stranger's response included, is one ControlError; how requests are carried is up to the transport.
import { JsonError, parseJson, toJson } from '../contract/int64-json.ts'
import { findViolations, type Schema } from '../contract/schema.ts'
import type {
  AddedPet,
  AssumptionState,
  ClockState,
  MockEvent,
  PetChanges,
  PetFilter,
  PetPage,
  TrafficEntry,
  WorldChanges,
  WorldDiff,
} from '../control/control.ts'
import type { Undoable } from '../control/undo.ts'
import { CONTROL_PATH } from '../control-path.ts'
import type { Coverage } from '../coverage/coverage.ts'
import type { AssumptionChoices, Int64, Pet } from '../generated/contract.ts'
import type { Delay, Fault, LiveFault } from '../world/faults.ts'
import type { JournalEntry, JournalFilter } from '../world/journal-entry.ts'
import type { Scenario } from '../world/situation.ts'
import { readEvents } from './events.ts'
import * as shapes from './shapes.ts'
import type { ControlTransport, TransportRequest, TransportResponse } from './transport.ts'

/**
 * Why a call failed: `unreachable`, there was no response or only part of one; `stranger`, the response is not this mock's;
 * `refused`, the mock said no.
 */
type Failure = 'unreachable' | 'stranger' | 'refused'

/** A call of the control API failed. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly failure: Failure
  /** Of the response; 0 if there was none. */
  readonly status: number

  constructor(failure: Failure, status: number, message: string) {
    super(message)
    this.failure = failure
    this.status = status
  }

  /** What the mock found wrong, one line each. */
  get problems(): string[] {
    return this.message.split('\n')
  }
}

/** The token to send, and the sandbox whose world is meant. */
export interface ControlScope {
  readonly token?: string | undefined
  readonly sandbox?: string | undefined
}

/** What `GET /health` says, and every change of the whole world. */
export interface Health {
  readonly version: string
  readonly scenario: string
  readonly pets: number
  /** The delay of every response, if the scenario has one: milliseconds, or the shortest and the longest. */
  readonly latency?: Delay
  /** How many there are, if every API key has one. */
  readonly sandboxes?: number
}

export interface ScenarioSummary {
  readonly name: string
  readonly description?: string
  readonly pets: number
}

export interface ClockChange {
  readonly now?: string
  readonly advance?: string
  readonly frozen?: boolean
}

export interface EventOptions {
  /** Ends the stream. */
  readonly signal?: AbortSignal
  /** Called for every sign of life, the mock's heartbeat included. */
  readonly onActivity?: () => void
}

/** Each method is one route; see the control API for what they do. Every one of them rejects with a ControlError only. */
export interface ControlClient {
  health(): Promise<Health>
  state(): Promise<Scenario>
  /** The state without the animals. */
  situation(): Promise<Scenario>
  /** Loads a scenario document; `extends` and `generate` are resolved by the mock. */
  load(document: unknown): Promise<Health>
  loadByName(name: string): Promise<Health>
  /** Loads the text of a scenario file, JSON or YAML; problems name the file and the line. */
  loadText(file: string, text: string): Promise<Health>
  /** Which animals differ from the loaded scenario. */
  changes(): Promise<WorldChanges>
  /** Everything that differs from the loaded scenario. */
  diff(): Promise<WorldDiff>
  reset(): Promise<Health>
  /** Takes the last load, reset or emptying of the journal back; refused with 409 if there is nothing to undo. */
  undo(): Promise<Health & { readonly undone: Undoable }>
  scenarios(): Promise<ScenarioSummary[]>
  /** A shipped scenario. */
  scenario(name: string): Promise<Scenario>
  /** The scenario in the text of a file, without loading it; problems as with `loadText`. */
  readText(file: string, text: string): Promise<Scenario>
  readonly pets: {
    /** One page of the animals that match, with counts. */
    list(filter?: PetFilter): Promise<PetPage>
    get(id: Int64): Promise<Pet>
    add(pet: AddedPet): Promise<Pet>
    update(id: Int64, changes: PetChanges): Promise<Pet>
    remove(id: Int64): Promise<void>
  }
  requests(filter?: JournalFilter): Promise<JournalEntry[]>
  clearRequests(): Promise<void>
  /** The requests of all worlds in one list, each with the key of its sandbox. */
  traffic(filter?: JournalFilter): Promise<TrafficEntry[]>
  clearTraffic(): Promise<void>
  readonly faults: {
    list(): Promise<LiveFault[]>
    add(fault: Fault): Promise<LiveFault>
    remove(id: string): Promise<void>
    clear(): Promise<void>
  }
  readonly latency: {
    get(): Promise<Delay | null>
    /** Null ends it. */
    set(latency: Delay | null): Promise<Delay | null>
  }
  readonly clock: {
    get(): Promise<ClockState>
    change(change: ClockChange): Promise<ClockState>
  }
  assumptions(): Promise<AssumptionState[]>
  assume(choices: Partial<AssumptionChoices>): Promise<AssumptionState[]>
  /** The keys that have a sandbox. */
  sandboxes(): Promise<string[]>
  removeSandbox(key: string): Promise<void>
  /** What has been exercised of the contract, in all worlds. */
  coverage(): Promise<Coverage>
  openapi(): Promise<Readonly<Record<string, unknown>>>
  /** Resolves once the mock is listening; the events are of one sandbox where the scope names one, else of all worlds. */
  events(options?: EventOptions): Promise<AsyncIterable<MockEvent>>
  /** Any route: the value of its response, checked against `shape` if there is one. `path` may have a query. */
  call<T>(method: string, path: string, body?: unknown, shape?: Schema): Promise<T>
}

const JSON_TYPE = 'application/json'
const EVENTS = 'text/event-stream'
const UNREACHABLE = 'The mock does not respond: is it still running?'

/** `scope` is read anew for every call, so that a token or a sandbox can be chosen later. */
export function createControlClient(transport: ControlTransport, scope: () => ControlScope = () => ({})): ControlClient {
  async function send(request: Omit<TransportRequest, 'headers'>, fields: Readonly<Record<string, string>>): Promise<TransportResponse> {
    const { token, sandbox } = scope()
    const headers = { ...fields, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
    const target = CONTROL_PATH + withSandbox(request.target, sandbox)
    const response = await orUnreachable(transport({ ...request, target, headers }))
    if (response.status < 200 || response.status > 299) throw toRefusal(response.status, await orUnreachable(response.text()))
    return response
  }

  async function call<T>(method: string, target: string, body?: unknown, shape?: Schema): Promise<T> {
    const request = { method, target, ...(body === undefined ? {} : { body: toJson(body) }) }
    const response = await send(request, toFields(method, body))
    if (response.status === 204) return undefined as T
    checkType(response, JSON_TYPE)
    return parse(response.status, await orUnreachable(response.text()), shape) as T
  }

  async function events({ signal, onActivity }: EventOptions = {}): Promise<AsyncIterable<MockEvent>> {
    const request = { method: 'GET', target: '/events', ...(signal ? { signal } : {}) }
    const response = await send(request, { accept: EVENTS })
    checkType(response, EVENTS)
    return parseEvents(response, onActivity)
  }

  return {
    health: () => call('GET', '/health', undefined, shapes.health),
    state: () => call('GET', '/state', undefined, shapes.state),
    situation: () => call('GET', '/state?pets=false', undefined, shapes.scenario),
    load: (document) => call('PUT', '/state', document, shapes.health),
    loadByName: (name) => call('PUT', '/scenario', { name }, shapes.health),
    loadText: (file, text) => call('PUT', '/scenario', { file, text }, shapes.health),
    changes: () => call('GET', '/changes', undefined, shapes.changes),
    diff: () => call('GET', '/diff', undefined, shapes.diff),
    reset: () => call('POST', '/reset', undefined, shapes.health),
    undo: () => call('POST', '/undo', undefined, shapes.undone),
    scenarios: () => call('GET', '/scenarios', undefined, shapes.scenarios),
    scenario: (name) => call('GET', `/scenarios/${encodeURIComponent(name)}`, undefined, shapes.scenario),
    readText: (file, text) => call('POST', '/scenarios', { file, text }, shapes.scenario),
    pets: {
      list: (filter = {}) => call('GET', `/pets${toQuery({ ...filter })}`, undefined, shapes.petPage),
      get: (id) => call('GET', `/pets/${id}`, undefined, shapes.pet),
      add: (pet) => call('POST', '/pets', pet, shapes.pet),
      update: (id, changes) => call('PATCH', `/pets/${id}`, changes, shapes.pet),
      remove: (id) => call('DELETE', `/pets/${id}`),
    },
    requests: (filter = {}) => call('GET', `/requests${toQuery({ ...filter })}`, undefined, shapes.entries),
    clearRequests: () => call('DELETE', '/requests'),
    traffic: (filter = {}) => call('GET', `/traffic${toQuery({ ...filter })}`, undefined, shapes.traffic),
    clearTraffic: () => call('DELETE', '/traffic'),
    faults: {
      list: () => call('GET', '/faults', undefined, shapes.faults),
      add: (fault) => call('POST', '/faults', fault, shapes.fault),
      remove: (id) => call('DELETE', `/faults/${encodeURIComponent(id)}`),
      clear: () => call('DELETE', '/faults'),
    },
    latency: {
      get: async () => (await call<{ latency: Delay | null }>('GET', '/latency', undefined, shapes.latency)).latency,
      set: async (latency) => (await call<{ latency: Delay | null }>('PUT', '/latency', { latency }, shapes.latency)).latency,
    },
    clock: {
      get: () => call('GET', '/clock', undefined, shapes.clock),
      change: (change) => call('PUT', '/clock', change, shapes.clock),
    },
    assumptions: () => call('GET', '/assumptions', undefined, shapes.assumptions),
    assume: (choices) => call('PUT', '/assumptions', choices, shapes.assumptions),
    sandboxes: () => call('GET', '/sandboxes', undefined, shapes.sandboxes),
    removeSandbox: (key) => call('DELETE', `/sandboxes/${encodeURIComponent(key)}`),
    coverage: () => call('GET', '/coverage', undefined, shapes.coverage),
    openapi: () => call('GET', '/openapi.json', undefined, shapes.openapi),
    events,
    call,
  }
}

/** A write without a body needs a header that no plain link can send. */
function toFields(method: string, body: unknown): Readonly<Record<string, string>> {
  if (body !== undefined) return { 'content-type': JSON_TYPE }
  return method === 'GET' ? {} : { 'x-mock-control': '1' }
}

function toQuery(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
  return given.length === 0 ? '' : `?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`
}

function withSandbox(target: string, sandbox: string | undefined): string {
  if (sandbox === undefined) return target
  return `${target}${target.includes('?') ? '&' : '?'}sandbox=${encodeURIComponent(sandbox)}`
}

function orUnreachable<T>(promise: Promise<T>): Promise<T> {
  return promise.catch((error) => {
    throw error instanceof ControlError ? error : new ControlError('unreachable', 0, UNREACHABLE)
  })
}

function toStranger(status: number): ControlError {
  return new ControlError('stranger', status, `The response is not from this mock (status ${status})`)
}

/** The mock's own refusals have the service's Error shape; anything else is not the mock. */
function toRefusal(status: number, text: string): ControlError {
  const error = tryParse(text)
  if (error === undefined || findViolations(shapes.error(status), error).length > 0) return toStranger(status)
  return new ControlError('refused', status, (error as { message: string }).message)
}

/** Before anything is read: a stranger's page may have no end. */
function checkType(response: TransportResponse, type: string): void {
  if (response.contentType.toLowerCase().split(';')[0]?.trim() === type) return
  response.cancel()
  throw toStranger(response.status)
}

function parse(status: number, text: string, shape: Schema = {}): unknown {
  const value = tryParse(text)
  if (value === undefined || findViolations(shape, value).length > 0) throw toStranger(status)
  return value
}

async function* parseEvents(response: TransportResponse, onActivity: (() => void) | undefined): AsyncGenerator<MockEvent, void> {
  const chunks = onActivity ? tap(response.chunks(), onActivity) : response.chunks()
  for await (const { data } of readEvents(chunks)) {
    const value = tryParse(data)
    if (value === undefined || findViolations(shapes.event, value).length > 0) throw toStranger(response.status)
    yield value as unknown as MockEvent
  }
}

async function* tap(chunks: AsyncIterable<string>, onChunk: () => void): AsyncGenerator<string, void> {
  for await (const chunk of chunks) {
    onChunk()
    yield chunk
  }
}

/** Undefined if it is not JSON. */
function tryParse(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}
