// The message at the bottom of the page.
import type { ChangeRow } from '../../world/row.ts'
import { signal } from './signal.ts'

/** `steps` are the rows to undo, the newest first. */
export type Undoable = { readonly row: ChangeRow; readonly steps: readonly number[] }
export type Notice = Readonly<{
  text: string
  kind: 'done' | 'problem'
  undoable?: Undoable | undefined
}>

const NOTICE_MS = 8_000

export const notice = signal<Notice | undefined>(undefined)
let timer: ReturnType<typeof setTimeout> | undefined

/** A problem stays until it is dismissed. */
export function notify(text: string, kind: Notice['kind'] = 'done', undoable?: Undoable): void {
  clearTimeout(timer)
  notice.value = { text, kind, undoable }
  if (kind === 'done') timer = setTimeout(dismiss, NOTICE_MS)
}

export function dismiss(): void {
  notice.value = undefined
}
