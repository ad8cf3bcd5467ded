// A dialog over the page, with something to read and perhaps something to do.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { signal } from '../model/signal.ts'
import { Button, MockButton } from './button.tsx'

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
            <MockButton class="button primary" type="submit" onClick={run}>
              {verb}
            </MockButton>
          )}
          <Button type="submit" autofocus>
            {run ? 'Cancel' : 'Close'}
          </Button>
        </div>
      </form>
    </dialog>
  )
}
