// What you can do with a row: edit it and send it again, release it, copy it, go to its moment.

import { nameRow } from '../../control/rows/name-row.ts'
import { renderCurl } from '../../control/text/copy-curl.ts'
import {
  type CommandRequest,
  isTestable,
  requestOf,
  testOf,
} from '../../control/text/copy-logged.ts'
import { renderFetch, renderTests } from '../../control/text/copy-script.ts'
import { isWaiting, LACKS, type RequestRow, type TimelineRow } from '../../world/row.ts'
import { attempt } from '../model/actions.ts'
import { isInPage, mockUrl } from '../model/connection.ts'
import { askMoment, read } from '../model/mock.ts'
import { currentMoment, leaveMoment, lookAt } from '../model/moment.ts'
import { link } from '../model/route.ts'
import { showHidden } from '../model/text.ts'
import { Button, MockButton } from '../ui/button.tsx'
import { copy } from '../ui/copy.ts'
import { Menu } from '../ui/menu.tsx'
import { ReleaseMenu } from './release.tsx'
import { sendRequest } from './send-form.tsx'
import { shareLink } from './share-link.tsx'

type ActionsProps = { row: RequestRow; isEditing: boolean; onEdit(): void }

export function Actions({ row, isEditing, onEdit }: ActionsProps) {
  const request = readRequest(row)
  const note = row.lacks && `It ${LACKS[row.lacks]}.`
  const editClass = isWaiting(row) ? 'button' : 'button primary'
  return (
    <div class="buttons">
      {isWaiting(row) && <ReleaseMenu row={row} />}
      <Button class={editClass} hotkey="e" aria-expanded={isEditing} onClick={onEdit}>
        Edit and resend
      </Button>
      <MockButton
        hotkey="r"
        isOff={note !== undefined}
        title={note ?? describeKey(request)}
        onClick={() => sendRequest(request)}
      >
        Send again
      </MockButton>
      <CopyMenu row={row} note={note} />
      <LookButton row={row} />
      {!note && <small>{describeKey(request)}</small>}
    </div>
  )
}

function CopyMenu({ row, note }: { row: RequestRow; note: string | undefined }) {
  const copies = listCopies(row)
  return (
    <Menu name="Copy as" hotkey="y">
      {copies.map(([label, render]) => (
        <Button key={label} class="item" onClick={() => copyResult(render, note)}>
          {label}
        </Button>
      ))}
      <MockButton class="item" onClick={() => shareLink([row])}>
        link
      </MockButton>
    </Menu>
  )
}

function readRequest(row: RequestRow): CommandRequest {
  return requestOf(row, read('state', row.sandbox), mockUrl)
}

/** The log has only the end of the key that was sent. */
function describeKey({ headers }: CommandRequest): string {
  const { authorization } = headers
  if (authorization === undefined) return 'Send again uses no key'
  const key = authorization.replace(/^Bearer /, '')
  return `Send again uses the key ${showHidden(key)}`
}

/** Moves the page to the moment before the row. */
export function LookButton({ row }: { row: TimelineRow }) {
  const isThere = currentMoment()?.before === row.id
  const toggle = () => (isThere ? leaveMoment() : lookAt(row))
  return (
    <MockButton hotkey="g" aria-pressed={isThere} onClick={toggle}>
      Before this
    </MockButton>
  )
}

type Render = () => string | Promise<string>

function copyResult(render: Render, note: string | undefined) {
  return attempt(async () => copy(await render(), note))
}

function listCopies(row: RequestRow) {
  const copies: [label: string, render: Render][] = []
  // No other program reaches a mock inside a page.
  if (!isInPage) copies.push(['curl', () => renderCurl(readRequest(row))])
  copies.push(['fetch', () => renderFetch(readRequest(row))])
  if (isTestable(row)) copies.push(['Vitest test', () => renderTest(row)])
  // The address of a drawer is that of the app, and another player has another mock.
  if (!isInPage) copies.push(['address', () => addressOf(row)])
  return copies
}

function addressOf(row: RequestRow): string {
  const { sandbox } = row
  return new URL(link('timeline', nameRow(row), {}, sandbox), location.href).href
}

async function renderTest(row: RequestRow): Promise<string> {
  const moment = await askMoment(row)
  return renderTests([testOf(row, moment, mockUrl)])
}
