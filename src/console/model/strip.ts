// Where the rows are on the strip above the list: in their order, and further apart the longer
// nothing happened between them.
import { printDuration } from '../../control/rows/print-duration.ts'
import { toneOf } from '../../control/rows/reasons.ts'
import { isChange, isWaiting, type TimelineRow } from '../../world/row.ts'

/** `pauseMs` is the time since the row before, and `room` its width. */
export type Placed = Readonly<{ row: TimelineRow; x: number; pauseMs: number; room: number }>
export type Tone = 'good' | 'warn' | 'bad' | 'waiting' | 'change' | 'left'
export type Label = Readonly<{ x: number; text: string }>

/** Ten times as long a pause takes this much more room. */
const UNITS_OF_TEN = 2
const SHORTEST_PAUSE_MS = 20
/** After the last row. */
const END_UNITS = 2
const LABEL_PX = 64
const PAUSE_LABEL_PX = 40
/** A shorter pause is not said. */
const PAUSE_MS = 10_000

/** The rows are newest first; what is returned is oldest first. */
export function placeRows(rows: readonly TimelineRow[], width: number): Placed[] {
  const placed: { row: TimelineRow; pauseMs: number; units: number }[] = []
  let total = 0
  let lastAt: number | undefined
  for (const row of rows.toReversed()) {
    const at = Date.parse(row.realAt)
    const pauseMs = Math.max(0, at - (lastAt ?? at))
    const units = 1 + UNITS_OF_TEN * Math.log10(1 + pauseMs / SHORTEST_PAUSE_MS)
    total += units
    lastAt = at
    placed.push({ row, pauseMs, units })
  }
  const unitPx = width / (total + END_UNITS)
  let x = 0
  return placed.map(({ row, pauseMs, units }) => {
    const room = units * unitPx
    x += room
    return { row, x, pauseMs, room }
  })
}

/** The place just before a row, or of now. */
export function placeBefore(placed: readonly Placed[], id: number | undefined, width: number) {
  const next = id === undefined ? undefined : placed.find((one) => one.row.id >= id)
  if (!next) return width
  return next.x - Math.min(next.room / 2, 4)
}

/** The first row to the right of a place; undefined right of all, which is now. */
export function findRowAt(placed: readonly Placed[], x: number): TimelineRow | undefined {
  return placed.find((one) => one.x >= x)?.row
}

export function findLastBefore(placed: readonly Placed[], x: number): TimelineRow | undefined {
  return placed.findLast((one) => one.x <= x)?.row
}

export function findNearest(placed: readonly Placed[], x: number): TimelineRow | undefined {
  let nearest: Placed | undefined
  for (const one of placed) {
    if (!nearest || Math.abs(one.x - x) < Math.abs(nearest.x - x)) nearest = one
  }
  return nearest?.row
}

export function toneOfMark(row: TimelineRow): Tone {
  if (isChange(row)) return 'change'
  return isWaiting(row) ? 'waiting' : toneOf(row)
}

/** Each second where a row begins it, if there is room to say it. */
export function listTimes(placed: readonly Placed[], width: number): Label[] {
  const labels: Label[] = []
  let free = 0
  let last = ''
  for (const { row, x } of placed) {
    const text = row.realAt.slice(11, 19)
    if (text === last || x < free || x + LABEL_PX > width) continue
    labels.push({ x, text })
    last = text
    free = x + LABEL_PX
  }
  return labels
}

/** Where nothing happened for long. */
export function listPauses(placed: readonly Placed[]): (Label & { readonly room: number })[] {
  const pauses = placed.filter(({ pauseMs, room }) => pauseMs >= PAUSE_MS && room > 6)
  return pauses.map(({ x, room, pauseMs }) => {
    const text = room >= PAUSE_LABEL_PX ? printPause(pauseMs) : ''
    return { x: x - room, room, text }
  })
}

function printPause(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 2) return printDuration(ms)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
