// A dialog at the side of the page. The platform's own: it keeps the focus inside, closes on Escape, and gives the focus back.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface DrawerProps {
  readonly title: ComponentChildren
  readonly foot?: ComponentChildren
  readonly children: ComponentChildren
  onClose(): void
}

export function Drawer({ title, foot, children, onClose }: DrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = dialog
    const closeOutside = ({ target }: MouseEvent) => {
      if (target === current) current?.close()
    }
    current?.showModal()
    current?.addEventListener('click', closeOutside)
  }, [])
  return (
    <dialog class="drawer" ref={dialog} aria-labelledby="drawer-title" onClose={onClose}>
      <div class="drawer-box">
        <header class="drawer-head">
          <h2 id="drawer-title">{title}</h2>
          <button type="button" class="button quiet" onClick={() => dialog.current?.close()}>
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
