// A button that opens a list of things to do. The platform closes it on Escape and on a click elsewhere, and returns the focus.
import type { ComponentChildren, TargetedToggleEvent } from 'preact'
import { useId } from 'preact/hooks'
import { Act } from './controls.tsx'

interface MenuProps {
  readonly class?: string
  readonly label: ComponentChildren
  /** What the button is for, where its label does not say it. */
  readonly title?: string
  /** In pixels, if the window is wide enough. */
  readonly width?: number
  readonly children: ComponentChildren
}

const MARGIN = 8

export function Menu({ class: className = 'button', label, title, width = 300, children }: MenuProps) {
  const id = useId()
  const place = ({ newState, currentTarget: list }: TargetedToggleEvent<HTMLElement>) => {
    const opener = document.querySelector(`[popovertarget="${id}"]`)?.getBoundingClientRect()
    if (newState !== 'open' || !opener) return
    const isLow = opener.bottom > innerHeight * 0.6
    list.style.setProperty('--width', `${width}px`)
    list.style.left = `${Math.max(MARGIN, Math.min(opener.left, innerWidth - width - MARGIN))}px`
    list.style.top = isLow ? 'auto' : `${opener.bottom + 4}px`
    list.style.bottom = isLow ? `${innerHeight - opener.top + 4}px` : 'auto'
  }
  return (
    <>
      <button type="button" class={className} popovertarget={id} title={title} aria-label={title}>
        {label} <span aria-hidden="true">▾</span>
      </button>
      <div id={id} popover="auto" class="menu" role="none" onBeforeToggle={place} onClick={close} onKeyDown={walk}>
        {children}
      </div>
    </>
  )
}

interface ItemProps {
  readonly label: ComponentChildren
  /** In words, below the label. */
  readonly more?: ComponentChildren
  readonly isCurrent?: boolean
  /** It works without the mock, too. */
  readonly isFree?: boolean
  onClick(): unknown
}

export function Item({ label, more, isCurrent, isFree, onClick }: ItemProps) {
  return (
    <Act class="item" aria-current={isCurrent} isFree={isFree} onClick={onClick}>
      {more ? <b>{label}</b> : label} {more && <small>{more}</small>}
    </Act>
  )
}

function close({ target, currentTarget }: MouseEvent & { currentTarget: HTMLElement }): void {
  if ((target as Element).closest('.item')) currentTarget.hidePopover()
}

function walk(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('button, a')]
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  items.at((items.indexOf(document.activeElement as HTMLElement) + step) % items.length)?.focus()
}
