// Which requests and changes made, changed and returned an animal.
import { nameRow } from '../../control/rows/name-row.ts'
import { isChange } from '../../world/row.ts'
import { type AnimalEvent, listAnimalEvents } from '../model/animal-rows.ts'
import { describeResult } from '../model/explain.ts'
import { readRows } from '../model/mock.ts'
import { link } from '../model/route.ts'
import { count, formatTime, showHidden } from '../model/text.ts'
import { Status } from '../ui/chip.tsx'

const MAX_SHOWN = 20

export function AnimalHistory({ id }: { id: string }) {
  const events = listAnimalEvents(readRows() ?? [], id)
  const made = events.filter((one) => one.verb !== 'returned')
  const returned = events.filter((one) => one.verb === 'returned')
  return (
    <section class="stack history" aria-label="History">
      <h3>History</h3>
      {made.map((event) => (
        <HistoryRow key={nameRow(event.row)} event={event} />
      ))}
      {made.length === 0 && <p class="muted">No row that is kept made or changed it.</p>}
      {returned.length > 0 && (
        <details>
          <summary>Returned by {count(returned.length, 'request')}</summary>
          {returned.slice(0, MAX_SHOWN).map((event) => (
            <HistoryRow key={nameRow(event.row)} event={event} />
          ))}
        </details>
      )}
    </section>
  )
}

function HistoryRow({ event }: { event: AnimalEvent }) {
  const { row, verb } = event
  const href = link('timeline', nameRow(row))
  return (
    <p>
      <a href={href}>row {row.id}</a> <time>{formatTime(row.realAt)}</time> {verb}{' '}
      {isChange(row) ? (
        <span class="muted">· {showHidden(row.text)}</span>
      ) : (
        <>
          <Status row={row} /> <span class="method">{row.method}</span>{' '}
          <bdi class="target">{showHidden(row.target)}</bdi>{' '}
          <span class="muted">{verb === 'returned' && showHidden(describeResult(row))}</span>
        </>
      )}
    </p>
  )
}
