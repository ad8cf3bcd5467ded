// Copies a text to the clipboard, and says so.
import { notify } from '../model/notice.ts'

/**
 * By selection: `navigator.clipboard` needs a secure context, which a mock on another machine is
 * not. Nothing outside an open dialog can be selected.
 */
export function copy(text: string, note = ''): void {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  const place = document.querySelector('dialog[open]') ?? document.body
  place.append(area)
  area.select()
  const isDone = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (isDone) notify(`Copied. ${note}`)
  else notify('The browser blocked it', 'problem')
}
