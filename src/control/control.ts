// The tester's side of the mock, as plain methods. The HTTP control API, the command line and the console are skins over it.

import { UsageError } from '../contract/errors.ts'
import { findViolations, type Schema, toSentences } from '../contract/schema.ts'
import { type AssumptionChoices, type AssumptionId, assumptions } from '../generated/contract.ts'
import { findFaultProblems, parseScenario, throwProblems } from '../scenario/check.ts'
import { apiKeySchema, assumeSchema, faultSchema } from '../scenario/document.ts'
import type { Fault, LiveFault } from '../world/faults.ts'
import { type Exchange, type JournalEntry, type JournalFilter, toEntry } from '../world/journal.ts'
import { layChoices, type Scenario } from '../world/situation.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from './worlds.ts'

/** What a tester can do to one world. */
export interface WorldControl {
  /** Back to the loaded scenario: animals, ids, clock, faults, choices, random state; the journal emptied. */
  reset(): void
  /** Replaces the whole world, if all of the scenario is valid; otherwise throws a UsageError and changes nothing. */
  load(scenario: Scenario): void
  /** The whole world as a scenario that loads back into the same. */
  state(): Scenario
  /** What it is in short, without the cost of the whole. */
  summary(): WorldSummary
  readonly faults: {
    add(fault: Fault): LiveFault
    list(): LiveFault[]
    /** Whether there was one with that id. */
    remove(id: string): boolean
    clear(): void
  }
  /** What was asked and answered, oldest first. */
  requests(filter?: JournalFilter): JournalEntry[]
  clearRequests(): void
  readonly clock: {
    get(): ClockState
    set(instant: string): void
    /** Moves by an ISO 8601 duration, as in `P1D`. */
    advance(duration: string): void
    freeze(frozen?: boolean): void
  }
  /** Every open question of the interface, with the choice made and how often the journal leaned on it. */
  assumptions(): AssumptionState[]
  assume(choices: Partial<AssumptionChoices>): void
}

/** What a tester can do to a mock: the methods of its shared world, and those about all of its worlds. */
export interface Control extends WorldControl {
  /** The same methods for the world of one API key. */
  sandbox(key: string): WorldControl
  /** The keys that have a sandbox. */
  sandboxes(): string[]
  /** Whether the key had one. */
  removeSandbox(key: string): boolean
  /** Hears of every exchange and every change; the function that it gives ends that. */
  subscribe(listener: (event: MockEvent) => void): () => void
}

export interface WorldSummary {
  /** The name of the scenario that it was loaded from. */
  readonly scenario: string
  /** How many animals there are now. */
  readonly pets: number
  /** How many of each status; those without one are in `pets` alone. */
  readonly byStatus: Readonly<Record<string, number>>
}

export interface ClockState {
  readonly now: string
  readonly frozen: boolean
}

export interface AssumptionState {
  readonly id: AssumptionId
  readonly question: string
  readonly silence: string
  readonly why: string
  readonly choices: readonly { readonly id: string; readonly meaning: string }[]
  readonly choice: string
  readonly default: string
  /** How many exchanges of the journal rest on it. */
  readonly leanedOn: number
}

/** Something happened; `sandbox` is the key of the world in question, null for the shared one. */
export type MockEvent =
  | { readonly type: 'exchange'; readonly sandbox: string | null; readonly entry: JournalEntry }
  | { readonly type: 'change'; readonly sandbox: string | null; readonly what: Change }

export type Change = 'load' | 'reset' | 'faults' | 'requests' | 'clock' | 'assumptions' | 'sandboxes'

/** The control, and the way for the service to tell it of an exchange. */
export function createControl(worlds: Worlds): {
  control: Control
  onExchange(exchange: Exchange, id: number, key: string | undefined): void
} {
  const listeners = new Set<(event: MockEvent) => void>()
  const tell = (event: MockEvent) => {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (error) {
        // The exchange must not suffer for it; as with the platform's own events, it is an uncaught error.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
  worlds.watch((key) => tell({ type: 'change', sandbox: key, what: 'sandboxes' }))
  const control: Control = {
    ...createWorldControl(worlds, undefined, tell),
    sandbox(key) {
      if (!worlds.hasSandboxes) throw new UsageError('there are no sandboxes: start the mock with --sandbox (or sandbox: true)')
      check(apiKeySchema, key, 'sandbox')
      return createWorldControl(worlds, key, tell)
    },
    sandboxes: () => worlds.keys(),
    removeSandbox: (key) => worlds.remove(key),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return {
    control,
    onExchange(exchange, id, key) {
      if (listeners.size === 0) return
      tell({ type: 'exchange', sandbox: worlds.hasSandboxes ? (key ?? null) : null, entry: toEntry(exchange, id) })
    },
  }
}

function createWorldControl(worlds: Worlds, key: string | undefined, tell: (event: MockEvent) => void): WorldControl {
  const world = (): World => worlds.of(key)
  /** For a look only, which changes nothing: not even which sandbox has been idle longest. */
  const seen = (): World => worlds.peek(key)
  const changed = (what: Change) => tell({ type: 'change', sandbox: key ?? null, what })
  return {
    reset() {
      worlds.reset(key)
      changed('reset')
    },
    load(scenario) {
      worlds.load(parseScenario(scenario), key)
      changed('load')
    },
    state: () => seen().state(),
    summary() {
      const { scenario, catalogue } = seen()
      const { all, byStatus } = catalogue.count()
      return { scenario, pets: all, byStatus }
    },
    faults: {
      add(fault) {
        check(faultSchema, fault, 'fault')
        throwProblems(findFaultProblems(fault, 'fault'))
        const live = world().faults.add(fault)
        changed('faults')
        return live
      },
      list: () => seen().faults.list(),
      remove(id) {
        const removed = world().faults.remove(id)
        if (removed) changed('faults')
        return removed
      },
      clear() {
        world().faults.clear()
        changed('faults')
      },
    },
    requests: (filter) => seen().journal.entries(filter),
    clearRequests() {
      world().journal.clear()
      changed('requests')
    },
    clock: {
      get() {
        const { clock } = seen()
        return { now: new Date(clock.now()).toISOString(), frozen: clock.setting().frozen === true }
      },
      set(instant) {
        world().clock.set(instant)
        changed('clock')
      },
      advance(duration) {
        world().clock.advance(duration)
        changed('clock')
      },
      freeze(frozen = true) {
        world().clock.freeze(frozen)
        changed('clock')
      },
    },
    assumptions() {
      const { choices, journal } = seen()
      const entries = journal.entries()
      return assumptions.map((assumption) => ({
        ...structuredClone(assumption),
        choice: choices[assumption.id],
        leanedOn: entries.filter((entry) => entry.assumptions.includes(assumption.id)).length,
      }))
    },
    assume(choices) {
      check(assumeSchema, choices, 'assume')
      const chosen = world()
      chosen.choices = layChoices(chosen.choices, choices)
      changed('assumptions')
    },
  }
}

function check(schema: Schema, value: unknown, path: string): void {
  const violations = findViolations(schema, value, path)
  if (violations.length > 0) throw new UsageError(toSentences(violations))
}
