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
  useEffect(() => {
    // A problem stays until it is dismissed, and what is being done until it is done.
    if (isProblem || isBusy) return
    const timer = setTimeout(actions.dismiss, SHOWN)
    return () => clearTimeout(timer)
  }, [notice])
  return (
    <div class={isProblem ? 'toast problem' : 'toast'}>
      <bdi class="toast-text">{text}</bdi>
      {isBusy && <progress aria-label={text} />}
      {undo && (
        <button type="button" class="button" onClick={undo}>
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

function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  return <span class="numbers countdown">Retrying in {Math.max(0, Math.ceil((until - now) / 1_000))} s</span>
}
