// What you do to the mock, and what the page says about it: one handler turns errors into messages, and the row that a change has in the
// timeline is what takes it back.
import { signal } from '@preact/signals'
import { ControlError } from '../client/client.ts'
import type { ChangeRow } from '../world/change.ts'
import type { LiveFault } from '../world/faults.ts'
import { control, retry } from './connection.ts'
import { currentSandbox } from './route.ts'

/** Shows what the mock refused, and why. */
export type OnProblem = (text: string) => void

/** What has just happened. */
interface Notice {
  readonly text: string
  readonly kind: 'done' | 'problem'
  /** The change that can be taken back. */
  readonly row?: ChangeRow | undefined
}

const NOTICE_MS = 8_000
const UNDO_MS = 30_000
/** Requests may come between a change and the question for its row. */
const NEWEST = 20

export const notice = signal<Notice | undefined>(undefined)
let noticeTimer: ReturnType<typeof setTimeout> | undefined

/** Shows a message; a problem stays until it is dismissed. */
export function notify(text: string, kind: Notice['kind'] = 'done', row?: ChangeRow): void {
  clearTimeout(noticeTimer)
  notice.value = { text, kind, row }
  if (kind === 'done') noticeTimer = setTimeout(dismiss, row ? UNDO_MS : NOTICE_MS)
}

export function dismiss(): void {
  notice.value = undefined
}

/** Runs what you asked for and reports what the mock refuses: in a message, or where `onProblem` shows it. */
export async function attempt<T>(run: () => Promise<T>, onProblem: OnProblem = (text) => notify(text, 'problem')): Promise<T | undefined> {
  dismiss()
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ControlError)) throw error
    // The page says when the mock does not respond.
    if (error.status === 0) retry()
    else onProblem(error.message)
    return undefined
  }
}

interface ChangeOptions {
  readonly sandbox?: string | null
  readonly onProblem?: OnProblem | undefined
  /** Said instead of what the row says. */
  readonly text?: string
}

/** Makes a change, and says what its row says. Resolves to whether it was made. */
export async function change(run: () => Promise<unknown>, { sandbox, onProblem, text }: ChangeOptions = {}): Promise<boolean> {
  const [last] = (await attempt(() => control(sandbox).timeline({ limit: 1 }))) ?? []
  const isDone = await attempt(async () => {
    await run()
    return true
  }, onProblem)
  if (!isDone) return false
  const rows = (await attempt(() => control(sandbox).timeline({ limit: NEWEST }))) ?? []
  const row = rows.findLast((one): one is ChangeRow => one.type === 'change' && one.id > (last?.id ?? 0))
  if (row || text) notify(text ?? row?.text ?? '', 'done', row)
  return true
}

/** Takes a change back; without an id, the last one that stands. Undoing an undo is redo. */
export async function undo(id?: number, sandbox: string | null = currentSandbox()): Promise<void> {
  const row = await attempt(() => control(sandbox).undo(id))
  if (row) notify(row.text, 'done', row)
}

/** Goes back to the state before a row. */
export async function rewind(id: number, sandbox: string | null): Promise<void> {
  const row = await attempt(() => control(sandbox).rewind(id))
  if (row) notify(row.text, 'done', row)
}

export function removeFault({ id }: LiveFault): Promise<boolean> {
  return change(() => control().faults.remove(id))
}

export function removeFaults(): Promise<boolean> {
  return change(() => control().faults.clear())
}

export function assume(question: string, choice: string): Promise<boolean> {
  return change(() => control().assume({ [question]: choice }))
}

export function setRealTime(): Promise<boolean> {
  return change(() => control().clock.set(null))
}
