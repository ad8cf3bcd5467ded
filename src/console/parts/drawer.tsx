// A pane at the side of the page: what is beside it goes on and stays in reach, unless the page is too narrow to show both.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface DrawerProps {
  readonly title: ComponentChildren
  readonly foot?: ComponentChildren
  readonly children: ComponentChildren
  onClose(): void
}

/** Below this width the pane covers everything; the style sheet says the same. */
const NARROW = '(max-width: 860px)'

export function Drawer({ title, foot, children, onClose }: DrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const pane = dialog.current as HTMLDialogElement
    const opener = document.activeElement
    pane.show()
    const uncover = matchMedia(NARROW).matches ? coverPage(pane) : () => {}
    return () => {
      uncover()
      // Whoever walked on in the list beside it stays there.
      const isFree = document.activeElement === document.body || pane.contains(document.activeElement)
      if (isFree && opener instanceof HTMLElement && opener.checkVisibility()) opener.focus({ preventScroll: true })
    }
  }, [])
  useEffect(() => {
    const closeOnEscape = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented) onClose()
    }
    addEventListener('keydown', closeOnEscape)
    return () => removeEventListener('keydown', closeOnEscape)
  })
  return (
    <dialog class="drawer" ref={dialog} aria-labelledby="drawer-title">
      <div class="drawer-box">
        <header class="drawer-head">
          <h2 id="drawer-title">{title}</h2>
          <button type="button" class="button quiet" onClick={onClose}>
            <Icon name="close" /> Close
          </button>
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard */}
        <section class="drawer-body" aria-label="Details" tabIndex={0}>
          {children}
        </section>
        <footer class="drawer-foot">{foot}</footer>
      </div>
    </dialog>
  )
}

/** Takes what the pane covers out of reach of the keyboard; messages lie over the pane and stay. */
function coverPage(pane: HTMLElement): () => void {
  const covered = [...document.querySelectorAll<HTMLElement>('.rail, .skip'), ...(pane.parentElement?.children ?? [])].filter(
    (element): element is HTMLElement => element instanceof HTMLElement && element !== pane,
  )
  for (const element of covered) element.inert = true
  return () => {
    for (const element of covered) element.inert = false
  }
}
