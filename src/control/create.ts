// Builds the control over the worlds of a mock. Every method, called with positional arguments here, over HTTP or by an agent, goes
// through `call`: it checks the input by the table, applies the method, adds a row for what it changed, and reports that.
import { describeValue, withoutUndefined } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { addHint } from '../contract/hint.ts'
import { parseInt64 } from '../contract/int64-json.ts'
import { checkValue, findViolations, type Schema } from '../contract/schema.ts'
import { scenarioList } from '../generated/scenario-list.ts'
import type { Recorder } from '../service/recorder.ts'
import { showRow } from '../service/show-row.ts'
import { apiKeySchema } from '../settings/rows.ts'
import { FullError } from '../world/catalogue.ts'
import { compareStates } from '../world/difference.ts'
import { cutLine, type KeptChange, type KeptRequest } from '../world/row.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Control, ControlMethod, MockEvent, Outcome, StateControl } from './control.ts'
import { describeChange } from './describe-change.ts'
import type { Events } from './events.ts'
import { type ControlRow, methods, nameArguments } from './methods.ts'
import { petMethods } from './pets.ts'
import { stateMethods } from './state.ts'
import { timelineMethods } from './timeline.ts'
import { type Changed, type Imagine, type Later, nowIn, Printable, type View } from './view.ts'
import { countOutcomes, whatIf } from './what-if.ts'

type Listener = (row: KeptRequest, recorder: Recorder) => void
type Input = Readonly<Record<string, unknown>>

/** What a host does that stores its states, whose mocks have one sandbox each or none. */
export interface ControlHost {
  /** A row of the timeline is complete. Cheaper than events: nothing is built for it. */
  onRow?(id: number): void
  /** The key of its only sandbox, which then also gets the requests whose key it refuses. */
  readonly home?: string | undefined
  /** The sandboxes of all its mocks, by default those of this one. */
  readonly sandboxes?: View['sandboxes']
}

/** The control, and the callbacks with which the service reports requests. */
export function createControl(
  worlds: Worlds,
  events: Events<MockEvent>,
  coverage: Control['coverage'],
  imagine: Imagine,
  { onRow = () => {}, sandboxes = worlds }: ControlHost = {},
): {
  control: Control
  onBegin: Listener
  onEnd: Listener
} {
  /** One function for each row of the table. Made here, so that a bundler can leave all of them out. */
  const functions: { readonly [Name in ControlMethod]: (view: View, input: never) => unknown } = {
    ...stateMethods,
    ...petMethods,
    ...timelineMethods,
    whatIf,
    coverage: (view: View, { outcomes }: { outcomes?: boolean }) => ({
      ...view.coverage(),
      ...(outcomes && { outcomes: countOutcomes(view) }),
    }),
    scenarios: () => structuredClone(scenarioList),
    sandboxes: ({ sandboxes }: View) => sandboxes.keys(),
  }
  const { times } = worlds
  const look = (key: string | undefined): View => {
    const world = worlds.peek(key)
    return { key, world, state: world.state, times, worlds, sandboxes, coverage, imagine }
  }

  /** Calls a method of the table with its arguments by name. */
  function call(key: string | undefined, name: ControlMethod, given: Input): Outcome | Promise<Outcome> {
    const row = methods[name]
    const input = readInput(row, given) as never
    const view = look(key)
    const result = orTooMuch(() => functions[name](view, input))
    if (row.kind === 'reads') return { result, row: undefined }
    const finish = (changed: Changed, here: View) => orTooMuch(() => commit(name, changed, here))
    // What it needs has been fetched meanwhile.
    if (result instanceof Promise) return (result as Later).then((run) => finish(run(look(key)), look(key)))
    return finish(result as Changed, view)
  }

  /** The next state becomes the present one, with a row for what differs; no row if nothing does. */
  function commit(name: ControlMethod, changed: Changed, { key, world, state }: View): Outcome {
    const { kind, returns } = methods[name]
    const isWhole = changed.isWhole ?? kind === 'replaces'
    world.checkRoom(changed.state)
    const differences = isWhole ? [] : compareStates(state, changed.state)
    const { result, text = describeChange(differences), undoes = null, isUndo = false, subject = text } = changed
    if (result !== false) worlds.keep(key, world)
    if (!isWhole && differences.length === 0 && changed.text === undefined) return { result, row: undefined }
    const change: KeptChange = {
      type: 'change',
      id: 0,
      before: undefined,
      // Before it: a change may turn the clock.
      at: nowIn(state, times),
      realAt: times.real(),
      method: name,
      changed: differences.map(({ kind: of, id }) => ({ kind: of, id: String(id) })),
      text: cutLine(text),
      undoes,
      isUndo,
      isUndone: false,
      canUndo: false,
      subject,
      ...(changed.backTo !== undefined && { backTo: changed.backTo }),
      isWhole,
      startsAgain: kind === 'replaces',
    }
    world.advance(change, changed.state)
    const row = showRow(change, world.sandbox)
    events.publish({ type: 'change', sandbox: key ?? null, row })
    onRow(row.id)
    const shown = kind === 'replaces' ? functions.summary(look(key), undefined as never) : result
    return { result: returns === 'row' ? row : shown, row: row.id }
  }

  /** With `sandbox: '*'`, what is cleared is cleared everywhere. */
  function callAll(key: string | undefined, name: ControlMethod, input: Input): Outcome | Promise<Outcome> {
    const outcome = call(key, name, input)
    if (name !== 'clearRequests' || input.sandbox === undefined) return outcome
    for (const [other] of worlds.all()) if (other !== key) call(other, name, {})
    return outcome
  }

  function createState(key?: string): StateControl {
    const state: Record<string, unknown> = { call: (name: ControlMethod, input: Input = {}) => callAll(key, checkName(name), input) }
    for (const [name, row] of Object.entries(methods) as [ControlMethod, ControlRow][]) {
      if (row.isGlobal && key !== undefined) continue
      const [first, second] = name.split('.') as [string, string?]
      const run = (...args: readonly unknown[]) => unwrap(callAll(key, name, nameArguments(row, args)))
      state[first] = second === undefined ? run : { ...(state[first] as object | undefined), [second]: run }
    }
    return state as unknown as StateControl
  }

  worlds.watch((key) => events.publish({ type: 'sandbox', sandbox: key }))
  const control: Control = {
    ...(createState() as Control),
    sandbox(key) {
      if (!worlds.hasSandboxes) throw new UsageError('sandboxes are off; start the mock with --sandbox, or sandbox: true')
      checkValue(apiKeySchema, key, 'sandbox')
      return createState(key)
    },
    subscribe(listener) {
      if (typeof listener !== 'function') throw new UsageError(`subscribe: expected a function, got ${describeValue(listener)}`)
      // For this listener, delayed requests begin now.
      for (const [, { sandbox, requestLog }] of worlds.all()) {
        for (const row of requestLog.listWaiting()) events.tell(listener, { type: 'begin', sandbox, row: showRow(row, sandbox) })
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

function checkName(name: ControlMethod): ControlMethod {
  return checkValue({ enum: Object.keys(methods) }, name, 'method')
}

/** The input, if all of it is known and right; otherwise a UsageError that names every problem, with the near name. */
function readInput({ input = {}, required = [] }: ControlRow, given: Input): Input {
  const values = Object.fromEntries(Object.entries(withoutUndefined(given)).map(([name, value]) => [name, readTyped(input[name], value)]))
  const schema: Schema = { type: 'object', additionalProperties: false, properties: input, required }
  const problems = findViolations(schema, values)
  if (problems.length > 0) throw new UsageError(problems.map(addHint))
  return values
}

/** A query has only texts, and agents mix texts and numbers up. */
function readTyped(schema: Schema | undefined, value: unknown): unknown {
  if (schema?.type === 'string' && typeof value === 'number') return String(value)
  if (typeof value !== 'string') return value
  if (schema?.type === 'integer') return parseInt64(value) ?? value
  return schema?.type === 'boolean' && (value === 'true' || value === 'false') ? value === 'true' : value
}

function unwrap(outcome: Outcome | Promise<Outcome>): unknown {
  if (outcome instanceof Promise) return outcome.then(unwrap)
  const { result } = outcome
  return result instanceof Printable ? result.value() : result
}

/** That there is no room is the service's answer to a client; to a tester it is a UsageError. */
function orTooMuch<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof FullError ? new UsageError(error.message, 507) : error
  }
}
