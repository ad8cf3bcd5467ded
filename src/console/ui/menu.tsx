// What opens over the page: menus and dialogs.
import type { ComponentChildren, TargetedMouseEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { signal } from '../model/signal.ts'
import { Act, Button } from './button.tsx'

type MenuProps = {
  class?: string
  name: string
  /** Left out of a narrow window. */
  more?: string
  value?: string
  children: ComponentChildren
}

/**
 * A button that opens things to do. The platform closes them on Escape or a click elsewhere, and
 * returns the focus.
 */
export function Menu({ class: className = 'button', name, more, value, children }: MenuProps) {
  const id = `menu-${name.replace(/\W/g, '')}`
  const closeAfterItem = (event: TargetedMouseEvent<HTMLElement>) => {
    const isItem = (event.target as Element).closest('.item, a') !== null
    if (isItem) event.currentTarget.hidePopover()
  }
  return (
    <>
      <button type="button" class={className} popovertarget={id}>
        <span>
          {name}
          {more && <span class="long">{more}</span>}
        </span>{' '}
        {value !== undefined && <b>{value}</b>} <span aria-hidden="true">▾</span>
      </button>
      <div
        id={id}
        popover="auto"
        class="menu"
        role="none"
        onClick={closeAfterItem}
        onKeyDown={() => {}}
      >
        {children}
      </div>
    </>
  )
}

/** Without `verb` and `run`, it can only be closed. */
type DialogProps = { title: string; text: ComponentChildren; verb?: string; run?(): unknown }
export const dialog = signal<DialogProps | undefined>(undefined)

/** Shows what is in `dialog`. */
export function Dialog() {
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => element.current?.showModal(), [dialog.value])
  if (!dialog.value) return null
  const { title, text, verb, run } = dialog.value
  return (
    <dialog ref={element} aria-label={title} onClose={() => (dialog.value = undefined)}>
      <form class="stack" method="dialog">
        <h2>{title}</h2>
        {text}
        <div class="buttons">
          {run && (
            <Act class="button primary" type="submit" onClick={run}>
              {verb}
            </Act>
          )}
          <Button type="submit" autofocus>
            {run ? 'Cancel' : 'Close'}
          </Button>
        </div>
      </form>
    </dialog>
  )
}
