// Builds the control over the worlds of a mock. Every method, called with positional arguments here, over HTTP or by an
// agent, goes through `call`: it checks the input by the table, applies the method, adds a row for what it changed, and
// reports that.
import { describeValue, withoutUndefined } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { parseInt64 } from '../contract/int64-json.ts'
import { refuse } from '../contract/options.ts'
import { checkValue, findViolations, type Schema } from '../contract/schema.ts'
import { scenarioList } from '../generated/scenario-list.ts'
import type { Recorder } from '../service/recorder.ts'
import { showRow } from '../service/show-row.ts'
import { apiKeySchema } from '../settings/rows.ts'
import { FullError } from '../world/catalogue.ts'
import { readClock } from '../world/clock.ts'
import { compareStates } from '../world/difference.ts'
import { createChange, cutLine, type KeptRequest } from '../world/row.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Control, ControlMethod, MockEvent, Outcome, StateControl } from './control.ts'
import { describeChange } from './describe-change.ts'
import type { Events } from './events.ts'
import { type ControlRow, createFunctions, type Input, methods } from './methods.ts'
import { petMethods } from './pets.ts'
import { stateMethods } from './state.ts'
import { timelineMethods } from './timeline.ts'
import type { Changed, Found, Later, View } from './view.ts'
import { countOutcomes, whatIf } from './what-if.ts'

/** What a host does that stores its states, whose mocks have one sandbox each or none. */
export interface ControlHost {
  /** A row of the timeline is complete. Cheaper than events: nothing is built for it. */
  onRow?(id: number): void
  /** The key of its only sandbox, which then also gets the requests whose key it refuses. */
  readonly home?: string | undefined
  /** The sandboxes of all its mocks, by default those of this one. */
  readonly sandboxes?: View['sandboxes']
  /** The recording that it shows. */
  readonly recording?: View['recording']
}

type Method = (view: View, input: never) => Found | Changed | Later

/** The control, and the callbacks with which the service reports requests. */
export function createControl(
  worlds: Worlds,
  events: Events<MockEvent>,
  coverage: Control['coverage'],
  imagine: View['imagine'],
  { onRow = () => {}, sandboxes = worlds, recording }: ControlHost = {},
) {
  /** One function for each row of the table. Made here, so that a bundler can leave all of them out. */
  const functions: Readonly<Record<ControlMethod, Method>> = {
    ...stateMethods,
    ...petMethods,
    ...timelineMethods,
    whatIf,
    coverage: (view: View, { outcomes }: { outcomes?: boolean }) => ({
      result: { ...view.coverage(), ...(outcomes && { outcomes: countOutcomes(view) }) },
    }),
    scenarios: () => ({ result: structuredClone(scenarioList) }),
    sandboxes: ({ sandboxes }) => ({ result: sandboxes.keys() }),
  }
  const { times } = worlds
  const nameSchema: Schema = { enum: Object.keys(methods) }
  const look = (key: string | undefined): View => {
    const world = worlds.peek(key)
    const { state } = world
    return { key, world, state, now: readClock(state.clock, times), times, worlds, sandboxes, coverage, imagine, recording }
  }

  /** Calls a method of the table with its arguments by name. */
  function call(key: string | undefined, name: ControlMethod, given: Input): Outcome | Promise<Outcome> {
    const row = methods[name]
    const input = readInput(row, given) as never
    const view = look(key)
    const found = orTooMuch(() => functions[name](view, input))
    const finish = (changed: Changed, here: View) => orTooMuch(() => commit(name, changed, here))
    // What it needs has been fetched meanwhile.
    if (found instanceof Promise) return found.then((run) => finish(run(look(key)), look(key)))
    return 'state' in found ? finish(found, view) : found
  }

  /** The next state becomes the present one, with a row for what differs; no row if nothing does. */
  function commit(name: ControlMethod, changed: Changed, { key, world, state, now }: View): Outcome {
    const { kind, returns } = methods[name]
    const isWhole = changed.isWhole ?? kind === 'replaces'
    world.checkRoom(changed.state)
    const differences = isWhole ? [] : compareStates(state, changed.state)
    const { result, text = describeChange(differences), undoes = null, isUndo = false, subject = text } = changed
    if (result !== false) worlds.keep(key, world)
    if (!isWhole && differences.length === 0 && changed.text === undefined) return { result }
    const change = createChange({
      // Before it: a change may turn the clock.
      at: now,
      realAt: times.real(),
      method: name,
      changed: differences.map(({ kind: of, id }) => ({ kind: of, id: String(id) })),
      text: cutLine(text),
      undoes,
      isUndo,
      subject,
      ...(changed.backTo !== undefined && { backTo: changed.backTo }),
      isWhole,
      startsAgain: kind === 'replaces',
    })
    world.advance(change, changed.state)
    const row = showRow(change, world.sandbox)
    events.publish({ type: 'change', sandbox: key ?? null, row })
    onRow(row.id)
    if (kind === 'replaces') return { ...stateMethods.summary(look(key)), row: row.id }
    return { result: returns === 'row' ? row : result, row: row.id }
  }

  /** With `sandbox: '*'`, what is cleared is cleared everywhere. */
  function callAll(key: string | undefined, name: ControlMethod, input: Input): Outcome | Promise<Outcome> {
    const outcome = call(key, name, input)
    if (name !== 'clearRequests' || input.sandbox === undefined) return outcome
    for (const [other] of worlds.all()) if (other !== key) call(other, name, {})
    return outcome
  }

  const createState = (key?: string): StateControl =>
    ({
      call: (name: ControlMethod, input: Input = {}) => callAll(key, checkValue(nameSchema, name, 'method'), input),
      ...createFunctions((name, input) => unwrap(callAll(key, name, input())), key === undefined),
    }) as StateControl

  worlds.watch((key) => events.publish({ type: 'sandbox', sandbox: key }))
  const control: Control = {
    ...(createState() as Control),
    sandbox(key) {
      if (!worlds.hasSandboxes) throw new UsageError('sandboxes are off; start the mock with --sandbox, or sandbox: true')
      return createState(checkValue(apiKeySchema, key, 'sandbox'))
    },
    subscribe(listener) {
      if (typeof listener !== 'function') throw new UsageError(`subscribe: expected a function, got ${describeValue(listener)}`)
      // For this listener, delayed requests begin now.
      for (const [, { sandbox, requestLog }] of worlds.all()) {
        for (const row of requestLog.listWaiting()) {
          events.tell(listener, { type: 'begin', sandbox, row: showRow(row, sandbox) })
        }
      }
      return events.subscribe(listener)
    },
  }
  const report =
    (type: 'begin' | 'request') =>
    (row: KeptRequest, { world: { sandbox } }: Recorder) => {
      if (events.hasListeners) events.publish({ type, sandbox, row: showRow(row, sandbox) })
    }
  return { control, onBegin: report('begin'), onEnd: report('request') }
}

/** The input, if all of it is known and right; otherwise a UsageError that names every problem, with the near name. */
function readInput({ input = {}, required = [] }: ControlRow, given: Input): Input {
  const entries = Object.entries(withoutUndefined(given))
  const values = Object.fromEntries(entries.map(([name, value]) => [name, readTyped(input[name], value)]))
  refuse(findViolations({ type: 'object', additionalProperties: false, properties: input, required }, values))
  return values
}

/** A query has only texts, and agents mix texts and numbers up. */
function readTyped({ type }: Schema = {}, value: unknown): unknown {
  if (type === 'string' && typeof value === 'number') return String(value)
  if (typeof value !== 'string') return value
  if (type === 'integer') return parseInt64(value) ?? value
  return type === 'boolean' && (value === 'true' || value === 'false') ? value === 'true' : value
}

function unwrap(outcome: Outcome | Promise<Outcome>): unknown {
  return outcome instanceof Promise ? outcome.then(unwrap) : outcome.result
}

/** If there is no room, the service answers a client with 507; a tester gets a UsageError. */
function orTooMuch<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof FullError ? new UsageError(error.message, 507) : error
  }
}
