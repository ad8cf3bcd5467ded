// What a tester can do to one world: every argument is checked before anything is touched, so that a call that is refused changes
// nothing, not even which sandboxes there are.
import { check } from '../contract/check.ts'
import { UsageError } from '../contract/errors.ts'
import { BOOLEAN, readOptions } from '../contract/options.ts'
import { parsePetText } from '../contract/pet.ts'
import type { Schema } from '../contract/schema.ts'
import { assumptions, contract, type Int64, type Pet } from '../generated/contract.ts'
import { findDelayProblems, findFaultProblems, parseScenario, throwProblems } from '../scenario/check.ts'
import { assumeSchema, delaySchema, explainMistake, faultSchema } from '../scenario/document.ts'
import type { Catalogue } from '../world/catalogue.ts'
import { copyDelay } from '../world/faults.ts'
import type { JournalFilter } from '../world/journal-entry.ts'
import { layChoices } from '../world/situation.ts'
import type { World } from '../world/world.ts'
import type { Change, ClockOptions, MockEvent, WorldChanges, WorldControl } from './control.ts'
import { toDiff } from './diff.ts'
import type { Events } from './events.ts'
import { createPetsControl } from './pets-control.ts'
import type { Worlds } from './worlds.ts'

export const stringSchema: Schema = { type: 'string' }
export const journalFilterFields: Record<keyof JournalFilter, Schema> = {
  operation: { enum: Object.keys(contract.operations) },
  status: { type: 'integer', minimum: 0, maximum: 599 },
  method: { type: 'string' },
  limit: { type: 'integer', minimum: 0 },
}
const filterSchema: Schema = { type: 'object', additionalProperties: false, properties: journalFilterFields }

/** What an event says besides where it happened. */
type ChangeEvent = { readonly what: Exclude<Change, 'pets'> } | { readonly what: 'pets'; readonly id: Int64; readonly pet: Pet | null }

/** The way from the methods to the world itself, for the control API, which prints large worlds. It is no part of what a mock offers. */
export const WORLD = Symbol('world')

export interface InnerWorldControl extends WorldControl {
  readonly [WORLD]: () => World
}

/** The methods for the world of a key; without a key, for the shared one. */
export function createWorldControl(worlds: Worlds, key: string | undefined, events: Events<MockEvent>): InnerWorldControl {
  /** For a look only, which changes nothing: not even which sandbox has been idle longest. */
  const seen = (): World => worlds.peek(key)

  /** Makes a change as a whole, then tells of it. */
  function make<T>(run: () => T, toEvent: (result: T) => ChangeEvent | undefined): T {
    events.begin()
    try {
      const result = run()
      const event = toEvent(result)
      if (event) events.publish({ type: 'change', sandbox: key ?? null, ...event })
      return result
    } finally {
      events.end()
    }
  }
  const change = <T>(what: Exclude<Change, 'pets'>, run: (world: World) => T): T =>
    make(
      () => worlds.change(key, run),
      () => ({ what }),
    )

  return {
    reset: () =>
      make(
        () => worlds.reset(key),
        () => ({ what: 'reset' }),
      ),
    load(scenario) {
      const mistake = explainMistake(scenario)
      if (mistake !== undefined) throw new UsageError(mistake)
      const situation = parseScenario(scenario)
      make(
        () => worlds.load(situation, key),
        () => ({ what: 'load' }),
      )
    },
    [WORLD]: seen,
    state: (options) => seen().state(options),
    summary() {
      const { scenario, catalogue, latency } = seen()
      const { all, byStatus } = catalogue.count()
      return { scenario, pets: all, byStatus, ...(latency === undefined ? {} : { latency: copyDelay(latency) }) }
    },
    changes: () => toChangedIds(seen().catalogue),
    diff: () => toDiff(worlds.situation(key), seen()),
    latency: {
      get() {
        const { latency } = seen()
        return latency === undefined ? null : copyDelay(latency)
      },
      set(latency) {
        if (latency !== null) {
          check(delaySchema, latency, 'latency')
          throwProblems(findDelayProblems(latency, 'latency'))
        }
        change('latency', (world) => {
          world.latency = latency === null ? undefined : copyDelay(latency)
        })
      },
    },
    pets: createPetsControl({
      seen,
      change: (run, toEvent) =>
        make(
          () => worlds.change(key, run),
          (result) => ({ what: 'pets', ...toEvent(result) }),
        ),
    }),
    faults: {
      add(fault) {
        check(faultSchema, fault, 'fault')
        throwProblems(findFaultProblems(fault, 'fault'))
        return change('faults', ({ faults }) => faults.add(fault))
      },
      list: () => seen().faults.list(),
      remove(id) {
        check(stringSchema, id, 'id')
        const isThere = seen()
          .faults.list()
          .some((fault) => fault.id === id)
        return isThere && change('faults', ({ faults }) => faults.remove(id))
      },
      clear: () => change('faults', ({ faults }) => faults.clear()),
    },
    requests: (filter) => seen().journal.entries(parseFilter(filter)),
    clearRequests: () =>
      make(
        () => worlds.clearRequests(key),
        () => ({ what: 'requests' }),
      ),
    undo: () =>
      make(
        () => worlds.undo(key),
        (undone) => undone && { what: 'undo' },
      ),
    clock: {
      get() {
        const { clock } = seen()
        return { now: new Date(clock.now()).toISOString(), frozen: clock.setting().frozen === true }
      },
      set(instant, options) {
        check(stringSchema, instant, 'instant')
        const { frozen } = readClockOptions('clock.set', options)
        change('clock', ({ clock }) => clock.set(instant, frozen))
      },
      advance(duration, options) {
        check(stringSchema, duration, 'duration')
        const { frozen } = readClockOptions('clock.advance', options)
        change('clock', ({ clock }) => clock.advance(duration, frozen))
      },
      freeze(frozen = true) {
        check({ type: 'boolean' }, frozen, 'frozen')
        change('clock', ({ clock }) => clock.freeze(frozen))
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
      change('assumptions', (world) => {
        world.choices = layChoices(world.choices, choices)
      })
    },
  }
}

export function parseFilter(filter: JournalFilter = {}): JournalFilter {
  const { method, ...rest } = check<JournalFilter>(filterSchema, filter, 'filter')
  return method === undefined ? rest : { ...rest, method: method.toUpperCase() }
}

function readClockOptions(door: string, options: ClockOptions | undefined): ClockOptions {
  return readOptions<ClockOptions>(door, { frozen: BOOLEAN }, options)
}

function toChangedIds(catalogue: Catalogue): WorldChanges {
  const { added, changed, removed } = catalogue.changes()
  const idOf = (text: string) => parsePetText(text).id
  return { added: added.map(idOf), changed: changed.map(({ after }) => idOf(after)), removed: removed.map(idOf) }
}
