// Keys that work wherever the focus is, unless you are typing.

import { nameRow } from '../control/rows/name-row.ts'
import { isFailure } from '../control/rows/reasons.ts'
import { takeTurn, undoOwn } from './model/actions.ts'
import { chosen, toggleChosen } from './model/choice.ts'
import { drawer } from './model/connection.ts'
import { findHotkey, HOTKEYS, press } from './model/hotkeys.ts'
import { readRequests } from './model/mock.ts'
import { currentMoment, leaveMoment } from './model/moment.ts'
import { notify } from './model/notice.ts'
import { go, leaveRow, link, route, VIEW_IDS, type ViewId } from './model/route.ts'
import { dialog } from './ui/dialog.tsx'
import { findLine, walk } from './ui/focus.ts'
import { goToHit } from './ui/hits.ts'
import { type Command, openPalette } from './ui/palette.tsx'
import { Pairs } from './ui/pane.tsx'
import { PLACES } from './views/break-menu.tsx'

const TYPED_INTO = 'textarea, select, input:not([type=radio])'
const HAS_ENTER = 'a, button, summary, input'
const HAS_KEYS = 'input, .pane-body, .pane-body *, .menu *, summary'

/** Keys that depend on where the focus is, and the one that finds all others. */
const OTHER_KEYS = [
  ['Ctrl+K', 'all actions, by their names'],
  ['j k ↑ ↓ Home End', 'another row'],
  ['Enter Esc', 'open, close'],
  ['Space', 'choose the row, to compare or export it'],
  ['← → Home End', 'on the strip: another moment'],
  ['Ctrl+Enter', 'send the form'],
  ['Ctrl+Shift+Enter', 'ask what an edited request would get'],
] as const

/** Keys that click nothing. Those of the views are their places. */
const COMMANDS: readonly Command[] = [
  ...VIEW_IDS.map(toCommand),
  command('w', 'what if: the last failure and its alternatives', showNextAlternative),
  command('n', 'next change or hit', () => goToHit(1)),
  command('N', 'previous change or hit', () => goToHit(-1)),
  command('z', 'undo your change', () => takeBack(false)),
  command('Z', 'redo it', () => takeBack(true)),
  command('?', 'show the keys', showKeys),
]

function command(key: string, help: string, run: () => unknown): Command {
  return { key, help, run }
}

function toCommand(view: ViewId, index: number): Command {
  const show = () => go(link(view))
  return command(String(index + 1), `go to ${view}`, show)
}

function find(selector: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(selector)
}

function findAll(selector: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(selector)]
}

function takeBack(isRedo: boolean): void {
  takeTurn(() => undoOwn(isRedo))
}

function showNextAlternative(): void {
  const choices = findAll('.change-one .choice')
  const pressed = choices.findIndex((choice) => choice.ariaPressed === 'true')
  const next = choices[pressed + 1] ?? choices[0]
  if (next) {
    next.click()
    next.focus()
    return
  }
  const failed = readRequests().find(isFailure)
  if (failed) go(link('timeline', nameRow(failed)))
  else notify('No failed request is listed')
}

export function showKeys(): void {
  const commands = COMMANDS.map(({ key, help }) => [key, help] as const)
  const keys = [...OTHER_KEYS, ...Object.entries(HOTKEYS), ...commands]
  const pairs = keys.map(([key, help]) => [renderCaps(key), help] as const)
  dialog.value = { title: 'Keys', text: <Pairs pairs={pairs} /> }
}

function renderCaps(keys: string) {
  return keys.split(' ').map((key) => [<kbd key={key}>{key}</kbd>, ' '])
}

function showPalette(): void {
  const shown = Object.entries(HOTKEYS).filter(([key]) => findHotkey(key))
  const clicks = shown.map(([key, help]) => ({ key, help, run: () => press(key) }))
  openPalette([...clicks, ...COMMANDS])
}

export function listenForKeys(): void {
  addEventListener('keydown', (event) => {
    if (act(event)) event.preventDefault()
  })
}

function act(event: KeyboardEvent): boolean {
  const element = event.target instanceof HTMLElement ? event.target : document.body
  const hasModifier = event.ctrlKey || event.metaKey
  if (event.altKey || event.defaultPrevented || find('dialog')) return false
  if (event.key === 'Escape') return leave(element)
  if (hasModifier && event.key.toLowerCase() === 'k') {
    showPalette()
    return true
  }
  const isUndo = event.key.toLowerCase() === 'z'
  // In the menu of what to break, you can undo what you clicked.
  const isInMenu = find(':popover-open') !== null && !(isUndo && find(':popover-open .cell'))
  if (isInMenu) return !hasModifier && walkMenu(event.key)
  if (element.matches(TYPED_INTO)) return actInField(event, element)
  if (isUndo) {
    takeBack(event.shiftKey)
    return true
  }
  return !hasModifier && actOnPage(event.key, element)
}

function actOnPage(key: string, element: HTMLElement): boolean {
  const found = COMMANDS.find((one) => one.key === key)
  if (found) {
    found.run()
    return true
  }
  // Among all sandboxes you choose one before you break something.
  if (key in HOTKEYS) return press(key) || (key === 'b' && press('o'))
  const line = key === ' ' ? findLine(element) : undefined
  if (line) {
    toggleChosen(line)
    return true
  }
  // A link or a button has its own Enter, and what scrolls has its arrows.
  const isOfElement = key.length > 1 && element.matches(key === 'Enter' ? HAS_ENTER : HAS_KEYS)
  return !isOfElement && walk(key)
}

/** Escape leaves one thing after the other: a field with what you typed, the row, the drawer. */
function leave(element: HTMLElement): boolean {
  const isTyping = element.matches(TYPED_INTO)
  const form = isTyping ? element.closest('form') : null
  const hasText = 'value' in element && element.value !== ''
  // The browser closes a menu, and empties a search.
  if (find(':popover-open') || (isTyping && !form && hasText)) return false
  const { part, query } = route.value
  if (isTyping) element.blur()
  else if (part !== '' || query.compare) leaveRow()
  else if (chosen.value.length > 0) chosen.value = []
  else if (currentMoment()) leaveMoment()
  else if (drawer) drawer.close()
  else return false
  return true
}

function actInField(event: KeyboardEvent, field: HTMLElement): boolean {
  const { key } = event
  const form = field.closest('form')
  if (form && key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    const asking = event.shiftKey ? form.querySelector<HTMLElement>('[name=ask]') : null
    form.requestSubmit(asking)
    return true
  }
  const isToList = key === 'Enter' || key === 'ArrowDown'
  return isToList && field.matches('main [type=search]:not(.find)') && walk('Home')
}

/**
 * An open menu has all keys: the arrows and the first letter of an item go to it. What to break is
 * a grid.
 */
function walkMenu(key: string): boolean {
  const items = findAll(':popover-open :is(a, .item, .cell)')
  const next = findStep(key, items) ?? findLetter(key, items)
  next?.focus()
  return next !== undefined
}

function findStep(key: string, items: readonly HTMLElement[]): HTMLElement | undefined {
  const line = find(':popover-open .cell') ? PLACES.length : 1
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -line,
    ArrowDown: line,
  }
  const step = steps[key]
  if (step === undefined) return undefined
  const place = items.indexOf(document.activeElement as HTMLElement)
  return items[place + step]
}

function findLetter(key: string, items: readonly HTMLElement[]): HTMLElement | undefined {
  return items.find((item) => item.textContent.trim().toLowerCase().startsWith(key))
}
