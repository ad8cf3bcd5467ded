// A link that has rows in it. What it holds is said before it is copied.
import { LONG_LINK_CHARACTERS } from '../../contract/limits.ts'
import { createLink, isLongLink } from '../../control/text/link.ts'
import type { TimelineRow } from '../../world/row.ts'
import { attempt } from '../model/actions.ts'
import { control } from '../model/connection.ts'
import { count } from '../model/text.ts'
import { Button, MockButton } from '../ui/button.tsx'
import { copy } from '../ui/copy.ts'
import { dialog } from '../ui/dialog.tsx'
import { readRecording, saveRecording } from './save-file.ts'

const FEW_ROWS = 50

/** The rows are newest first. A single one is what the link shows. */
export function shareLink(rows: readonly TimelineRow[]) {
  return attempt(async () => {
    const link = await createLinkTo(rows)
    dialog.value = {
      title: `Copy a link to ${count(rows.length, 'row')}?`,
      text: (
        <>
          <p>{link.about}</p>
          {isLongLink(link) && (await renderAdvice(link.url, rows))}
        </>
      ),
      verb: 'Copy link',
      run: () => copy(link.url),
    }
  })
}

async function createLinkTo(rows: readonly TimelineRow[]) {
  const [recording, { player }] = await Promise.all([readRecording(rows), control(null).summary()])
  const row = rows.length === 1 ? rows[0]?.id : undefined
  return createLink(recording, { player, row })
}

async function renderAdvice(url: string, rows: readonly TimelineRow[]) {
  const few = rows.slice(0, FEW_ROWS)
  const short = few.length < rows.length ? await createLinkTo(few) : undefined
  const hasShort = short !== undefined && !isLongLink(short)
  return (
    <>
      <p>
        It has {count(url.length, 'character')}. Many chats cut a link of more than{' '}
        {count(LONG_LINK_CHARACTERS)}.
      </p>
      <div class="buttons">
        {hasShort && (
          <Button type="submit" onClick={() => copy(short.url)}>
            Copy a link to the last {FEW_ROWS} rows
          </Button>
        )}
        <MockButton type="submit" onClick={() => saveRecording(rows)}>
          Save a file instead
        </MockButton>
      </div>
    </>
  )
}
