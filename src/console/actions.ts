// What you do to the mock, and what the bar says about it: one handler turns errors into messages, and one offers to undo.
import { signal } from '@preact/signals'
import { ControlError } from '../client/client.ts'
import type { LiveFault } from '../world/faults.ts'
import { control, retry } from './connection.ts'
import { count } from './text.ts'

/** Makes one change, and resolves to what to say about it. */
type Step = () => Promise<string>

/** Shows what the mock refused, and why. */
export type OnProblem = (text: string) => void

/** A line in the bar. */
interface Notice {
  readonly text: string
  readonly kind: 'done' | 'problem'
  readonly undo?: Step | undefined
}

const NOTICE_MS = 8_000
const UNDO_MS = 30_000

export const notice = signal<Notice | undefined>(undefined)
let noticeTimer: ReturnType<typeof setTimeout> | undefined

/** Shows a message; a problem stays until it is dismissed. */
export function notify(text: string, kind: Notice['kind'] = 'done', takeBack?: Step): void {
  clearTimeout(noticeTimer)
  notice.value = { text, kind, undo: takeBack }
  if (kind === 'done') noticeTimer = setTimeout(dismiss, takeBack ? UNDO_MS : NOTICE_MS)
}

export function dismiss(): void {
  notice.value = undefined
}

/**
 * Runs what you asked for and reports what the mock refuses: in the bar, or where `onProblem` shows it. The last message goes, and with it
 * its undo, which would take this change back as well.
 */
export async function attempt<T>(run: () => Promise<T>, onProblem: OnProblem = (text) => notify(text, 'problem')): Promise<T | undefined> {
  dismiss()
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ControlError)) throw error
    // The bar says when the mock does not respond.
    if (error.status === 0) retry()
    else onProblem(error.message)
    return undefined
  }
}

interface ChangeOptions {
  /** Offered beside the message. */
  readonly takeBack?: Step
  readonly onProblem?: OnProblem | undefined
}

/** Makes a change and says so. Resolves to whether it was made. */
export async function change(step: Step, { takeBack, onProblem }: ChangeOptions = {}): Promise<boolean> {
  const text = await attempt(step, onProblem)
  if (text !== undefined) notify(text, 'done', takeBack)
  return text !== undefined
}

/** Does what the message offers. */
export async function undo(): Promise<void> {
  const takeBack = notice.value?.undo
  if (takeBack) await change(takeBack)
}

/** An undo has no meaning in another state. */
export function dropUndo(): void {
  if (notice.value?.undo) dismiss()
}

export function removeFaults(removed: readonly LiveFault[]): Promise<boolean> {
  const { faults } = control()
  const what = removed.length === 1 ? `fault ${removed[0]?.id}` : count(removed.length, 'fault')
  const remove = async () => {
    for (const { id } of removed) await faults.remove(id)
    return `Removed ${what}`
  }
  const putBack = async () => {
    for (const fault of removed) await faults.add(fault)
    return `Put back ${what}`
  }
  return change(remove, { takeBack: putBack })
}

export function assume(question: string, choice: string): Promise<unknown> {
  return attempt(() => control().assume({ [question]: choice }))
}

export function setRealTime(): Promise<unknown> {
  return attempt(() => control().clock.set(null))
}
