// Buttons. One that talks to the mock is a `MockButton`, which is off while the mock does not
// respond.
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { isAway } from '../model/connection.ts'
import { type Hotkey, hotkeyOf } from '../model/hotkeys.ts'
import { go, link, route } from '../model/route.ts'

/** `isOff`: does nothing, but keeps the focus, which a disabled button would lose. */
type ButtonProps = Omit<ButtonHTMLAttributes, 'class'> & {
  class?: string
  isOff?: boolean
  hotkey?: Hotkey
}

export function Button(props: ButtonProps) {
  const { class: className = 'button', isOff, hotkey, onClick, ...others } = props
  const act = isOff ? undefined : onClick
  return (
    <button
      type="button"
      class={className}
      aria-disabled={isOff}
      onClick={act}
      {...hotkeyOf(hotkey)}
      {...others}
    />
  )
}

export function MockButton({ isOff = false, ...others }: ButtonProps) {
  return <Button isOff={isOff || isAway()} {...others} />
}

type IconButtonProps = { label: string; children: ComponentChildren; onClick(): unknown }

export function IconButton({ label, children, onClick }: IconButtonProps) {
  return (
    <Button class="button quiet" aria-label={label} title={label} onClick={onClick}>
      {children}
    </Button>
  )
}

export function ClearFilter({ children = 'Clear the filter' }: { children?: ComponentChildren }) {
  const { view, part } = route.value
  return (
    <Button hotkey="x" onClick={() => go(link(view, part))}>
      {children}
    </Button>
  )
}
