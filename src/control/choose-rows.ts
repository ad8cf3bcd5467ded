// Which rows a recording has, by their ids or by their number; without either, all of them.
import { notFound, UsageError } from '../contract/errors.ts'
import type { KeptRow } from '../world/kept-row.ts'
import type { World } from '../world/world.ts'
import type { RecordingOptions } from './control.ts'

type Row = Pick<KeptRow, 'id'>

export function chooseRows(
  worlds: readonly World[],
  choice: RecordingOptions,
): ((row: Row) => boolean) | undefined {
  const { rows, last } = choice
  if (rows === undefined) return last === undefined ? undefined : isAmongLast(worlds, last)
  if (last !== undefined)
    throw new UsageError({ kind: 'text', path: 'last', text: 'cannot be combined with rows' })
  const isWanted = isIn(rows)
  if (!listIds(worlds).some((id) => isWanted({ id }))) throw notFound('Row', rows)
  return isWanted
}

function isIn(rows: string): (row: Row) => boolean {
  const ranges = rows.split(',').map((part) => {
    const [first = '', end = first] = part.split('-')
    return { first: Number(first), end: Number(end) }
  })
  return ({ id }) => ranges.some(({ first, end }) => id >= first && id <= end)
}

function isAmongLast(worlds: readonly World[], last: number): (row: Row) => boolean {
  const ids = listIds(worlds).sort((one, other) => one - other)
  const earliest = ids[Math.max(0, ids.length - last)] ?? 0
  return ({ id }) => last > 0 && id >= earliest
}

function listIds(worlds: readonly World[]): number[] {
  return worlds.flatMap((world) => world.timeline.rows({ waiting: true }).map(({ id }) => id))
}
