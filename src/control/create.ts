// Builds the control over the worlds of a mock. Every method goes through `call`.
import { UsageError } from '../contract/errors.ts'
import { MAX_NOTE_CHARACTERS } from '../contract/limits.ts'
import { checkValue, FUNCTION } from '../contract/options.ts'
import { cutText, isPromise } from '../contract/values.ts'
import { scenarioList } from '../scenario/generated/scenario-list.ts'
import { apiKeySchema } from '../scenario/settings/rows.ts'
import { readClock } from '../world/clock.ts'
import { compareStates } from '../world/difference.ts'
import { createChange } from '../world/kept-row.ts'
import { showRow } from '../world/show-row.ts'
import type { Worlds } from '../world/worlds.ts'
import { checkCall } from './check-call.ts'
import type { Control, ControlMethod, Result } from './control.ts'
import { createFunctions } from './create-functions.ts'
import { describeChange } from './differences.ts'
import type { Events } from './events.ts'
import type { Input } from './method-row.ts'
import { methods } from './methods.ts'
import { petMethods } from './pets.ts'
import { diffStates, stateMethods } from './state.ts'
import { type Changed, type Found, type Later, timelineMethods, type View } from './timeline.ts'
import { countOutcomes, whatIf } from './what-if.ts'

/** What a host provides that stores its states; each of its mocks has one sandbox or none. */
export interface ControlHost extends Partial<Pick<View, 'sandboxes'>> {
  /** A row of the timeline is complete. Cheaper than events: nothing is built for it. */
  onRow?(id: number): void
  /** The key of its only sandbox, which then also gets the requests whose key it refuses. */
  readonly home?: string | undefined
}

type Functions = Readonly<
  Record<ControlMethod, (view: View, input: never) => Found | Changed | Later>
>
type Around = Pick<View, 'worlds' | 'sandboxes' | 'imagine'>
type Sources = Pick<View, 'imagine'> & Pick<Control, 'coverage'> & { readonly events: Events }

export function createControl(
  worlds: Worlds,
  { coverage, imagine, events }: Sources,
  host: ControlHost = {},
): Control {
  /**
   * One function for each row of the table. Made here, so that a bundler can leave all of them out.
   */
  const functions: Functions = {
    ...stateMethods,
    ...petMethods,
    ...timelineMethods,
    whatIf,
    coverage: (view: View, { outcomes }: { outcomes?: boolean }) => ({
      result: { ...coverage(), ...(outcomes && { outcomes: countOutcomes(view) }) },
    }),
    scenarios: () => ({ result: structuredClone(scenarioList) }),
    sandboxes: ({ sandboxes }) => ({ result: sandboxes.keys() }),
  }
  const call = createCaller(
    functions,
    { worlds, sandboxes: host.sandboxes ?? worlds, imagine },
    events,
    host.onRow,
  )
  const createState = (key?: string) => {
    const bound = createFunctions(
      (name, input) => unwrap(call(key, name, input())),
      key === undefined,
    )
    return { ...bound, call: (name, input) => call(key, name, input) } as Control
  }
  worlds.watch((key) => events.publish({ type: 'sandbox', sandbox: key }))
  return {
    ...createState(),
    sandbox(key) {
      if (worlds.hasSandboxes) return createState(checkValue(apiKeySchema, key, 'sandbox'))
      throw new UsageError('sandboxes are off; start the mock with --sandbox, or sandbox: true')
    },
    subscribe: (listener) => events.subscribe(checkValue(FUNCTION, listener, 'listener')),
  }
}

function createCaller(
  functions: Functions,
  around: Around,
  { publish }: Events,
  onRow: ControlHost['onRow'],
) {
  const { worlds } = around
  const { times } = worlds
  const look = (key: string | undefined): View => {
    const world = worlds.peek(key)
    return { ...around, world, state: world.state, now: readClock(world.state.clock, times) }
  }

  function call(
    sandbox: string | undefined,
    name: ControlMethod,
    given: Input = {},
  ): Result | Promise<Result> {
    const input = checkCall(name, given)
    const { isGlobal, isWrite, hasAll } = methods[name]
    const key = isGlobal ? undefined : sandbox
    const view = look(key)
    const found = functions[name](view, input as never)
    // The state may have changed meanwhile, and a recording that is opened replaces the world too.
    if (isPromise(found)) return found.then((change) => commit(name, change(look(key)), look(key)))
    const made = 'state' in found ? commit(name, found, view) : found
    const others = isWrite && hasAll && input.sandbox ? worlds.all() : []
    for (const one of others) if (one !== view.world) call(one.sandbox ?? undefined, name)
    return made
  }

  /**
   * The next state becomes the present one, with a row for what differs; no row if nothing does.
   */
  function commit(
    name: ControlMethod,
    { state: next, result, ...said }: Changed,
    view: View,
  ): Result {
    const { world, state, now } = view
    world.checkRoom(next)
    const differences = said.isWhole ? [] : compareStates(state, next)
    const after = { state: next, now: readClock(next.clock, times) }
    const { text = describeChange(diffStates(after, { state, now }, differences)) } = said
    // Any write starts a sandbox here. For people, `checkSandbox` is stricter, and says why.
    if (result !== false) worlds.keep(world)
    if (text === '') return { result }
    const changed = differences.map(({ kind, id }) => ({ kind, id: String(id) }))
    // `now` is before it: a change may turn the clock.
    const head = {
      at: now,
      realAt: times.real(),
      method: name,
      text: cutText(text, MAX_NOTE_CHARACTERS),
    }
    const change = createChange({ subject: text, changed, ...said, ...head })
    world.advance(change, next)
    const row = showRow(change, world.sandbox)
    publish({ type: 'change', sandbox: world.sandbox, row })
    onRow?.(row.id)
    const { returns } = methods[name]
    if (returns === 'summary')
      return { ...stateMethods.summary({ ...view, ...after }), row: row.id }
    return { result: returns === 'row' ? row : result, row: row.id }
  }

  return call
}

const unwrap = (made: Result | Promise<Result>): unknown =>
  isPromise(made) ? made.then(unwrap) : made.result
