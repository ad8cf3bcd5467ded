// What you do to the mock, and what the bar says about it: one handler turns errors into messages, and one offers to undo.
import { signal } from '@preact/signals'
import { type ControlClient, ControlError } from '../client/client.ts'
import type { StateSummary } from '../control/control.ts'
import type { ScenarioName } from '../generated/scenarios.ts'
import type { LiveFault } from '../world/faults.ts'
import { control, retry } from './connection.ts'
import { count } from './text.ts'

/** Makes one change, and resolves to what to say about it. */
type Step = () => Promise<string>

/** A line in the bar. */
interface Notice {
  readonly text: string
  readonly kind: 'done' | 'problem'
  readonly undo?: Step | undefined
}

const NOTICE_MS = 8_000
const UNDO_MS = 30_000
/** A larger state is not kept for undo. */
const MAX_UNDO_PETS = 20_000

export const notice = signal<Notice | undefined>(undefined)
let noticeTimer: ReturnType<typeof setTimeout> | undefined

/** Shows a message; a problem stays until it is dismissed. */
export function say(text: string, kind: Notice['kind'] = 'done', takeBack?: Step): void {
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
export async function act<T>(run: () => Promise<T>, onProblem = (text: string) => say(text, 'problem')): Promise<T | undefined> {
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

/** Makes a change and offers to undo it. Resolves to whether it was made. */
export async function change(step: Step, takeBack?: Step, onProblem?: (text: string) => void): Promise<boolean> {
  const text = await act(step, onProblem)
  if (text !== undefined) say(text, 'done', takeBack)
  return text !== undefined
}

/** Does what the message offers. */
export async function undo(): Promise<void> {
  const takeBack = notice.value?.undo
  if (takeBack) await change(takeBack)
}

/** Replaces the whole state, and keeps the one before for undo. */
export async function replaceState(mock: ControlClient, verb: string, replace: () => Promise<StateSummary>): Promise<void> {
  const describe = (did: string, { scenario, pets }: StateSummary) =>
    `${did} ${scenario} (${count(pets, 'animal')}). The request log was cleared.`
  const before = await act(async () => ((await mock.summary()).pets > MAX_UNDO_PETS ? undefined : mock.state()))
  const putBack = before && (async () => describe('Put back', await mock.load(before)))
  await change(async () => describe(verb, await replace()), putBack)
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
  return change(remove, putBack)
}

export function assume(question: string, choice: string): Promise<unknown> {
  return act(() => control().assume({ [question]: choice }))
}

export function setRealTime(): Promise<unknown> {
  return act(() => control().clock.set(null))
}

export function loadScenario(name: string): Promise<void> {
  const mock = control()
  return replaceState(mock, 'Loaded', () => mock.load(name as ScenarioName))
}
