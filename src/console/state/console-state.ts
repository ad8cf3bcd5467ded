// The state of the page: one immutable value, and a store that holds it.
import type { ScenarioSummary } from '../../control/control.ts'
import type { Address } from './address.ts'
import type { ConnectionState } from './connection.ts'
import { type AnimalFilter, everyAnimal, toAnimalFilter } from './filter-animals.ts'
import type { InterfaceOperation } from './read-interface.ts'
import type { ScenarioDraft } from './scenario-draft.ts'
import type { WorldView } from './world-view.ts'

/** What just happened, for a line at the foot of the page. */
export interface Notice {
  readonly isProblem: boolean
  readonly text: string
  /** Whether it is about something that is not done yet, and so over once it is. */
  readonly isBusy?: boolean
  /** Whether it is about the mock not responding, and so over once it does. */
  readonly isConnection?: boolean
  /** Takes it back. */
  readonly undo?: () => Promise<void>
  /** Whether that would still take back this and nothing else. */
  readonly isLast?: () => boolean
}

/** The world of a key beside the one shown; undefined until it has been read. */
interface WorldBeside {
  readonly sandbox: string
  readonly world: WorldView | undefined
}

/** A file that could not be loaded. */
interface RejectedFile {
  readonly file: string
  readonly problems: readonly string[]
  /** To edit, if it is text. */
  readonly draft?: ScenarioDraft
}

export interface ConsoleState {
  readonly connection: ConnectionState
  readonly version: string
  /** Whether every API key has a world of its own. */
  readonly hasSandboxes: boolean
  /** The key whose world is shown; without one the shared world or, with sandboxes, the one that new ones start from. */
  readonly sandbox: string | undefined
  readonly sandboxes: readonly string[]
  readonly scenarios: readonly ScenarioSummary[]
  readonly operations: readonly InterfaceOperation[]
  /** Which animals are wanted. */
  readonly animalFilter: AnimalFilter
  readonly world: WorldView | undefined
  /** For a request in the list of all sandboxes; without its animals, requests and clock. */
  readonly beside: WorldBeside | undefined
  /** The API key that was typed, for requests to the service. */
  readonly apiKey: string | undefined
  readonly notice: Notice | undefined
  readonly rejected: RejectedFile | undefined
  /** The scenario that is being edited as text. */
  readonly draft: ScenarioDraft | undefined
}

export interface Store {
  get(): ConsoleState
  set(change: Partial<ConsoleState>): void
  /** Calls `listener` on every change; returns unsubscribe. */
  subscribe(listener: () => void): () => void
}

/** Valid in every mock that does not list its keys. */
const USUAL_KEY = 'any-key'

const initial: ConsoleState = {
  connection: { kind: 'connecting' },
  version: '',
  hasSandboxes: false,
  sandbox: undefined,
  sandboxes: [],
  scenarios: [],
  operations: [],
  animalFilter: everyAnimal,
  world: undefined,
  beside: undefined,
  apiKey: undefined,
  notice: undefined,
  rejected: undefined,
  draft: undefined,
}

/** With what the address asks for. */
export function createStore({ view, query }: Address): Store {
  const animalFilter = view === '' || view === 'animals' ? toAnimalFilter(query) : everyAnimal
  let state: ConsoleState = { ...initial, sandbox: query.sandbox, animalFilter }
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...change }
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The key for requests to the service: the sandbox's own, the one that was typed, or one that should be valid. */
export function toKey({ sandbox, apiKey, world }: ConsoleState): string {
  return sandbox ?? apiKey ?? world?.apiKeys[0] ?? USUAL_KEY
}

/** The world that a request was in; undefined until it has been read. */
export function toWorldOf(state: ConsoleState, sandbox: string | null): WorldView | undefined {
  if (!isTemplate(state) || sandbox === null) return state.world
  return state.beside?.sandbox === sandbox ? state.beside.world : undefined
}

/** Whether the world shown is the one that new sandboxes start from: no request with a valid key reaches it. */
export function isTemplate({ hasSandboxes, sandbox }: ConsoleState): boolean {
  return hasSandboxes && sandbox === undefined
}
