// What you do to the mock, and what the page says about it: one handler turns errors into messages, and the row that a change has in the
// timeline is what takes it back.
import { signal } from '@preact/signals'
import { ControlError } from '../client/client.ts'
import { JsonError } from '../contract/int64-json.ts'
import { type ChangeRow, isChange } from '../world/change.ts'
import { control } from './connection.ts'
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

/** The message that the page shows. */
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
    if (!(error instanceof ControlError || error instanceof JsonError)) throw error
    // The page says when the mock does not respond.
    if (!('status' in error && error.status === 0)) onProblem(error.message)
    return undefined
  }
}

/** Makes a change, and says what its row says. Resolves to whether it was made. */
export async function change(run: () => Promise<unknown>, onProblem?: OnProblem, sandbox = currentSandbox()): Promise<boolean> {
  const made = await attempt(async () => {
    const [last] = await control(sandbox).timeline({ limit: 1 })
    await run()
    const rows = await control(sandbox).timeline({ limit: NEWEST })
    return rows.filter(isChange).findLast(({ id }) => id > (last?.id ?? 0)) ?? 'nothing'
  }, onProblem)
  if (typeof made === 'object') notify(made.text, 'done', made)
  return made !== undefined
}

/** Takes a change back; without an id, the last one that stands. Undoing an undo is redo. */
export async function undo(id?: number, sandbox: string | null = currentSandbox()): Promise<void> {
  const row = await attempt(() => control(sandbox).undo(id))
  if (row) notify(row.text, 'done', row)
}
