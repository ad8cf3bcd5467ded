// What you do to the mock, and what the page says about it. Undo takes back rows that were made
// from here.

import { UsageError } from '../../contract/errors.ts'
import type { Problem } from '../../contract/problem.ts'
import type { ControlClient } from '../../control/client/client.ts'
import { type Ask, control } from './connection.ts'
import { reread } from './mock.ts'
import { dismiss, notify, type Undoable } from './notice.ts'
import { currentSandbox } from './route.ts'
import { isSameClick } from './rows.ts'

export type OnProblem = (text: string, reasons?: readonly Problem[]) => void
const sayProblem: OnProblem = (text) => notify(text, 'problem')

/** What was made from here and stands, and what was undone since. */
let own: readonly Undoable[] = []
let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Runs what you asked for and reports what the mock refuses: in a message, or where `onProblem`
 * shows it.
 */
export async function attempt<T>(
  run: () => Promise<T>,
  onProblem = sayProblem,
): Promise<T | undefined> {
  dismiss()
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    // The page says when the mock does not respond.
    if (error.status !== 0) onProblem(error.message, error.problems)
  }
}

/**
 * Resolves to what the mock returned (undefined: it refused), to its rows, and to all of the last
 * changes.
 */
async function make<T>(run: Ask<T>, sandbox: string | null, onProblem?: OnProblem) {
  const ids: number[] = []
  const made = await attempt(
    async () => ({ result: await run(control(sandbox, (id) => ids.push(id))) }),
    onProblem,
  )
  const changes = await reread(sandbox)
  return { made, changes, rows: changes.filter(({ id }) => ids.includes(id)) }
}

/**
 * Makes a change, and says what its row says. Resolves to what the mock returned; to undefined if
 * the mock refused.
 */
export async function change<T>(run: Ask<T>, onProblem?: OnProblem, sandbox = currentSandbox()) {
  const { made, rows } = await make(run, sandbox, onProblem)
  const row = rows.at(-1)
  if (!row) return made
  const standing = own.filter((one) => !one.row.isUndo)
  const grown = standing.slice(-1).find((one) => isSameClick(one.row, row))
  const undoable = { row, steps: [row.id, ...(grown?.steps ?? [])] }
  own = [...standing.filter((one) => one !== grown), undoable]
  sayOwn(undoable)
  return made
}

/** Takes changes back, the newest first. Undoing an undo is redo. A refused one stays the next. */
export async function undo(steps: readonly number[], sandbox: string | null): Promise<void> {
  let [refusal, reasons]: Parameters<OnProblem> = ['']
  const run = async (mock: ControlClient) => {
    for (const id of steps) await mock.undo(id)
  }
  const { rows, changes } = await make(run, sandbox, (...problem) => ([refusal, reasons] = problem))
  const [row] = rows
  const isOther = (one: Undoable) =>
    one.row.sandbox !== sandbox || !one.steps.some((id) => steps.includes(id))
  const undoable = row && { row, steps: rows.map(({ id }) => id).reverse() }
  if (undoable) own = [...own.filter(isOther), undoable]
  const blocker = changes.find(({ id }) => id === reasons?.[0]?.row)
  if (refusal !== '') notify(refusal, 'problem', blocker && { row: blocker, steps: [blocker.id] })
  else if (undoable) sayOwn(undoable)
}

/** One click or key after the other: each depends on what the last one did. */
export const takeTurn = (run: () => unknown): unknown => (lastTurn = lastTurn.then(run, run))

export function undoOwn(isRedo: boolean): unknown {
  const undoable = own.findLast(({ row }) => row.isUndo === isRedo)
  if (undoable) return undo(undoable.steps, undoable.row.sandbox)
  return notify(`Nothing to ${isRedo ? 'redo' : 'undo'}; see the timeline`)
}

function sayOwn(undoable: Undoable): void {
  const { sandbox, text } = undoable.row
  notify(
    text + (sandbox !== null && currentSandbox() === null ? `, in ${sandbox}` : ''),
    'done',
    undoable,
  )
}
