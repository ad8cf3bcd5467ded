// The focus of whoever removes things one after the other: it stays in the list that they are removed from.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

/** Where what had the focus is gone or off, the focus goes to what has taken its place; to the heading of the view if nothing has. */
export function useKeptFocus(list: { readonly current: HTMLElement | null }, selector: string): void {
  const last = useRef<{ readonly element: Element; readonly index: number } | undefined>(undefined)
  const find = () => [...(list.current?.querySelectorAll<HTMLElement>(selector) ?? [])]
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      const element = target as HTMLElement
      const index = find().indexOf(element)
      if (index >= 0) last.current = { element, index }
      // From a pane the focus comes back; whoever goes anywhere else has left the list.
      else if (!element.closest('dialog')) last.current = undefined
    }
    addEventListener('focusin', remember)
    return () => removeEventListener('focusin', remember)
  }, [])
  useLayoutEffect(() => {
    if (!last.current) return
    const { element, index } = last.current
    const isFree = document.activeElement === document.body || document.activeElement === element
    if (!isFree || (element.isConnected && element.matches(selector))) return
    last.current = undefined
    const items = find()
    const next = items[Math.min(index, items.length - 1)] ?? document.querySelector<HTMLElement>('section:not([hidden]) h1')
    next?.focus({ preventScroll: true })
  })
}
