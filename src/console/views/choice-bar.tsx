// What you can do with the rows that you have chosen.
import { nameRow } from '../../control/rows/name-row.ts'
import type { TimelineRow } from '../../world/row.ts'
import { chosen } from '../model/choice.ts'
import { adjust } from '../model/route.ts'
import { count } from '../model/text.ts'
import { Button, MockButton } from '../ui/button.tsx'

export function ChoiceBar({ rows }: { rows: readonly TimelineRow[] }) {
  const names = chosen.value
  if (names.length === 0) return null
  const clear = () => {
    chosen.value = []
  }
  const known = rows.filter((row) => names.includes(nameRow(row)))
  const [newer] = known
  const older = known.at(-1)
  const compare = () => {
    if (!newer || !older) return
    adjust({ part: nameRow(newer), query: { compare: nameRow(older) } })
    clear()
  }
  return (
    <section class="choice-bar" aria-label="Chosen rows">
      <b>{count(names.length, 'row')} chosen</b>
      <MockButton hotkey="c" isOff={newer === older} onClick={compare}>
        Compare
      </MockButton>
      <Button class="button quiet" onClick={clear}>
        Clear
      </Button>
    </section>
  )
}
