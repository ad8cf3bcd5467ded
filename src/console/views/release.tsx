// Lets a response go that a fault holds, or that is delayed: as it was decided, or as another one.
import type { RequestRow } from '../../world/row.ts'
import type { ReleaseAs } from '../../world/waiting.ts'
import { attempt } from '../model/actions.ts'
import { control } from '../model/connection.ts'
import { MockButton } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'

const OTHERS: readonly (readonly [label: string, as: ReleaseAs])[] = [
  ['as 503', { status: 503 }],
  ['as 429', { status: 429 }],
  ['as lost', 'lost'],
]

function release(row: RequestRow, as?: ReleaseAs) {
  return attempt(() => control(row.sandbox).release(row.id, as))
}

/** Beside a row of the list. */
export function ReleaseLink({ row, tabIndex }: { row: RequestRow; tabIndex: number }) {
  const label = `Release row ${row.id}`
  return (
    <MockButton
      class="button link release"
      aria-label={label}
      tabIndex={tabIndex}
      onClick={() => release(row)}
    >
      Release
    </MockButton>
  )
}

export function ReleaseMenu({ row }: { row: RequestRow }) {
  return (
    <>
      <MockButton class="button primary" hotkey="v" onClick={() => release(row)}>
        Release
      </MockButton>
      <Menu name="Release as">
        {OTHERS.map(([label, as]) => (
          <MockButton key={label} class="item" onClick={() => release(row, as)}>
            {label}
          </MockButton>
        ))}
      </Menu>
    </>
  )
}
