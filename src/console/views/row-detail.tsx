// One row in full: its messages in tabs, what you can do with it, the reason for its response, and
// what would have been.
import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { nameRow } from '../../control/rows/name-row.ts'
import { printDuration } from '../../control/rows/print-duration.ts'
import { isRefused, toneOf } from '../../control/rows/reasons.ts'
import { isMoved } from '../../control/text/copy-logged.ts'
import { describeKeyRule } from '../../control/text/working-key.ts'
import {
  type ChangeRow,
  isChange,
  isWaiting,
  type RequestRow,
  type TimelineRow,
} from '../../world/row.ts'
import type { Item } from '../model/arrange.ts'
import { hasDraft } from '../model/drafts.ts'
import { causesOf, describeResult, findAdded, sayCause } from '../model/explain.ts'
import { read, readPet } from '../model/mock.ts'
import { findOnward, findWould } from '../model/onward.ts'
import { link, route } from '../model/route.ts'
import { capitalize, count, formatDate, formatTime, shorten, showHidden } from '../model/text.ts'
import { Status, Waited } from '../ui/chip.tsx'
import { Pane } from '../ui/pane.tsx'
import { ChangeOne, EditForm, WouldBe } from './change-one.tsx'
import { Comparison } from './comparison.tsx'
import { Message, Tabs } from './messages.tsx'
import { Actions, LookButton } from './row-actions.tsx'
import { draftOfRow } from './send-form.tsx'
import { TakeBack } from './timeline-line.tsx'

export type DetailLine = (Item & { readonly isLeft: boolean }) | undefined

export function RowDetail({ row, line }: { row: TimelineRow | undefined; line: DetailLine }) {
  if (!row) return <Pane title={`Row ${route.value.part}`}>Not among the last rows.</Pane>
  if (isChange(row)) return <ChangeDetail row={row} line={line} />
  return <RequestDetail row={row} line={line} />
}

function ChangeDetail({ row, line }: { row: ChangeRow; line: DetailLine }) {
  const title = (
    <>
      <bdi>{showHidden(row.text)}</bdi> <RowNumber row={row} />
    </>
  )
  const note = findOnward(row)?.note
  return (
    <Pane hasRows title={title}>
      <p class="muted">{describeMoment(row, line)}</p>
      {note && <p class="would">{showHidden(note)}</p>}
      <div class="buttons">
        {line && <TakeBack line={line} />}
        <LookButton row={row} />
      </div>
      <Comparison row={row} />
    </Pane>
  )
}

/**
 * In a wide detail, what is known about a request is beside its messages; else the messages are
 * between the reason and what you can change.
 */
function RequestDetail({ row, line }: { row: RequestRow; line: DetailLine }) {
  const [isEditing, setEditing] = useState(hasDraft(draftOfRow(row)))
  const isComparing = Boolean(route.value.query.compare)
  const isOther = !isComparing && findWould(row) !== undefined
  const alternative = isOther && <WouldBe row={row} />
  const toggleForm = () => setEditing(!isEditing)
  return (
    <Pane hasRows title={<RequestTitle row={row} />} tabs={<Tabs row={row} isCompared={isOther} />}>
      <div class="stack facts">
        <Actions row={row} isEditing={isEditing} onEdit={toggleForm} />
        {isEditing && <EditForm row={row} />}
        <Reason row={row} line={line} />
        <Facts row={row} line={line} />
        {!isComparing && <ChangeOne row={row} isEditing={isEditing} onEdit={toggleForm} />}
      </div>
      <div class="stack">
        {isComparing && <Comparison row={row} />}
        <Message row={row} alternative={alternative} />
      </div>
    </Pane>
  )
}

function RequestTitle({ row }: { row: RequestRow }) {
  const { method, target } = row
  const would = findWould(row)
  return (
    <>
      <Status row={row} />{' '}
      {would && (
        <span class="would">
          → <Status row={would} />{' '}
        </span>
      )}
      <span class="method">{method}</span> <bdi class="target">{showHidden(target)}</bdi>{' '}
      <RowNumber row={row} />
    </>
  )
}

function RowNumber({ row }: { row: TimelineRow }) {
  return <small class="no">{`row\u00a0${row.id}`}</small>
}

/** When it came, how long it took, with which key, and for which operation. */
function Facts({ row, line }: { row: RequestRow; line: DetailLine }) {
  const { sandbox, key, operation } = row
  const shownKey = sandbox === null ? key : shorten(sandbox)
  const keyText = shownKey === null ? 'no key' : `key ${shownKey}`
  const operationText = operation === null ? '' : ` · ${operation}`
  return (
    <p class="muted">
      {describeMoment(row, line)} · <Took row={row} /> · <span class="key">{keyText}</span>
      {operationText}
    </p>
  )
}

function Took({ row }: { row: RequestRow }) {
  if (isWaiting(row)) return <Waited since={row.realAt} />
  return <>{printDuration(row.durationMs)}</>
}

function describeMoment(row: TimelineRow, line: DetailLine): string {
  const left = line?.isLeft ? 'Left behind · ' : ''
  const moved = isMoved(row) ? ` (${formatDate(row.at)} by the mock's clock)` : ''
  return `${left}${formatTime(row.realAt)} UTC${moved}`
}

function Reason({ row, line }: { row: RequestRow; line: DetailLine }) {
  const [first = describeResult(row), ...others] = causesOf(row).map(sayCause)
  const isLeft = line?.isLeft === true
  const attempts = line?.kind === 'request' ? line.rows : []
  return (
    <section class={frameOf(row)} aria-label="Why this response">
      <strong>{showHidden(first)}</strong>
      {others.map((text) => (
        <bdi key={text}>{showHidden(text)}</bdi>
      ))}
      {!isLeft && <AddedAnimal row={row} />}
      <KeyRule row={row} />
      <Attempts rows={attempts} current={row} />
    </section>
  )
}

/** The class of a card, unless all went as usual. */
function frameOf(row: RequestRow): string {
  const tone = toneOf(row)
  if (tone !== 'good') return `card reason ${tone}`
  return row.faults.length === 0 ? 'note' : 'card reason warn'
}

/** Which keys are valid, if that is why a request was refused. */
function KeyRule({ row }: { row: RequestRow }) {
  const wasKeyRefused = row.status === 401 && isRefused(row)
  if (!wasKeyRefused) return null
  const rule = describeKeyRule(read('state', row.sandbox))
  return <p>{capitalize(rule)}.</p>
}

/** A link to the animal that a request added, if it is still there. */
function AddedAnimal({ row }: { row: RequestRow }) {
  const added = findAdded(row)
  if (!added) return null
  const id = String(added.id)
  if (!readPet(id, row.sandbox)) return null
  const href = link('animals', id, {}, row.sandbox)
  return <a href={href}>Show animal {id}</a>
}

/** Links to the rows of a run, the oldest first. */
function Attempts({ rows, current }: { rows: readonly RequestRow[]; current: RequestRow }) {
  if (rows.length < 2) return null
  const oldestFirst = rows.toReversed()
  return (
    <p class="attempts">
      Sent {count(rows.length)} times. Rows{' '}
      {oldestFirst.map((row, index) => (
        <Fragment key={row.id}>
          {index > 0 && ', '}
          <RowLink row={row} isCurrent={row === current} />
        </Fragment>
      ))}
    </p>
  )
}

function RowLink({ row, isCurrent }: { row: RequestRow; isCurrent: boolean }) {
  if (isCurrent) return <b>{row.id}</b>
  const href = link('timeline', nameRow(row), route.value.query)
  return <a href={href}>{row.id}</a>
}
