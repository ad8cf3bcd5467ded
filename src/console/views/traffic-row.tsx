// One line of the traffic: what was asked, what came of it, and why.
import { AnswerChip, Chip } from '../parts/chip.tsx'
import { isOff, toDuration, toTime } from '../parts/instants.ts'
import { cell, row } from '../parts/table-roles.ts'
import { toBreakable } from '../parts/to-breakable.tsx'
import { toVisible } from '../parts/to-visible.ts'
import { type ShownEntry, toEntryName, toKeyText } from '../state/filter-traffic.ts'

/** So many characters at the end of a key are always shown. */
const KEY_END = 6

interface TrafficRowProps {
  readonly entry: ShownEntry
  readonly isOpen: boolean
  /** The address of the world of a key; undefined where only one world is shown. */
  readonly link: ((key: string) => string) | undefined
  onOpen(): void
}

export function TrafficRow({ entry, isOpen, link, onOpen }: TrafficRowProps) {
  const { outcome, method, target, operation, status, durationMs, assumptions, faults, error } = entry
  return (
    <tr {...row} class={isOpen ? 'opened' : ''}>
      <td {...cell} class="at-time mono">
        <EntryTime entry={entry} />
      </td>
      <td {...cell} class="at-status">
        <AnswerChip status={status} outcome={outcome} />
      </td>
      <td {...cell} class="at-method mono">
        {method}
      </td>
      <td {...cell} class="at-path mono">
        <button type="button" class="open" data-entry={toEntryName(entry)} onClick={onOpen}>
          <bdi class="path">{toBreakable(target)}</bdi>
        </button>
      </td>
      <td {...cell} class="at-operation">
        {operation ?? <span class="muted">none</span>}
      </td>
      <td {...cell} class="at-duration numbers">
        {outcome === 'waiting' ? '…' : toDuration(durationMs)}
      </td>
      <td {...cell} class="at-key mono">
        <EntryKey entry={entry} link={link} />
      </td>
      <td {...cell} class="at-why">
        {faults.map((id) => (
          <Chip key={id} tone="bad">
            {id === 'Prefer' ? 'Prefer' : `fault ${id}`}
          </Chip>
        ))}
        {assumptions.map((id) => (
          <Chip key={id}>{id}</Chip>
        ))}
        {error !== null && <bdi class="why-text">{toVisible(error)}</bdi>}
      </td>
    </tr>
  )
}

/** The mock's time, with the date and the real time where they differ. */
function EntryTime({ entry: { at, realAt } }: { entry: ShownEntry }) {
  if (!isOff(Date.parse(at), Date.parse(realAt))) return <time dateTime={at}>{toTime(at)}</time>
  return (
    <>
      <time dateTime={at}>
        <span class="date">{at.slice(0, 10)}</span> {toTime(at)}
      </time>
      <span class="real-time">real {toTime(realAt)}</span>
    </>
  )
}

function EntryKey({ entry, link }: { entry: ShownEntry; link: TrafficRowProps['link'] }) {
  const { sandbox } = entry
  if (link && sandbox !== null) {
    return (
      <a class="enter" href={link(sandbox)} title={`Show the sandbox of ${sandbox}`} aria-label={sandbox}>
        {/* Where the whole does not fit, the first part is cut. */}
        <span class="one-line">{sandbox.slice(0, -KEY_END)}</span>
        <span>{sandbox.slice(-KEY_END)}</span>
      </a>
    )
  }
  return entry.key ?? <span class="muted">{toKeyText(entry) ?? 'no key'}</span>
}
