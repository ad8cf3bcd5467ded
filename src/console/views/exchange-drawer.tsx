// One exchange of the journal in full: what was asked, what was answered, and what the answer rests on.

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
import type { WorldView } from '../state/world-view.ts'

interface ExchangeDrawerProps {
  readonly entry: JournalEntry
  /** Those that it stands among, the latest first. */
  readonly entries: readonly JournalEntry[]
  readonly state: ConsoleState
  readonly world: WorldView
  onSay(text: string): void
  onOpen(entry: JournalEntry | undefined): void
}

export function ExchangeDrawer({ entry, entries, state, world, onSay, onOpen }: ExchangeDrawerProps) {
  const index = entries.findIndex(({ id }) => id === entry.id)
  const newer = entries[index - 1]
  const older = index < 0 ? undefined : entries[index + 1]
  return (
    <Drawer
      title={
        <>
          {entry.method} <AnswerChip status={entry.status} />
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
      <Reasons entry={entry} world={world} />
      <Message title="Request" headers={Object.entries(entry.request.headers)} body={entry.request.body} />
      {isCut(entry.request.body) && <p class="muted">The body was longer; the journal keeps its beginning, and only that is copied.</p>}
      {entry.status === 0 ? (
        <p class="muted">The connection was dropped without a response.</p>
      ) : (
        <Message title="Response" headers={Object.entries(entry.answer.headers)} body={entry.answer.body} />
      )}
    </Drawer>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** The assumptions, faults and notes that explain the answer. */
function Reasons({ entry: { assumptions, faults, notes }, world }: { entry: JournalEntry; world: WorldView }) {
  if (assumptions.length + faults.length + notes.length === 0) return null
  return (
    <ul class="reasons" aria-label="Why this response">
      {faults.map((id) => (
        <li key={id}>
          <Chip tone="bad">{id === 'Prefer' ? 'Prefer' : `fault ${id}`}</Chip> {toFaultText(id, world)}
        </li>
      ))}
      {assumptions.map((id) => (
        <li key={id}>
          <Chip>{id}</Chip> {world.assumptions.find((one) => one.id === id)?.question}
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

function toFaultText(id: string, { faults }: WorldView): string {
  if (id === 'Prefer') return 'Requested by the Prefer header'
  const fault = faults.find((one) => one.id === id)
  return fault ? `${fault.operation === '*' ? 'Every operation' : fault.operation} ${describeFault(fault)}` : 'Removed since'
}
