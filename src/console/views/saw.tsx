// What was true when a request came, and how that moment differs from another one.
import { assumptions } from '../../generated/contract.ts'
import type { RequestRow } from '../../world/row.ts'
import { nameOf } from '../entry.ts'
import { useComparison, useMoment, useRows } from '../mock.ts'
import { adjust, link, route } from '../route.ts'
import { showHidden } from '../text.ts'
import { Sign } from '../ui/controls.tsx'
import { Difference, Pair } from '../ui/difference.tsx'
import { isNarrow } from '../ui/pane.tsx'

export function Saw({ entry }: { entry: RequestRow }) {
  const moment = useMoment(entry)
  if (typeof moment !== 'object') return <p class="muted">{showHidden(moment ?? 'Loading…')}</p>
  const { state, diff } = moment
  const choiceOf = (id: string) => state.assume?.[id as keyof typeof state.assume] ?? assumptions.find((one) => one.id === id)?.default
  return (
    <section class="card" aria-label="What this request saw">
      <h3>Its state, compared with {showHidden(diff.scenario)}</h3>
      <Difference diff={diff}>
        {entry.assumptions.map((id) => (
          <Pair key={id} name="Depends on">
            <a class="mono" href={link('assumptions', id, {}, entry.sandbox)}>{`${id} = ${choiceOf(id)}`}</a>
          </Pair>
        ))}
      </Difference>
    </section>
  )
}

/** Starts a comparison: the next row that you open is the other side. */
export function startComparing(entry: RequestRow): void {
  adjust({ query: { compare: nameOf(entry) }, ...(isNarrow() && { part: '' }) })
}

/** The moment of a request beside the one that you compare it with; beside now until you choose another row. */
export function Comparison({ entry }: { entry: RequestRow }) {
  const chosen = useRows()?.find((row) => nameOf(row) === route.value.query.compare)
  const isOther = chosen !== undefined && chosen.id !== entry.id && chosen.sandbox === entry.sandbox
  const [first, second] = isOther ? [chosen, entry].sort((one, other) => one.id - other.id) : [entry]
  const diff = useComparison(first ?? entry, second)
  return (
    <section class="card" aria-label="Comparison">
      <div class="card-head">
        <h3>
          From row {first?.id} to {second ? `row ${second.id}` : 'now'}
        </h3>
        <Sign label="Stop comparing" onClick={() => adjust({ query: { compare: '' } })} />
      </div>
      {typeof diff === 'object' ? <Difference diff={diff} /> : <p class="muted">{showHidden(diff ?? 'Loading…')}</p>}
    </section>
  )
}
