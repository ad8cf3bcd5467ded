// Keys that work wherever the focus is, unless you are typing.

import { isFailure } from '../control/rows/reasons.ts'
import { nameOf } from '../control/text/find-sent.ts'
import { takeTurn, undoOwn } from './model/actions.ts'
import { drawer } from './model/connection.ts'
import { readRequests } from './model/mock.ts'
import { notify } from './model/notice.ts'
import { go, leaveRow, link, route } from './model/route.ts'
import { dialog } from './ui/dialog.tsx'
import { walk } from './ui/focus.ts'
import { Pairs } from './ui/pane.tsx'
import { PLACES } from './views/break-menu.tsx'

const TYPED_INTO = 'textarea, select, input:not([type=radio])'
const HAS_ENTER = 'a, button, summary, input'
const HAS_KEYS = 'input, .pane-body, .pane-body *, .menu *, summary'

type Shortcut = {
  /** As the help shows them, apart by spaces. */
  readonly keys: string
  readonly help: string
  /** What a single key does. The others depend on where the focus is. */
  readonly run?: () => void
}

const SHORTCUTS: readonly Shortcut[] = [
  { keys: 'j k ↑ ↓ Home End', help: 'another row' },
  { keys: 'Enter Esc', help: 'open, close' },
  { keys: '/', help: 'search', run: () => find('main input[type=search]')?.focus() },
  { keys: 'b', help: 'break something', run: openBreakMenu },
  {
    keys: 'c',
    help: 'compare the open row',
    run: () => find('.pane-head [aria-pressed]')?.click(),
  },
  {
    keys: 'w',
    help: 'what if: the last failure and its alternatives',
    run: showNextAlternative,
  },
  { keys: 'z Ctrl+z', help: 'undo your change' },
  { keys: 'Shift+z', help: 'redo it' },
]

function find(selector: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(selector)
}

function findAll(selector: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(selector)]
}

function openBreakMenu(): void {
  // Among all sandboxes you choose one first.
  const opener = find('.bar .dashed') ?? find('.bar button')
  opener?.click()
  const item = find('.menu:popover-open .cell') ?? find('.menu:popover-open a')
  item?.focus()
}

function showNextAlternative(): void {
  const choices = findAll('.what-if > .row')
  const pressed = choices.findIndex((choice) => choice.ariaPressed === 'true')
  const next = choices[pressed + 1] ?? choices[0]
  if (next) {
    next.click()
    next.focus()
    return
  }
  const failed = readRequests().find(isFailure)
  if (failed) go(link('timeline', nameOf(failed)))
  else notify('No failed request is listed')
}

export function showKeys(): void {
  const pairs = SHORTCUTS.map(({ keys, help }) => [renderCaps(keys), help] as const)
  dialog.value = { title: 'Keys', text: <Pairs pairs={pairs} /> }
}

function renderCaps(keys: string) {
  return keys.split(' ').map((key) => [<kbd key={key}>{key}</kbd>, ' '])
}

export function listenForKeys(): void {
  addEventListener('keydown', (event) => {
    if (act(event)) event.preventDefault()
  })
}

function act(event: KeyboardEvent): boolean {
  const { key } = event
  const element = event.target instanceof HTMLElement ? event.target : document.body
  const hasModifier = event.ctrlKey || event.metaKey
  if (event.altKey || event.defaultPrevented || find('dialog')) return false
  if (key === 'Escape') return leave(element)
  const isUndo = key.toLowerCase() === 'z'
  // In the menu of what to break, you can undo what you clicked.
  if (find(':popover-open') && !(isUndo && find(':popover-open .cell')))
    return !hasModifier && walkMenu(key)
  if (element.matches(TYPED_INTO)) return actInField(key, hasModifier, element)
  if (isUndo) {
    takeTurn(() => undoOwn(event.shiftKey))
    return true
  }
  if (hasModifier) return false
  const run = findShortcut(key)
  if (run) {
    run()
    return true
  }
  // A link or a button has its own Enter, and what scrolls has its arrows.
  const isOfElement = key.length > 1 && element.matches(key === 'Enter' ? HAS_ENTER : HAS_KEYS)
  return !isOfElement && walk(key)
}

function findShortcut(key: string): (() => void) | undefined {
  if (key === '?') return showKeys
  return SHORTCUTS.find((one) => one.keys === key)?.run
}

/** Escape leaves one thing after the other: a field with what you typed, the row, the drawer. */
function leave(element: HTMLElement): boolean {
  const isTyping = element.matches(TYPED_INTO)
  const form = isTyping ? element.closest('form') : null
  const hasText = 'value' in element && element.value !== ''
  // The browser closes a menu, and empties a search.
  if (find(':popover-open') || (isTyping && !form && hasText)) return false
  const { part, query } = route.value
  if (form) element.blur()
  else if (part !== '' || query.compare) leaveRow()
  else if (drawer && !isTyping) drawer.close()
  else return false
  return true
}

function actInField(key: string, hasModifier: boolean, field: HTMLElement): boolean {
  const form = field.closest('form')
  if (form && key === 'Enter' && hasModifier) {
    form.requestSubmit()
    return true
  }
  const isToList = key === 'Enter' || key === 'ArrowDown'
  return isToList && field.matches('[type=search]') && walk('Home')
}

/**
 * An open menu has all keys: the arrows and the first letter of an item go to it. What to break is
 * a grid.
 */
function walkMenu(key: string): boolean {
  const items = findAll(':popover-open :is(a, .item, .cell)')
  const line = find(':popover-open .cell') ? PLACES.length : 1
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -line,
    ArrowDown: line,
  }
  const step = steps[key]
  const place = items.indexOf(document.activeElement as HTMLElement)
  const next =
    step === undefined
      ? items.find((item) => item.textContent.toLowerCase().startsWith(key))
      : items[place + step]
  next?.focus()
  return next !== undefined
}
