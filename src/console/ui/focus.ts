// The keyboard in a list: it moves from line to line, and the focus is never lost.
import { adjust, route } from '../model/route.ts'
import { signal } from '../model/signal.ts'

export interface Line {
  readonly name: string
  /** The details that mark it as open; a click opens the first. */
  readonly parts: readonly string[]
  /**
   * In pixels, in a wide list and in a narrow one. A list whose lines have none is shown as a
   * whole.
   */
  readonly heights?: readonly [wide: number, narrow: number]
}

/** The list that is shown. `reveal` scrolls a line into sight. */
type Walked = { readonly lines: readonly Line[]; reveal(line: Line): void }
let walked: Walked | undefined

/** The line that had the focus last. */
export const active = signal('')
/** The line that gets the focus as soon as it is rendered. */
let wanted = ''

export function setWalked(list: Walked | undefined): void {
  walked = list
}

export function findStop(name: string): HTMLElement | null {
  return document.querySelector(`[data-stop="${CSS.escape(name)}"]`)
}

export function focusWanted(): void {
  if (wanted === '') return
  const stop = findStop(wanted)
  if (!stop) return
  stop.focus({ preventScroll: true })
  wanted = ''
}

/**
 * Moves to another line, from the one that is open or has the focus, or opens it. A detail that is
 * open follows.
 */
export function walk(key: string, hasFocus = true): boolean {
  const lines = walked?.lines ?? []
  const place = findPlace(key, lines, hasFocus)
  const next = place === undefined ? undefined : lines[clamp(place, lines.length - 1)]
  if (!next) return false
  walked?.reveal(next)
  if (route.value.part !== '' || key === 'Enter') adjust({ part: next.parts[0] ?? '' })
  if (!hasFocus) return true
  wanted = next.name
  // A new value renders the list, also where the line is not there yet.
  active.value = next.name
  findStop(next.name)?.focus({ preventScroll: true })
  return true
}

/** The line of a list that an element belongs to. */
export function findLine(element: Element): Line | undefined {
  const stop = element.closest<HTMLElement>('[data-stop]')?.dataset.stop
  return walked?.lines.find((line) => line.name === stop)
}

function findPlace(key: string, lines: readonly Line[], hasFocus: boolean): number | undefined {
  const current = findCurrent(lines, hasFocus)
  switch (key) {
    case 'k':
    case 'ArrowUp':
      return current - 1
    case 'j':
    case 'ArrowDown':
      return current + 1
    case 'Home':
      return 0
    case 'End':
      return lines.length - 1
    case 'Enter':
      return current
  }
}

function findCurrent(lines: readonly Line[], hasFocus: boolean): number {
  const { part } = route.value
  const open = lines.findIndex((line) => line.parts.includes(part))
  if (open >= 0 || !hasFocus) return open
  const stop = document.activeElement?.closest<HTMLElement>('[data-stop]')
  return lines.findIndex((line) => line.name === stop?.dataset.stop)
}

function clamp(place: number, last: number): number {
  return Math.max(0, Math.min(place, last))
}

type Focused = { element: Element; list: Element | null; index: number; part: string }

/**
 * When the focused element is removed, the next of its list gets the focus, or the row of its pane,
 * or the heading.
 */
export function keepFocus(): void {
  let last: Focused | undefined
  addEventListener('focusin', (event) => {
    const element = event.target as HTMLElement
    const list = element.closest('[data-focus-list]')
    const index = list ? findItems(list).indexOf(element) : -1
    const part = element.closest<HTMLElement>('.pane')?.dataset.part ?? ''
    last = { element, list, index, part }
  })
  addEventListener('focusout', () =>
    queueMicrotask(() => {
      // You have left it, and it is still there.
      if (last?.element.isConnected && document.activeElement === document.body) last = undefined
    }),
  )
  const observer = new MutationObserver(() => {
    const isLost = document.activeElement === document.body
    if (!last || last.element.isConnected || !isLost) return
    const next = findNear(last) ?? findRow(last) ?? document.querySelector<HTMLElement>('main h1')
    next?.focus({ preventScroll: true })
  })
  observer.observe(document.body, { childList: true, subtree: true })
}

function findItems(list: Element): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('a[href], button, input, select, summary')]
}

function findNear(last: Focused): HTMLElement | undefined {
  if (!last.list?.isConnected) return undefined
  const items = findItems(last.list)
  return items[Math.min(last.index, items.length - 1)]
}

function findRow(last: Focused): HTMLElement | null {
  const part = route.value.part || last.part
  const line = walked?.lines.find((one) => one.parts.includes(part))
  return findStop(line?.name ?? part)
}
