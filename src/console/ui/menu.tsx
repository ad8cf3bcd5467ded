// A button that opens a list of things to do. The platform closes it on Escape and on a click elsewhere, and returns the focus.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Act, Button } from './controls.tsx'

interface MenuProps {
  readonly class?: string
  readonly name: string
  /** What is chosen, after the name. */
  readonly value?: string
  /** What the button is for, where its text does not say it. */
  readonly title?: string
  readonly isWide?: boolean
  readonly children: ComponentChildren
}

export function Menu({ class: className = 'button', name, value, title, isWide = false, children }: MenuProps) {
  const id = useId()
  const close = ({ target, currentTarget }: MouseEvent & { currentTarget: HTMLElement }) => {
    if ((target as Element).closest('.item')) currentTarget.hidePopover()
  }
  return (
    <>
      <button type="button" class={className} popovertarget={id} title={title} aria-label={title}>
        {name} {value !== undefined && <b>{value}</b>} <span aria-hidden="true">▾</span>
      </button>
      <div id={id} popover="auto" class={`menu ${isWide ? 'wide' : ''}`} role="none" onClick={close} onKeyDown={() => {}}>
        {children}
      </div>
    </>
  )
}

interface ItemProps {
  readonly label: string
  /** In words, below the label. */
  readonly more?: string
  readonly isCurrent?: boolean
  /** It works without the mock, too. */
  readonly isFree?: boolean
  onClick(): unknown
}

export function Item({ label, more, isCurrent, isFree, onClick }: ItemProps) {
  const Kind = isFree ? Button : Act
  return (
    <Kind class="item" aria-current={isCurrent} onClick={onClick}>
      {more ? <b>{label}</b> : label} {more && <small>{more}</small>}
    </Kind>
  )
}
