// Calls a control method and makes the next state that it gives the present one, with a row.
import { MAX_NOTE_CHARACTERS } from '../contract/limits.ts'
import { cutText, isPromise, withoutUndefined } from '../contract/values.ts'
import { readClock } from '../world/clock.ts'
import { compareStates, type Difference } from '../world/difference.ts'
import { createChange, type KeptChange } from '../world/kept-row.ts'
import type { ChangeRow } from '../world/row.ts'
import { showRow } from '../world/show-row.ts'
import { checkCall } from './check-call.ts'
import type { ControlMethod, Result } from './control.ts'
import { describeChange } from './describe-differences.ts'
import { diffStates } from './diff-states.ts'
import type { Events } from './events.ts'
import type { Input } from './method-row.ts'
import { methods } from './methods.ts'
import { meansAllSandboxes } from './protocol.ts'
import { summarize } from './show-state.ts'
import { type Changed, type Found, type Later, type Missing, type View, viewOf } from './view.ts'

/** One function for each row of the table. */
export type Functions = Readonly<
  Record<ControlMethod, (view: View, input: never) => Found | Changed | Later | Missing>
>

interface Dependencies extends Pick<View, 'worlds' | 'sandboxes' | 'imagine' | 'player'> {
  readonly publish: Events['publish']
  /** A row of the timeline is complete. */
  readonly onRow: ((id: number) => void) | undefined
}

/** Calls a method for the sandbox of a key, or for the shared state. */
export type Caller = (
  sandbox: string | undefined,
  name: ControlMethod,
  input?: Input,
) => Result | Promise<Result>

export function createCaller(functions: Functions, dependencies: Dependencies): Caller {
  const { worlds } = dependencies

  return function call(sandbox, name, given = {}) {
    const input = checkCall(name, given)
    const row = methods[name]
    const key = row.isGlobal ? undefined : sandbox
    const look = () => viewOf(dependencies, worlds.peek(key))
    const view = look()
    const outcome = functions[name](view, input as never)
    if (outcome.kind === 'found') {
      outcome.apply?.()
      return outcome.found
    }
    if (outcome.kind === 'missing') return { result: false }
    // The state may have changed meanwhile.
    if (outcome.kind === 'later') {
      return outcome.change.then((change) => {
        const later = look()
        return commit(name, change(later), later, dependencies)
      })
    }
    const result = commit(name, outcome, view, dependencies)
    const isForAll = row.isWrite && row.hasAll && meansAllSandboxes(input.sandbox)
    if (isForAll) {
      for (const world of worlds.all()) {
        if (world !== view.world) call(world.sandbox ?? undefined, name)
      }
    }
    return result
  }
}

/** The next state becomes the present one, with a row for what differs; no row if nothing does. */
function commit(
  name: ControlMethod,
  changed: Changed,
  view: View,
  dependencies: Dependencies,
): Result {
  const { worlds } = view
  const { state: next, result } = changed
  if (changed.worlds) worlds.replaceBy(changed.worlds)
  changed.apply?.()
  const world = changed.worlds ? worlds.of() : view.world
  world.checkRoom(next)
  const differences = changed.isWhole ? [] : compareStates(view.state, next)
  const after = { ...view, state: next, now: readClock(next.clock, worlds.times) }
  const text = changed.text ?? describeChange(diffStates(after, view, differences))
  // Any write starts a sandbox here. For people, `checkSandbox` is stricter, and says why.
  worlds.keep(world)
  if (text === '') return { result }
  const change = describeRow(name, changed, text, differences, view)
  world.advance(change, next)
  const row = showRow(change, world.sandbox) as ChangeRow
  dependencies.publish({ type: 'change', sandbox: world.sandbox, row })
  dependencies.onRow?.(row.id)
  if (row.isWhole) world.waiting.dropHeld(row.text)
  switch (methods[name].returns) {
    case 'summary':
      return { result: summarize(after), row: row.id }
    case 'row':
      return { result: row, row: row.id }
    default:
      return { result, row: row.id }
  }
}

function describeRow(
  name: ControlMethod,
  changed: Changed,
  text: string,
  differences: readonly Difference[],
  view: View,
): KeptChange {
  const { undoes, isUndo, isWhole, backTo } = changed
  const items = differences.map((one) => ({ kind: one.kind, id: String(one.id) }))
  return createChange({
    ...withoutUndefined({ undoes, isUndo, isWhole, backTo }),
    subject: changed.subject ?? text,
    changed: changed.changed ?? items,
    // Before the change, which may turn the clock.
    at: changed.at ?? view.now,
    realAt: view.worlds.times.real(),
    method: name,
    text: cutText(text, MAX_NOTE_CHARACTERS),
  })
}

/** The result alone, which may be a promise. */
export function readResult(result: Result | Promise<Result>): unknown {
  return isPromise(result) ? result.then((one) => one.result) : result.result
}
