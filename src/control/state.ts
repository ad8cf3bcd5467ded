// What a tester can do to one state. Every argument is checked before anything is touched, so a call that is refused changes nothing,
// not even which sandboxes there are.
import { freezeCopy, isPromise, withoutUndefined } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { checkValue, type Schema } from '../contract/schema.ts'
import { assumptions, contract } from '../generated/contract.ts'
import { version } from '../generated/version.ts'
import { MAX_LOG_ENTRIES } from '../limits.ts'
import { parseScenario, throwProblems } from '../scenario/check.ts'
import { explainMistake, isReference } from '../scenario/document.ts'
import type { ScenarioReference } from '../scenario/resolve.ts'
import { delaySchema, findDelayProblems, parseDelay, parsePeriod } from '../settings/duration.ts'
import { checkFault } from '../settings/fault.ts'
import { apiKeySchema, assumeSchema } from '../settings/rows.ts'
import { isChange } from '../world/change.ts'
import type { LogFilter } from '../world/log-entry.ts'
import type { Scenario, Start, State } from '../world/start.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'
import type { ClockOptions, ClockState, RequestFilter, StateControl, StateOptions, StateSummary } from './control.ts'
import { toDiff } from './diff.ts'
import { parseParts } from './logged-request.ts'
import { createPetsControl } from './pets.ts'
import { rowIdSchema, type Timeline } from './timeline.ts'

export const stringSchema: Schema = { type: 'string' }
const allSchema: Schema = { type: 'object', additionalProperties: false, properties: { sandbox: { enum: ['*'] } } }
export const requestFilterFields: Record<Exclude<keyof RequestFilter, 'sandbox'>, Schema> = {
  operation: { enum: Object.keys(contract.operations) },
  status: { type: 'integer', minimum: 0, maximum: 599 },
  method: { type: 'string' },
  apiKey: apiKeySchema,
  limit: { type: 'integer', minimum: 0 },
  waiting: { type: 'boolean' },
}
const clockOptionsSchema: Schema = { type: 'object', additionalProperties: false, properties: { frozen: { type: 'boolean' } } }
const beforeSchema: Schema = { type: 'object', additionalProperties: false, properties: { before: rowIdSchema } }
const stateSchema: Schema = { ...beforeSchema, properties: { before: rowIdSchema, pets: { type: 'boolean' } } }
const filterSchema: Schema = { ...allSchema, properties: { ...requestFilterFields, ...allSchema.properties } }

type Log = World['requestLog']

/** The methods for the state of a key; without a key, for the shared one. */
export function createStateControl(
  worlds: Worlds,
  key: string | undefined,
  timeline: Timeline,
  countSandboxes: () => number,
): StateControl {
  /** For reading only: it changes nothing, not even which sandbox has been idle longest. */
  const seen = (): World => worlds.peek(key)

  const change = <T>(run: (world: World) => T): T => worlds.change(key, run)

  function summary(): StateSummary {
    const { scenario, catalogue, latency } = seen()
    const { all, byStatus } = catalogue.count()
    return {
      version,
      scenario,
      pets: all,
      byStatus,
      ...(latency === undefined ? {} : { latency }),
      ...(worlds.hasSandboxes ? { sandboxes: countSandboxes() } : {}),
    }
  }

  function readClock(): ClockState {
    const { clock } = seen()
    return { now: new Date(clock.now()).toISOString(), frozen: clock.setting().frozen === true }
  }

  /** What matches in the log of this state, or with `*` in all of them, in the order of the ids: the last ones, which alone are copied. */
  function gather<Row extends { readonly id: number }, Shown>(
    filter: RequestFilter | undefined,
    find: (log: Log, wanted: LogFilter) => readonly Row[],
    show: (log: Log, row: Row) => Shown,
  ): Shown[] {
    const { sandbox, ...wanted } = parseFilter(filter)
    const logs = sandbox === undefined ? [seen()] : worlds.all().map(([, world]) => world)
    const rows = logs.flatMap(({ requestLog }) => find(requestLog, wanted).map((row) => ({ row, requestLog })))
    const limit = wanted.limit ?? (sandbox === undefined ? rows.length : MAX_LOG_ENTRIES)
    rows.sort((left, right) => left.row.id - right.row.id)
    return rows.slice(Math.max(0, rows.length - limit)).map(({ row, requestLog }) => show(requestLog, row))
  }

  function load(scenario: ScenarioReference): Promise<StateSummary>
  function load(scenario: Scenario): StateSummary
  function load(scenario: ScenarioReference | Scenario): StateSummary | Promise<StateSummary> {
    const mistake = isPromise(scenario) ? explainMistake(scenario) : undefined
    if (mistake !== undefined) throw new UsageError(mistake)
    return isReference(scenario) ? loadReference(scenario) : loadNow(scenario as Scenario)
  }

  /** The resolver is loaded when it is first needed: a page that names no scenario stays smaller. */
  async function loadReference(scenario: unknown): Promise<StateSummary> {
    const { resolveScenario } = await import('../scenario/resolve.ts')
    return loadNow(await resolveScenario(scenario))
  }

  function loadNow(scenario: Scenario): StateSummary {
    const start = readStart(worlds, scenario, key)
    return timeline.record('load', () => {
      worlds.load(start, key, true)
      return summary()
    })
  }

  return {
    reset() {
      worlds.reset(key)
      return summary()
    },
    load,
    state(options) {
      const { before, ...rest } = checkValue(stateSchema, options ?? {}, 'options')
      return before === undefined ? seen().state(rest) : toSharedState(timeline.before(before), before, rest)
    },
    summary,
    diff(options) {
      const { before } = checkValue(beforeSchema, options ?? {}, 'options')
      if (before === undefined) return toDiff(worlds.start(key), seen())
      const { start, world, now } = timeline.before(before)
      const diff = toDiff(start, world)
      // Its clock has gone on since.
      const after = diff.clock?.after
      return after && after.now !== null ? { ...diff, clock: { ...diff.clock, after: { ...after, now } } } : diff
    },
    timeline: (filter) =>
      gather(
        filter,
        (log, wanted) => log.rows(wanted),
        (log, row) => (isChange(row) ? log.show(row) : parseParts({ type: 'request' as const, ...log.show(row) })),
      ),
    undo: timeline.undo,
    rewind: timeline.rewind,
    latency: {
      get: () => seen().latency ?? null,
      set(latency) {
        if (latency !== null) {
          checkValue(delaySchema, latency, 'latency')
          throwProblems(findDelayProblems(latency, 'latency'))
        }
        const delay = latency === null ? undefined : freezeCopy(parseDelay(latency))
        change((world) => {
          world.latency = delay
        })
      },
    },
    pets: createPetsControl({ seen, change }),
    faults: {
      add(fault) {
        const checked = checkFault(fault)
        return change(({ faults }) => faults.add(checked))
      },
      list: () => seen().faults.list(),
      remove(id) {
        checkValue(stringSchema, id, 'id')
        const isThere = seen()
          .faults.list()
          .some((fault) => fault.id === id)
        return isThere && change(({ faults }) => faults.remove(id))
      },
      clear: () => change(({ faults }) => faults.clear()),
    },
    requests: (filter) =>
      gather(
        filter,
        (log, wanted) => log.requests(wanted),
        (log, row) => parseParts(log.show(row)),
      ),
    clearRequests(options = {}) {
      checkValue(allSchema, options, 'options')
      change(({ requestLog }) => requestLog.clear())
    },
    clock: {
      get: readClock,
      set(now, options) {
        if (now !== null) checkValue(stringSchema, now, 'now')
        const { frozen } = readClockOptions(options)
        change(({ clock }) => clock.set(now, frozen))
        return readClock()
      },
      advance(duration, options) {
        const period = parsePeriod(duration, 'advance: ')
        const { frozen } = readClockOptions(options)
        change(({ clock }) => clock.advance(period, frozen))
        return readClock()
      },
      freeze(frozen = true) {
        checkValue({ type: 'boolean' }, frozen, 'frozen')
        change(({ clock }) => clock.freeze(frozen))
        return readClock()
      },
    },
    assumptions() {
      const { choices, requestLog, calibrated } = seen()
      const rows = requestLog.requests()
      return assumptions.map((assumption) => ({
        ...assumption,
        choices: [...assumption.choices],
        choice: choices[assumption.id],
        ...(calibrated?.choices[assumption.id] === choices[assumption.id]
          ? { confirmed: { on: calibrated.on, against: calibrated.against } }
          : {}),
        uses: rows.filter((row) => row.assumptions.includes(assumption.id)).length,
      }))
    },
    assume(choices) {
      checkValue(assumeSchema, choices, 'assume')
      change((world) => {
        world.choices = { ...world.choices, ...withoutUndefined(choices) }
      })
    },
  }
}

/** What a scenario starts; if it has no surprises, the present ones stay. */
export function readStart(worlds: Worlds, scenario: Scenario, key?: string): Start {
  const { calls: _, ...surprise } = worlds.peek(key).settings().surprise ?? {}
  return parseScenario(scenario, 'seed' in surprise ? surprise : undefined)
}

function parseFilter(filter: RequestFilter = {}): RequestFilter {
  const { method, ...rest } = checkValue(filterSchema, filter, 'filter')
  return method === undefined ? rest : { ...rest, method: method.toUpperCase() }
}

function readClockOptions(options: ClockOptions = {}): ClockOptions {
  return checkValue(clockOptionsSchema, options, 'options')
}

/** A state to hand on: with the moment of its row, and without API keys. */
function toSharedState({ world, now }: ReturnType<Timeline['before']>, id: number, options: Pick<StateOptions, 'pets'>): State {
  const { apiKeys, ...state } = world.state(options)
  const isOpen = apiKeys === undefined && state.assume?.['valid-keys'] !== 'listed'
  return {
    ...state,
    description: `Before row ${id}${isOpen ? '' : '; without its API keys, so that any key is valid'}`,
    ...(isOpen ? {} : { assume: { ...state.assume, 'valid-keys': 'any' } }),
    now,
    frozen: true,
  }
}
