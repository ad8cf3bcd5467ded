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
import type { Events } from './events.ts'
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
export function createControl(
  worlds: Worlds,
  events: Events<MockEvent>,
): {
  control: Control
  onExchange(exchange: Exchange, id: number, key: string | undefined): void
} {
  worlds.watch((key) => events.publish({ type: 'change', sandbox: key, what: 'sandboxes' }))
  const control: Control = {
    ...createWorldControl(worlds, undefined, events),
    sandbox(key) {
      if (!worlds.hasSandboxes) throw new UsageError('there are no sandboxes: start the mock with --sandbox (or sandbox: true)')
      check(apiKeySchema, key, 'sandbox')
      return createWorldControl(worlds, key, events)
    },
    sandboxes: () => worlds.keys(),
    removeSandbox: (key) => worlds.remove(key),
    subscribe: (listener) => events.subscribe(listener),
  }
  return {
    control,
    onExchange(exchange, id, key) {
      if (!events.hasListeners) return
      events.publish({ type: 'exchange', sandbox: worlds.hasSandboxes ? (key ?? null) : null, entry: toEntry(exchange, id) })
    },
  }
}

function createWorldControl(worlds: Worlds, key: string | undefined, events: Events<MockEvent>): WorldControl {
  const world = (): World => worlds.of(key)
  /** For a look only, which changes nothing: not even which sandbox has been idle longest. */
  const seen = (): World => worlds.peek(key)
  /** Makes a change; whoever listens is told when it is whole. */
  function change<T>(what: Change, run: () => T): T {
    events.begin()
    try {
      const result = run()
      events.publish({ type: 'change', sandbox: key ?? null, what })
      return result
    } finally {
      events.end()
    }
  }
  return {
    reset: () => change('reset', () => worlds.reset(key)),
    load(scenario) {
      const situation = parseScenario(scenario)
      change('load', () => worlds.load(situation, key))
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
        return change('faults', () => world().faults.add(fault))
      },
      list: () => seen().faults.list(),
      remove(id) {
        const isThere = seen()
          .faults.list()
          .some((fault) => fault.id === id)
        return isThere && change('faults', () => world().faults.remove(id))
      },
      clear: () => change('faults', () => world().faults.clear()),
    },
    requests: (filter) => seen().journal.entries(filter),
    clearRequests: () => change('requests', () => world().journal.clear()),
    clock: {
      get() {
        const { clock } = seen()
        return { now: new Date(clock.now()).toISOString(), frozen: clock.setting().frozen === true }
      },
      set: (instant) => change('clock', () => world().clock.set(instant)),
      advance: (duration) => change('clock', () => world().clock.advance(duration)),
      freeze: (frozen = true) => change('clock', () => world().clock.freeze(frozen)),
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
      change('assumptions', () => {
        const chosen = world()
        chosen.choices = layChoices(chosen.choices, choices)
      })
    },
  }
}

function check(schema: Schema, value: unknown, path: string): void {
  const violations = findViolations(schema, value, path)
  if (violations.length > 0) throw new UsageError(toSentences(violations))
}
