// A menu: a button that opens things to do.
import type { ComponentChildren, TargetedMouseEvent } from 'preact'

import { type Hotkey, hotkeyOf } from '../model/hotkeys.ts'

type MenuProps = {
  class?: string
  name: string
  hotkey?: Hotkey
  /** Left out of a narrow window. */
  more?: string
  value?: string
  children: ComponentChildren
}

/** The platform closes it on Escape or a click elsewhere, and returns the focus. */
export function Menu(props: MenuProps) {
  const { class: className = 'button', name, hotkey, more, value, children } = props
  const wholeName = name + (more ?? '')
  const id = `menu-${wholeName.replace(/\W/g, '')}`
  const closeAfterItem = (event: TargetedMouseEvent<HTMLElement>) => {
    const isItem = (event.target as Element).closest('.item, a') !== null
    if (isItem) event.currentTarget.hidePopover()
  }
  return (
    <>
      <button type="button" class={className} popovertarget={id} {...hotkeyOf(hotkey)}>
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
