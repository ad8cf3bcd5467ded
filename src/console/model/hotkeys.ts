// The keys of buttons, links and menus: a key does what a click would do, if the page shows it.

/** Each key with what it does. */
export const HOTKEYS = {
  a: 'add: a new request or animal',
  b: 'break something',
  c: 'compare the two chosen rows',
  d: 'delete the open animal',
  e: 'edit the open request and resend it',
  g: 'go to the moment before the open row, or return to now',
  h: 'share the chosen rows, or those that the list shows',
  i: 'make what you suppose real',
  l: 'load another scenario',
  m: 'show the new rows',
  o: 'choose the sandbox',
  p: 'pause the list, or go on',
  r: 'resend the open request',
  s: 'sell the open animal',
  t: 'copy what you suppose as a test',
  u: 'copy the URL of the mock',
  v: 'release the open response',
  x: 'clear the filter',
  y: 'copy the open request',
  '0': 'return to now, or discard what you suppose',
  '/': 'search the list',
  f: 'find in the open request',
} as const
export type Hotkey = keyof typeof HOTKEYS

/** The attributes of what a key clicks. */
export function hotkeyOf(key: Hotkey | undefined) {
  if (key === undefined) return {}
  return { 'data-hotkey': key, 'aria-keyshortcuts': key }
}

export function findHotkey(key: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-hotkey="${CSS.escape(key)}"]`)
}

/** Goes into a field, and clicks anything else. A menu that opens gets the focus. */
export function press(key: string): boolean {
  const element = findHotkey(key)
  if (!element) return false
  if (element instanceof HTMLInputElement) {
    element.focus()
    return true
  }
  element.click()
  const menu = document.querySelector('.menu:popover-open')
  const first = menu?.querySelector<HTMLElement>('.cell') ?? menu?.querySelector('a, .item')
  if (first instanceof HTMLElement) first.focus()
  return true
}
