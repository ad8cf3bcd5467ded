// What you do to the mock, and what the page says about it. Undo is about the rows that were made from here, each in its sandbox.
import { type ControlClient, ControlError } from '../client/client.ts'
import { JsonError } from '../contract/int64-json.ts'
import type { Problem } from '../contract/problem.ts'
import { type ChangeRow, isChange } from '../world/row.ts'
import { control } from './connection.ts'
import { reread } from './mock.ts'
import { dismiss, type Mine, notify } from './notice.ts'
import { currentSandbox } from './route.ts'
import { isSameClick } from './rows.ts'

export type OnProblem = (text: string, reason?: Problem) => void

/** What was made from here and stands, and what was undone since. */
let mines: readonly Mine[] = []
let lastTurn: Promise<unknown> = Promise.resolve()

/** Runs what you asked for and reports what the mock refuses: in a message, or where `onProblem` shows it. */
export async function attempt<T>(run: () => Promise<T>, onProblem: OnProblem = (text) => notify(text, 'problem')): Promise<T | undefined> {
  dismiss()
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ControlError || error instanceof JsonError)) throw error
    // The page says when the mock does not respond.
    if (!('status' in error && error.status === 0)) onProblem(error.message, 'problems' in error ? error.problems[0] : undefined)
    return undefined
  }
}

/** Makes a change, and says what its row says. Resolves to what the mock returned; to undefined if the mock refused. */
export async function change<T>(run: (mock: ControlClient) => Promise<T>, onProblem?: OnProblem, sandbox = currentSandbox()) {
  let row: number | undefined
  const made = await attempt(async () => ({ result: await run(control(sandbox, (id) => (row = id))) }), onProblem)
  const found = row !== undefined && (await readChanges(sandbox)).find(({ id }) => id === row)
  if (!found) return made
  const standing = mines.filter((one) => !one.row.isUndo)
  const last = standing.at(-1)
  const isMore = last !== undefined && isSameClick(last.row, found)
  const mine = { row: found, steps: [found.id, ...(isMore ? last.steps : [])] }
  mines = [...standing.slice(0, isMore ? -1 : undefined), mine]
  await say(mine)
  return made
}

async function readChanges(sandbox: string | null): Promise<ChangeRow[]> {
  return ((await attempt(() => control(sandbox).timeline({ limit: 200 }))) ?? []).filter(isChange)
}

/** Takes changes back, the newest first. Undoing an undo is redo. A refused one stays the next. */
export async function undo(steps: readonly number[], sandbox: string | null): Promise<void> {
  const rows: ChangeRow[] = []
  let [refusal, reason]: Parameters<OnProblem> = ['']
  const run = async () => {
    for (const id of steps) rows.push(await control(sandbox).undo(id))
  }
  await attempt(run, (...problem) => ([refusal, reason] = problem))
  const [row] = rows
  if (!row && refusal === '') return
  const isOther = (one: Mine) => one.row.sandbox !== sandbox || !one.steps.some((id) => steps.includes(id))
  const mine = row && { row, steps: rows.map(({ id }) => id).reverse() }
  if (mine) mines = [...mines.filter(isOther), mine]
  if (mine && refusal === '') return say(mine)
  const blocker = (await readChanges(sandbox)).find(({ id }) => id === reason?.row)
  notify(refusal, 'problem', blocker && { row: blocker, steps: [blocker.id] })
}

/** One click or key after the other: each depends on what the last one did. */
export function takeTurn(run: () => unknown): void {
  lastTurn = lastTurn.then(run, run)
}

export function undoMine(isRedo: boolean): unknown {
  const mine = mines.findLast(({ row }) => row.isUndo === isRedo)
  if (mine) return undo(mine.steps, mine.row.sandbox)
  return notify(`You have nothing to ${isRedo ? 'redo' : 'undo'}`)
}

/** The message comes with the state that it is about. */
async function say(mine: Mine): Promise<void> {
  await reread()
  const { sandbox, text } = mine.row
  notify(text + (sandbox !== null && currentSandbox() === null ? `, in ${sandbox}` : ''), 'done', mine)
}
