// The message at the bottom of the page.
import type { ChangeRow } from '../../world/row.ts'
import { signal } from './signal.ts'

export type Undoable = { readonly row: ChangeRow; readonly steps: readonly number[] }
export type Notice = Readonly<{
  text: string
  kind: 'done' | 'problem'
  undoable?: Undoable | undefined
}>

const NOTICE_MS = 8_000

export const notice = signal<Notice | undefined>(undefined)
let noticeTimer: ReturnType<typeof setTimeout> | undefined

export function notify(text: string, kind: Notice['kind'] = 'done', undoable?: Undoable): void {
  clearTimeout(noticeTimer)
  notice.value = { text, kind, undoable }
  if (kind === 'done') noticeTimer = setTimeout(dismiss, NOTICE_MS)
}

export const dismiss = () => (notice.value = undefined)
