// Whether a list holds still, so that a click hits what you point at: while you point at it, while
// the focus is in it, while it is scrolled, and while it is paused.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { catches, catchUp, isPaused } from '../model/hold.ts'
import { notice } from '../model/notice.ts'
import { signal } from '../model/signal.ts'

/** Whether the pointer is on the list. */
const hasPointer = signal(false)
/** Whether the focus is in the list, and the list in the window that you work in. */
const isFocused = signal(false)
const isScrolled = signal(false)

/** Makes the list show what there is now, unless you point at it. */
export function catchUpGently(): void {
  if (!hasPointer.value) catchUp()
}

function isHeld(): boolean {
  return isPaused.value || hasPointer.value || isFocused.value || isScrolled.value
}

type ScrollerProps = { children: ComponentChildren }

/** The element in which a list scrolls. It notices whether you point at the list. */
export function Scroller({ children }: ScrollerProps) {
  const scroller = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    return followUser(element)
  }, [])
  return (
    <div class="scroller" ref={scroller}>
      {children}
    </div>
  )
}

function followUser(scroller: HTMLElement): () => void {
  const stop = new AbortController()
  const options = { signal: stop.signal, passive: true }
  const point = () => {
    hasPointer.value = true
  }
  const leave = () => {
    hasPointer.value = false
  }
  const lookForFocus = () => {
    isFocused.value = document.hasFocus() && scroller.contains(document.activeElement)
  }
  const lookForScroll = () => {
    isScrolled.value = scroller.scrollTop > 0
  }
  // Not only when the pointer enters: it may have been there before the list.
  scroller.addEventListener('pointermove', point, options)
  scroller.addEventListener('pointerdown', point, options)
  scroller.addEventListener('pointerleave', leave, options)
  scroller.addEventListener('scroll', lookForScroll, options)
  addEventListener('focusin', lookForFocus, options)
  addEventListener('focusout', () => queueMicrotask(lookForFocus), options)
  addEventListener('focus', lookForFocus, options)
  // Now you work in another window.
  addEventListener('blur', leave, options)
  addEventListener('blur', lookForFocus, options)
  return () => {
    stop.abort()
    leave()
    isFocused.value = false
    isScrolled.value = false
  }
}

type Kept<T> = { readonly items: readonly T[]; readonly occasion: string }
type Held<T> = { readonly items: readonly T[]; readonly newCount: number }

/**
 * What a list shows: all items, or while it holds still those that it had, in their order and as
 * they are now. It catches up on every new occasion, such as another page.
 */
export function useHeld<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  ownOccasion = '',
): Held<T> {
  const occasion = `${catches.value} ${ownOccasion}`
  const last = useRef<Kept<T>>({ items, occasion })
  const isEmpty = last.current.items.length === 0
  const isNewOccasion = last.current.occasion !== occasion
  if (!isHeld() || isEmpty || isNewOccasion) last.current = { items, occasion }
  const kept = last.current.items
  if (kept === items) return { items, newCount: 0 }
  const keptNames = new Set(kept.map(nameOf))
  const present = new Map(items.map((item) => [nameOf(item), item]))
  const newCount = items.filter((item) => !keptNames.has(nameOf(item))).length
  return { items: kept.map((item) => present.get(nameOf(item)) ?? item), newCount }
}

/** The list shows at once what you do yourself. `isThere`: what you did can be shown. */
export function useOwnChange(isThere: boolean): void {
  const own = notice.value?.undoable?.row
  useLayoutEffect(() => {
    if (own && isThere) catchUpGently()
  }, [own, isThere])
}
