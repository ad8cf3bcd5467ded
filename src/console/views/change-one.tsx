// Change one thing at the moment of a request: what the mock offers, and what you edit. A choice
// moves the page to that moment, and asks about all requests since.
import { useEffect, useRef } from 'preact/hooks'
import { toJson } from '../../contract/int64-json.ts'
import type { Alternative, WhatIfChange } from '../../control/control.ts'
import { describeWhatIfChange } from '../../control/describe-what-if-change.ts'
import { type CommandRequest, requestOf } from '../../control/text/copy-logged.ts'
import type { RequestRow } from '../../world/row.ts'
import { mockUrl } from '../model/connection.ts'
import { hasDraft } from '../model/drafts.ts'
import { press } from '../model/hotkeys.ts'
import { read, readPast } from '../model/mock.ts'
import { currentMoment, leaveMoment, lookAt } from '../model/moment.ts'
import { findWould } from '../model/onward.ts'
import { go, link, route } from '../model/route.ts'
import { showHidden } from '../model/text.ts'
import { Button, MockButton } from '../ui/button.tsx'
import { Loading, Status, UNSAVED } from '../ui/chip.tsx'
import { draftOfRow, SendForm } from './send-form.tsx'
import { responseSide, Sides, TRANSPORT } from './sides.tsx'

/** Edits the request, to send it or to ask about it. */
export function EditForm({ row }: { row: RequestRow }) {
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const first = form.current?.querySelector<HTMLElement>('textarea, input')
    first?.focus({ preventScroll: true })
    form.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={form}>
      <SendForm
        draft={draftOfRow(row)}
        request={withAllHeaders(row)}
        hasFault={row.struck !== undefined}
        onAsk={(change) => lookAt(row, change)}
      />
    </div>
  )
}

/** The request as the log has it, with a key that works: the log has none. */
function withAllHeaders(row: RequestRow): CommandRequest {
  const request = requestOf(row, read('state', row.sandbox), mockUrl)
  const logged = Object.entries(row.request.headers).filter(([name]) => !TRANSPORT.test(name))
  return { ...request, headers: { ...request.headers, ...Object.fromEntries(logged) } }
}

type ChangeOneProps = { row: RequestRow; isEditing: boolean; onEdit(): void }

export function ChangeOne({ row, isEditing, onEdit }: ChangeOneProps) {
  const alternatives = readAlternatives(row)
  const isUnsaved = hasDraft(draftOfRow(row))
  const editAnimal = () => {
    lookAt(row)
    go(link('animals'))
  }
  const addFault = () => {
    lookAt(row)
    setTimeout(() => press('b'))
  }
  return (
    <section class="change-one" aria-label="Change one thing">
      <h3>
        Change one thing <small>and see which responses it changes</small>
      </h3>
      <div class="choices-row">
        {typeof alternatives === 'object' &&
          alternatives.map((one) => (
            <Choice key={toJson(one.change)} row={row} alternative={one} />
          ))}
        {typeof alternatives === 'string' && <Loading text={alternatives} />}
        <Button class="pill dashed" aria-expanded={isEditing} onClick={onEdit}>
          edit the request… {isUnsaved && UNSAVED}
        </Button>
        <MockButton class="pill dashed" onClick={editAnimal}>
          edit an animal…
        </MockButton>
        <MockButton class="pill dashed" onClick={addFault}>
          add a fault…
        </MockButton>
      </div>
    </section>
  )
}

function readAlternatives(row: RequestRow) {
  return readPast(row, 'alternatives', (mock) => mock.whatIf(row.id, { alternatives: true }))
}

function isSupposed(row: RequestRow, change: WhatIfChange): boolean {
  return currentMoment()?.before === row.id && route.value.query.if === toJson(change)
}

function Choice({ row, alternative }: { row: RequestRow; alternative: Alternative }) {
  const { change, error } = alternative
  const isChosen = isSupposed(row, change)
  const choose = () => (isChosen ? leaveMoment() : lookAt(row, change))
  return (
    <MockButton
      class="pill choice"
      aria-pressed={isChosen}
      title={error === null ? '' : showHidden(error)}
      onClick={choose}
    >
      {alternative.status !== null && <Status row={alternative} />} {describeWhatIfChange(change)}
    </MockButton>
  )
}

/** The response that was sent beside the one that the row would have got. */
export function WouldBe({ row }: { row: RequestRow }) {
  const would = findWould(row)
  if (!would) return null
  const notes = [would.error, ...would.notes].filter((note) => note !== null)
  return (
    <>
      <Sides
        name="Response"
        pair={[responseSide(row, 'sent'), responseSide(would, 'would be')]}
        isRevealed
      />
      {notes.length > 0 && <p class="muted">{showHidden(notes.join(' · '))}</p>}
    </>
  )
}
