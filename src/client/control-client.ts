// The one client of the control API, for the command line, the console and the test kits: a method for each route.
import type {
  AddedPet,
  AssumptionState,
  ClockState,
  PetChanges,
  PetFilter,
  PetPage,
  TrafficEntry,
  WorldChanges,
  WorldDiff,
} from '../control/control.ts'
import type { Undoable } from '../control/undo.ts'
import type { Coverage } from '../coverage/coverage.ts'
import type { AssumptionChoices, Int64, Pet } from '../generated/contract.ts'
import type { Delay, Fault, LiveFault } from '../world/faults.ts'
import type { JournalEntry, JournalFilter } from '../world/journal-entry.ts'
import type { Scenario } from '../world/situation.ts'
import { type ControlCalls, type ControlScope, createControlCalls } from './control-call.ts'
import * as shapes from './shapes.ts'
import type { ControlTransport } from './transport.ts'

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

/** Each method is one route; see the control API for what they do. Every one of them rejects with a ControlError only. */
export interface ControlClient extends ControlCalls {
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
}

/** `scope` is read anew for every call, so that a token or a sandbox can be chosen later. */
export function createControlClient(transport: ControlTransport, scope: () => ControlScope = () => ({})): ControlClient {
  const { call, events } = createControlCalls(transport, scope)
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

function toQuery(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
  return given.length === 0 ? '' : `?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`
}
