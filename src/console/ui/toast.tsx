// The message at the bottom of the page.
import { dismiss, notice, undo } from '../actions.ts'
import { connection } from '../connection.ts'
import { isUndo } from '../entry.ts'
import { useRows } from '../mock.ts'
import { showHidden } from '../text.ts'
import { Act, Button } from './controls.tsx'

/** At the bottom of the page: it moves nothing, and goes by itself unless it is a problem. */
export function Toast() {
  return (
    <div class="toast" role="status">
      {connection.value === 'waiting' ? 'The mock is not responding. You see what it had last.' : <Message />}
    </div>
  )
}

function Message() {
  if (!notice.value) return null
  const { kind, text, row } = notice.value
  const isRedo = row !== undefined && isUndo(row, useRows() ?? [])
  return (
    <>
      <bdi class={kind}>{showHidden(text)}</bdi>
      {/* Neither takes the focus from where it is. */}
      <span class="buttons" role="none" onMouseDown={(event) => event.preventDefault()}>
        {row && (
          <>
            <Act onClick={() => undo(row.id, row.sandbox)}>{isRedo ? 'Redo' : 'Undo'}</Act>
            <kbd>{isRedo ? 'Ctrl Shift Z' : 'Ctrl Z'}</kbd>
          </>
        )}
        <Button class="button quiet" aria-label="Dismiss" onClick={dismiss}>
          ✕
        </Button>
      </span>
    </>
  )
}
