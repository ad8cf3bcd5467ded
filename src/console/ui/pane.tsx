// The detail of one thing: docked to the right of its list on a wide page, over the page on a narrow one.
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { adjust, route } from '../route.ts'
import { Button } from './controls.tsx'

interface PaneProps {
  readonly title: ComponentChildren
  readonly children: ComponentChildren
}

/** The style sheet says the same. */
const wide = globalThis.matchMedia?.('(min-width: 1100px)')
const isDocked = signal(wide?.matches ?? true)
wide?.addEventListener('change', ({ matches }) => {
  isDocked.value = matches
})

const close = () => adjust({ part: '' })

export function Pane({ title, children }: PaneProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const part = useRef(route.value.part)
  part.current = route.value.part || part.current
  const docked = isDocked.value
  useLayoutEffect(() => {
    const pane = dialog.current as HTMLDialogElement
    if (!docked) pane.showModal()
    return () => {
      // The row of the last thing shown gets the focus, unless you have moved it elsewhere.
      const isFree = document.activeElement === document.body || pane.contains(document.activeElement)
      if (!docked) pane.close()
      if (isFree) document.querySelector<HTMLElement>(`[data-part="${CSS.escape(part.current)}"]`)?.focus({ preventScroll: true })
    }
  }, [docked])
  useEffect(() => {
    const closeOnEscape = ({ key, defaultPrevented }: KeyboardEvent) => {
      // Escape closes an open menu first.
      if (key === 'Escape' && !defaultPrevented && !document.querySelector(':popover-open')) close()
    }
    addEventListener('keydown', closeOnEscape)
    return () => removeEventListener('keydown', closeOnEscape)
  }, [])
  return (
    <dialog
      key={String(docked)}
      class="pane"
      ref={dialog}
      {...(docked ? { open: true } : {})}
      aria-labelledby="pane-title"
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <header class="pane-head">
        <h2 id="pane-title">{title}</h2>
        <Button class="quiet" name="Close" title="Close (Esc)" onClick={close}>
          ✕
        </Button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it */}
      <section class="pane-body" aria-label="Details" tabIndex={0}>
        {children}
      </section>
    </dialog>
  )
}

/** Moves through the rows of a list by the arrow keys, Home and End. */
export function walkRows(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.row[data-part]')]
  const index = rows.indexOf(document.activeElement as HTMLElement)
  const places: Readonly<Record<string, number>> = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: rows.length - 1 }
  const next = index < 0 ? undefined : rows[places[event.key] ?? -1]
  if (!next) return
  event.preventDefault()
  next.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest' })
  // An open detail follows.
  if (route.value.part !== '' && next.dataset.part) adjust({ part: next.dataset.part })
}
