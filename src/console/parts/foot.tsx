// Messages at the foot of the page; they float, so that nothing moves.
import { useEffect, useState } from 'preact/hooks'
import type { Actions } from '../state/actions.ts'
import type { ConsoleState, Notice } from '../state/console-state.ts'
import { Icon } from './icon.tsx'

const SHOWN = 8_000

export function Foot({ state: { connection, notice }, actions }: { state: ConsoleState; actions: Actions }) {
  return (
    <footer class="foot">
      <div role="status">{notice && <NoticeLine key={notice.text} notice={notice} actions={actions} />}</div>
      {connection.kind === 'waiting' && (
        <div class="toast problem">
          <span>
            <span>The mock is not responding.</span> <Countdown until={connection.retryAt} />
          </span>
          <button type="button" class="button" onClick={actions.retry}>
            Retry now
          </button>
        </div>
      )}
    </footer>
  )
}

function NoticeLine({ notice, actions }: { notice: Notice; actions: Actions }) {
  const { isProblem, isBusy, text, undo } = notice
  const [isHovered, setHovered] = useState(false)
  const [isFocused, setFocused] = useState(false)
  useUndoKey(undo)
  useEffect(() => {
    // A problem stays until it is dismissed, what is being done until it is done, and anything for as long as somebody is at it.
    if (isProblem || isBusy || isHovered || isFocused) return
    const timer = setTimeout(actions.dismiss, SHOWN)
    return () => clearTimeout(timer)
  }, [notice, isHovered, isFocused])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is done with it; it only stays
    <div
      class={isProblem ? 'toast problem' : 'toast'}
      onMouseEnter={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      onFocusIn={() => setFocused(true)}
      onFocusOut={() => setFocused(false)}
    >
      <bdi class="toast-text">{text}</bdi>
      {isBusy && <progress aria-label={text} />}
      {undo && (
        <button
          type="button"
          class="button"
          title="Ctrl+Z or ⌘Z, unless a text field has the focus"
          aria-keyshortcuts="Control+Z Meta+Z"
          onClick={undo}
        >
          Undo
        </button>
      )}
      {!isBusy && (
        <button type="button" class="button quiet sign" aria-label="Dismiss" onClick={actions.dismiss}>
          <Icon name="close" />
        </button>
      )}
    </div>
  )
}

/** Undoes by the usual key too, except where that undoes what was typed. */
function useUndoKey(undo: (() => void) | undefined): void {
  useEffect(() => {
    if (!undo) return
    const onKey = (event: KeyboardEvent) => {
      const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      const isTyping = event.target instanceof Element && event.target.matches('textarea, input:not([type=radio], [type=checkbox])')
      if (!isUndo || isTyping) return
      event.preventDefault()
      undo()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [undo])
}

function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  return <span class="numbers countdown">Retrying in {Math.max(0, Math.ceil((until - now) / 1_000))} s</span>
}
