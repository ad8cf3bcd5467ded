// What you do to the mock, and what the page says about it. Undo takes back rows that were made
// from here.
import { UsageError } from '../../contract/errors.ts'
import type { Problem } from '../../contract/problem.ts'
import type { ControlClient } from '../../control/client/client.ts'
import { isSameClick } from './arrange.ts'
import { type Ask, control } from './connection.ts'
import { read, readUnsupposed } from './mock.ts'
import { currentMoment, leaveMoment, type Moment, suppose } from './moment.ts'
import { dismiss, notify, type Undoable } from './notice.ts'
import { reread } from './resources.ts'
import { currentSandbox } from './route.ts'
import { createSupposer } from './suppose.ts'

export type OnProblem = (text: string, reasons?: readonly Problem[]) => void

type ChangeOptions = {
  /** Shows what the mock refuses, instead of a message. */
  readonly onProblem?: OnProblem
  /** By default the sandbox of the page. */
  readonly sandbox?: string | null
}

/** The changes made from here that stand, and those that were undone since. */
let own: readonly Undoable[] = []
let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Runs what you asked for and reports what the mock refuses: in a message, or where `onProblem`
 * shows it.
 */
export async function attempt<T>(
  run: () => Promise<T>,
  onProblem: OnProblem = (text) => notify(text, 'problem'),
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

/** Resolves to what the mock returned (undefined: it refused), its rows, and all last changes. */
async function make<T>(run: Ask<T>, sandbox: string | null, onProblem?: OnProblem) {
  const ids: number[] = []
  const mock = control(sandbox, (id) => ids.push(id))
  const made = await attempt(async () => ({ result: await run(mock) }), onProblem)
  const changes = await reread(sandbox)
  return { made, changes, rows: changes.filter((row) => ids.includes(row.id)) }
}

/**
 * Makes a change, and says what its row says. Resolves to what the mock returned; to undefined if
 * the mock refused.
 */
export async function change<T>(run: Ask<T>, options: ChangeOptions = {}) {
  const { onProblem, sandbox = currentSandbox() } = options
  const moment = currentMoment()
  if (moment) return supposeAt(moment, run, onProblem)
  return changeNow(run, sandbox, onProblem)
}

/** What you suppose, or the moment itself, becomes the present. */
export async function makeReal(run: Ask<unknown>): Promise<void> {
  const made = await changeNow(run, currentSandbox())
  if (made) leaveMoment()
}

async function changeNow<T>(run: Ask<T>, sandbox: string | null, onProblem?: OnProblem) {
  const { made, rows } = await make(run, sandbox, onProblem)
  const row = rows.at(-1)
  if (!row) return made
  const standing = own.filter((one) => !one.row.isUndo)
  const last = standing.at(-1)
  if (last && isSameClick(last.row, row)) {
    // Both are undone together.
    own = [...standing.slice(0, -1), { row, steps: [row.id, ...last.steps] }]
  } else own = [...standing, { row, steps: [row.id] }]
  sayOwn()
  return made
}

/** At a moment before now nothing is changed: you ask what would have been. */
async function supposeAt<T>(moment: Moment, run: Ask<T>, onProblem?: OnProblem) {
  const faults = readUnsupposed('faults', moment.before) ?? []
  const now = read('clock')?.now ?? new Date().toISOString()
  const supposer = createSupposer({ faults, now }, moment.change ?? {})
  const made = await attempt(async () => ({ result: await run(supposer.mock) }), onProblem)
  if (made) suppose(supposer.readChange())
  return made
}

/** Takes changes back, the newest first. Undoing an undo is redo. A refused one stays the next. */
export async function undo(steps: readonly number[], sandbox: string | null): Promise<void> {
  let refusal = ''
  let blockerId: number | undefined
  const onProblem: OnProblem = (text, reasons) => {
    refusal = text
    blockerId = reasons?.[0]?.row
  }
  const run = async (mock: ControlClient) => {
    for (const id of steps) await mock.undo(id)
  }
  const { rows, changes } = await make(run, sandbox, onProblem)
  const [row] = rows
  if (row) {
    const isUndone = (one: Undoable) =>
      one.row.sandbox === sandbox && one.steps.some((id) => steps.includes(id))
    const undoable = { row, steps: rows.map((one) => one.id).reverse() }
    own = [...own.filter((one) => !isUndone(one)), undoable]
  }
  if (refusal !== '') {
    const blocker = changes.find((one) => one.id === blockerId)
    notify(refusal, 'problem', blocker && { row: blocker, steps: [blocker.id] })
  } else if (row) sayOwn()
}

/** One click or key after the other: each depends on what the last one did. */
export function takeTurn(run: () => unknown): void {
  lastTurn = lastTurn.then(run, run)
}

export function undoOwn(isRedo: boolean): unknown {
  const undoable = own.findLast((one) => one.row.isUndo === isRedo)
  if (undoable) return undo(undoable.steps, undoable.row.sandbox)
  return notify(`Nothing to ${isRedo ? 'redo' : 'undo'}; see the timeline`)
}

/** Says what was done last. */
function sayOwn(): void {
  const undoable = own.at(-1) as Undoable
  const { sandbox, text } = undoable.row
  const isElsewhere = sandbox !== null && currentSandbox() === null
  notify(isElsewhere ? `${text}, in ${sandbox}` : text, 'done', undoable)
}
