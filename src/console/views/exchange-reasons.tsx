// Why a request got the response that it got: the error, the faults, the assumptions and what else the journal noted.
import { describeFault } from '../../client/describe-fault.ts'
import type { JournalEntry } from '../../world/journal-entry.ts'
import { Chip } from '../parts/chip.tsx'
import { toVisible } from '../parts/to-visible.ts'
import type { WorldView } from '../state/world-view.ts'
import type { ViewProps } from './view.ts'

interface ExchangeReasonsProps {
  readonly entry: JournalEntry
  /** The one that it was in; undefined until it is known. */
  readonly world: WorldView | undefined
  link: ViewProps['link']
}

export function ExchangeReasons({ entry, world, link }: ExchangeReasonsProps) {
  const { assumptions, faults, error } = entry
  // A near miss is often the very message of the error.
  const notes = entry.notes.filter((note) => note !== error)
  if (error === null && assumptions.length + faults.length + notes.length === 0) return null
  return (
    <ul class="reasons" aria-label="Why this response">
      {error !== null && (
        <li>
          <Chip tone="warn">error</Chip> <bdi>{toVisible(error)}</bdi>
        </li>
      )}
      {faults.map((id) => (
        <li key={id}>
          <Chip tone="bad">{id === 'Prefer' ? 'Prefer' : `fault ${id}`}</Chip> {toFaultText(id, world)}{' '}
          {world?.faults.some((fault) => fault.id === id) && <a href={link('faults', id)}>Show</a>}
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

function toAssumptionText(id: string, world: WorldView | undefined): string {
  const assumption = world?.assumptions.find((one) => one.id === id)
  return assumption ? `${assumption.question} Now: ${assumption.choice}.` : ''
}

function toFaultText(id: string, world: WorldView | undefined): string {
  if (id === 'Prefer') return 'Requested by the Prefer header'
  if (!world) return ''
  const fault = world.faults.find((one) => one.id === id)
  return fault ? `${fault.operation === '*' ? 'Every operation' : fault.operation} ${describeFault(fault)}` : 'Removed since'
}
