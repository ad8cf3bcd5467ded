// Takes rows out of the page: those that you have chosen, or else those that the list shows.
import { nameRow } from '../../control/rows/name-row.ts'
import type { TimelineRow } from '../../world/row.ts'
import { chosen } from '../model/choice.ts'
import { count } from '../model/text.ts'
import { Button, MockButton } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { saveHar, saveRecording } from './save-file.ts'
import { shareLink } from './share-link.tsx'

/** `rows` are those that the list shows, newest first. */
export function ShareMenu({ rows }: { rows: readonly TimelineRow[] }) {
  const picked = rows.filter((row) => chosen.value.includes(nameRow(row)))
  const shared = picked.length > 0 ? picked : rows
  if (shared.length === 0) return null
  const which = picked.length > 0 ? 'chosen' : 'shown'
  return (
    <Menu name="Share" hotkey="h">
      <p class="about muted">
        {count(shared.length, 'row')} {which}
      </p>
      <MockButton class="item" onClick={() => shareLink(shared)}>
        Copy link
      </MockButton>
      <MockButton class="item" onClick={() => saveRecording(shared)}>
        Save recording
      </MockButton>
      <Button class="item" onClick={() => saveHar(shared)}>
        Save HAR
      </Button>
    </Menu>
  )
}
