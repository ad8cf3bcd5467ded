// What has just happened, at the bottom of the page: it moves nothing, and goes by itself unless it is a problem.
import { dismiss, notice, undo } from '../actions.ts'
import { connection, retry } from '../connection.ts'
import { showHidden } from '../text.ts'
import { Act, Button } from './controls.tsx'

export function Toast() {
  return (
    <div class="toast" role="status">
      <Message />
    </div>
  )
}

function Message() {
  const current = notice.value
  if (connection.value === 'waiting')
    return (
      <>
        <span>The mock is not responding. You see what it had last.</span>
        <Button onClick={retry}>Retry now</Button>
      </>
    )
  if (!current) return null
  return (
    <>
      <bdi class={current.kind}>{showHidden(current.text)}</bdi>
      {/* Neither takes the focus from where it is. */}
      <span class="buttons" role="none" onMouseDown={(event) => event.preventDefault()}>
        {current.row && (
          <>
            <Act onClick={() => undo(current.row?.id, current.row?.sandbox)}>{current.row.undoes === null ? 'Undo' : 'Redo'}</Act>
            <kbd>{current.row.undoes === null ? 'Ctrl Z' : 'Ctrl Shift Z'}</kbd>
          </>
        )}
        <Button class="quiet" aria-label="Dismiss" onClick={dismiss}>
          ✕
        </Button>
      </span>
    </>
  )
}
