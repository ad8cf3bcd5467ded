// One exchange of the journal in full: what was asked, what was answered, and what the answer rests on.

import { useLayoutEffect } from 'preact/hooks'
import { describeFault } from '../../client/describe-fault.ts'
import type { JournalEntry } from '../../world/journal.ts'
import { AnswerChip, Chip } from '../parts/chip.tsx'
import { CopyCommand } from '../parts/copy-command.tsx'
import { Drawer } from '../parts/drawer.tsx'
import { toDuration } from '../parts/instants.ts'
import { Message } from '../parts/message.tsx'
import { toVisible } from '../parts/to-visible.ts'
import type { ConsoleState } from '../state/console-state.ts'
import { isCut, toEntryRequest } from '../state/to-entry-request.ts'
import { toErrorMessage } from '../state/to-error-message.ts'
import type { WorldView } from '../state/world-view.ts'
import type { ViewProps } from './view.ts'

interface ExchangeDrawerProps {
  /** Undefined if the journal does not have it any more. */
  readonly entry: JournalEntry | undefined
  /** Those that it stands among, the latest first. */
  readonly entries: readonly JournalEntry[]
  readonly state: ConsoleState
  readonly world: WorldView
  link: ViewProps['link']
  onSay(text: string): void
  onOpen(entry: JournalEntry | undefined): void
}

export function ExchangeDrawer({ entry, entries, state, world, link, onSay, onOpen }: ExchangeDrawerProps) {
  const index = entries.findIndex(({ id }) => id === entry?.id)
  const newer = entries[index - 1]
  const older = index < 0 ? undefined : entries[index + 1]
  useArrowKeys(newer, older, onOpen)
  if (!entry) {
    return (
      <Drawer title="Request" onClose={() => onOpen(undefined)}>
        <p>This request is not in the journal; it may have been cleared, or displaced by newer ones.</p>
      </Drawer>
    )
  }
  return (
    <Drawer
      title={
        <>
          {entry.method} <AnswerChip status={entry.status} outcome={entry.outcome} />
        </>
      }
      onClose={() => onOpen(undefined)}
      foot={
        <>
          <CopyCommand request={() => toEntryRequest(entry, location.origin, state.sandbox, world)} onFailure={onSay} />
          <span class="apart" />
          <button type="button" class="button" disabled={!newer} onClick={() => onOpen(newer)}>
            Newer
          </button>
          <button type="button" class="button" disabled={!older} onClick={() => onOpen(older)}>
            Older
          </button>
        </>
      }
    >
      <p class="target mono">
        <bdi>{toVisible(entry.target)}</bdi>
      </p>
      <dl class="facts">
        <Fact name="Time" value={entry.at} />
        <Fact name="Operation" value={entry.operation ?? 'none'} />
        <Fact name="Duration" value={toDuration(entry.durationMs)} />
        <Fact name="Key" value={entry.key ?? 'none'} />
      </dl>
      <Reasons {...{ entry, world, link }} />
      <Message title="Request" headers={Object.entries(entry.request.headers)} body={entry.request.body} />
      {isCut(entry.request.body) && <p class="muted">The body was longer; the journal keeps its beginning, and only that is copied.</p>}
      {entry.status === 0 ? (
        <p class="muted">
          {entry.outcome === 'aborted' ? 'The client left before the response was sent.' : 'The connection was dropped without a response.'}
        </p>
      ) : (
        <Message title="Response" headers={Object.entries(entry.answer.headers)} body={entry.answer.body} />
      )}
    </Drawer>
  )
}

/** Up and down move through the list, unless what has the focus uses these keys itself. */
function useArrowKeys(newer: JournalEntry | undefined, older: JournalEntry | undefined, onOpen: (entry: JournalEntry) => void): void {
  // Before the next paint: a key pressed right after must find the new neighbours.
  useLayoutEffect(() => {
    const step = (event: KeyboardEvent) => {
      const next = event.key === 'ArrowUp' ? newer : event.key === 'ArrowDown' ? older : undefined
      if (!next || (event.target instanceof Element && event.target.matches('input, select, textarea, .code, .drawer-body'))) return
      event.preventDefault()
      onOpen(next)
    }
    addEventListener('keydown', step)
    return () => removeEventListener('keydown', step)
  }, [newer, older])
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** The error, assumptions, faults and notes that explain the response. */
function Reasons({ entry, world, link }: { entry: JournalEntry; world: WorldView; link: ViewProps['link'] }) {
  const { assumptions, faults } = entry
  const message = toErrorMessage(entry)
  // A near miss is often the very message of the error.
  const notes = entry.notes.filter((note) => note !== message)
  if (message === undefined && assumptions.length + faults.length + notes.length === 0) return null
  return (
    <ul class="reasons" aria-label="Why this response">
      {message !== undefined && (
        <li>
          <Chip tone="warn">error</Chip> <bdi>{toVisible(message)}</bdi>
        </li>
      )}
      {faults.map((id) => (
        <li key={id}>
          <Chip tone="bad">{id === 'Prefer' ? 'Prefer' : `fault ${id}`}</Chip> {toFaultText(id, world)}{' '}
          {world.faults.some((fault) => fault.id === id) && <a href={link('faults', id)}>Show</a>}
        </li>
      ))}
      {assumptions.map((id) => (
        <li key={id}>
          <Chip>{id}</Chip> {toAssumptionText(id, world)} <a href={link('assumptions', id)}>Change</a>
        </li>
      ))}
      {notes.map((note) => (
        <li key={note}>
          <Chip>note</Chip> <bdi>{toVisible(note)}</bdi>
        </li>
      ))}
    </ul>
  )
}

function toAssumptionText(id: string, { assumptions }: WorldView): string {
  const assumption = assumptions.find((one) => one.id === id)
  return assumption ? `${assumption.question} Now: ${assumption.choice}.` : ''
}

function toFaultText(id: string, { faults }: WorldView): string {
  if (id === 'Prefer') return 'Requested by the Prefer header'
  const fault = faults.find((one) => one.id === id)
  return fault ? `${fault.operation === '*' ? 'Every operation' : fault.operation} ${describeFault(fault)}` : 'Removed since'
}
