// Keys that work wherever the focus is, unless you are typing.

import { nameOf } from '../control/text/find-sent.ts'
import { isFailure } from '../control/text/reasons.ts'
import { takeTurn, undoOwn } from './model/actions.ts'
import { drawer } from './model/connection.ts'
import { readRequests } from './model/mock.ts'
import { notify } from './model/notice.ts'
import { go, leaveRow, link, route } from './model/route.ts'
import { dialog, Pairs } from './ui/controls.tsx'
import { walk } from './ui/pane.tsx'
import { PLACES } from './views/faults.tsx'

const HAS_KEYS = 'input, .pane-body, .pane-body *, .menu *, summary'
const find = (selector: string) => document.querySelector<HTMLElement>(selector)

const HELP = {
  'j k ↑ ↓ Home End': 'another row',
  'Enter Esc': 'open, close',
  '/': 'search',
  b: 'break something',
  c: 'compare the open row',
  w: 'what if: the last failure and its alternatives',
  'z Ctrl+z': 'undo your change',
  'Shift+z': 'redo it',
}

const KEYS: Readonly<Record<string, () => void>> = {
  '/': () => find('main input[type=search]')?.focus(),
  b() {
    // Among all sandboxes you choose one first.
    ;(find('.bar .dashed') ?? find('.bar button'))?.click()
    ;(find('.menu:popover-open .cell') ?? find('.menu:popover-open a'))?.focus()
  },
  c: () => find('.pane-head [aria-pressed]')?.click(),
  w() {
    const failed = readRequests().find(isFailure)
    const choices = [...document.querySelectorAll<HTMLElement>('.what-if > .row')]
    const next = choices[choices.findIndex((one) => one.ariaPressed === 'true') + 1] ?? choices[0]
    if (next) next.click()
    else if (failed) go(link('timeline', nameOf(failed)))
    else notify('No failed request is listed')
    next?.focus()
  },
  '?': showKeys,
}

export function showKeys(): void {
  const toCaps = (keys: string) => keys.split(' ').map((key) => [<kbd key={key}>{key}</kbd>, ' '])
  const pairs = Object.entries(HELP).map(([keys, text]) => [toCaps(keys), text] as const)
  dialog.value = { title: 'Keys', text: <Pairs pairs={pairs} /> }
}

export const listenForKeys = () =>
  addEventListener('keydown', (event) => act(event) && event.preventDefault())

function act({
  key,
  altKey,
  shiftKey,
  ctrlKey,
  metaKey,
  defaultPrevented,
  target,
}: KeyboardEvent): boolean {
  const element = target instanceof Element ? target : document.body
  const isTyping = element.matches('textarea, select, input:not([type=radio])')
  const form = isTyping ? element.closest('form') : null
  const { part, query } = route.value
  if (altKey || defaultPrevented || find('dialog')) return false
  if (key === 'Escape') {
    // The browser closes a menu, and empties a search.
    if (find(':popover-open') || (isTyping && !form && (element as HTMLInputElement).value))
      return false
    // What you typed stays: the first one leaves the field.
    if (form) (element as HTMLElement).blur()
    else if (part !== '' || query.compare) leaveRow()
    else if (!drawer || isTyping) return false
    else drawer.close()
    return true
  }
  const isUndo = key.toLowerCase() === 'z'
  if (find(':popover-open') && !(isUndo && find(':popover-open .cell')))
    return !ctrlKey && !metaKey && walkMenu(key)
  if (form && key === 'Enter' && (ctrlKey || metaKey)) form.requestSubmit()
  else if (element.matches('[type=search]') && /^(?:Enter|ArrowDown)$/.test(key))
    return walk('Home')
  else if (isTyping) return false
  else if (isUndo) takeTurn(() => undoOwn(shiftKey))
  else if (ctrlKey || metaKey) return false
  else if (Object.hasOwn(KEYS, key)) KEYS[key]?.()
  // A link or a button has its own Enter, and what scrolls has its arrows.
  else if (
    key.length > 1 &&
    element.matches(key === 'Enter' ? 'a, button, summary, input' : HAS_KEYS)
  )
    return false
  else return walk(key)
  return true
}

/**
 * An open menu has all keys: the arrows and the first letter of an item go to it. What to break is
 * a grid.
 */
function walkMenu(key: string): boolean {
  const items = [...document.querySelectorAll<HTMLElement>(':popover-open :is(a, .item, .cell)')]
  const place = items.indexOf(document.activeElement as HTMLElement)
  const line = find(':popover-open .cell') ? PLACES.length : 1
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -line, ArrowDown: line }[key]
  const next = step
    ? items[place + step]
    : items.find(({ textContent }) => textContent.toLowerCase().startsWith(key))
  next?.focus()
  return !!next
}
