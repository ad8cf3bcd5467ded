// What you do to the mock, and what the page says about it. Undo is about the rows that were made from here, each in its sandbox.
import { type ControlClient, ControlError } from '../client/client.ts'
import type { Problem } from '../contract/problem.ts'
import type { ChangeRow } from '../world/row.ts'
import { control } from './connection.ts'
import { reread } from './mock.ts'
import { dismiss, notify } from './notice.ts'
import { currentSandbox } from './route.ts'

export type OnProblem = (text: string, reasons?: readonly Problem[]) => void

/** What was made from here and stands, and what was undone since. */
let mines: readonly ChangeRow[] = []
let lastTurn: Promise<unknown> = Promise.resolve()

/** Runs what you asked for and reports what the mock refuses: in a message, or where `onProblem` shows it. */
export async function attempt<T>(run: () => Promise<T>, onProblem: OnProblem = (text) => notify(text, 'problem')): Promise<T | undefined> {
  dismiss()
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ControlError)) throw error
    // The page says when the mock does not respond.
    if (error.status !== 0) onProblem(error.message, error.problems)
    return undefined
  }
}

/** Resolves to what the mock returned, undefined if it refused; to the rows that were made, and to all of the last changes. */
async function make<T>(run: (mock: ControlClient) => Promise<T>, sandbox: string | null, onProblem?: OnProblem) {
  const ids: number[] = []
  const made = await attempt(async () => ({ result: await run(control(sandbox, (id) => ids.push(id))) }), onProblem)
  const changes = await reread(sandbox)
  return { made, changes, rows: changes.filter(({ id }) => ids.includes(id)) }
}

/** Makes a change, and says what its row says. Resolves to what the mock returned; to undefined if the mock refused. */
export async function change<T>(run: (mock: ControlClient) => Promise<T>, onProblem?: OnProblem, sandbox = currentSandbox()) {
  const { made, rows } = await make(run, sandbox, onProblem)
  const row = rows.at(-1)
  if (!row) return made
  mines = [...mines.filter(({ isUndo }) => !isUndo), row]
  say(row)
  return made
}

/** Takes a change back. Undoing an undo is redo. A refused one stays the next. */
export async function undo(id: number, sandbox: string | null): Promise<void> {
  let [refusal, reasons]: Parameters<OnProblem> = ['']
  const refuse: OnProblem = (...problem) => ([refusal, reasons] = problem)
  const { rows, changes } = await make((mock) => mock.undo(id), sandbox, refuse)
  const [row] = rows
  if (row) mines = [...mines.filter((one) => one.sandbox !== sandbox || one.id !== id), row]
  const blocker = changes.find((one) => one.id === reasons?.[0]?.row)
  if (refusal !== '') notify(refusal, 'problem', blocker)
  else if (row) say(row)
}

/** One click or key after the other: each depends on what the last one did. */
export const takeTurn = (run: () => unknown): unknown => (lastTurn = lastTurn.then(run, run))

export function undoMine(isRedo: boolean): unknown {
  const mine = mines.findLast(({ isUndo }) => isUndo === isRedo)
  if (mine) return undo(mine.id, mine.sandbox)
  return notify(`You have nothing to ${isRedo ? 'redo' : 'undo'}`)
}

function say(row: ChangeRow): void {
  const { sandbox, text } = row
  notify(text + (sandbox !== null && currentSandbox() === null ? `, in ${sandbox}` : ''), 'done', row)
}
