// Requests and changes over time: bars by status, as high as they took long; diamonds for changes; a line while a fault is on. A click opens
// the row there, a drag filters. The list below has the same for the keyboard.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ChangeRow } from '../../world/change.ts'
import { isChange, isRequest } from '../../world/change.ts'
import type { LiveFault } from '../../world/faults.ts'
import { nameOf, type Row, toneOf } from '../entry.ts'
import { use } from '../mock.ts'
import { adjust, route } from '../route.ts'
import { count, showHidden } from '../text.ts'

const HEIGHT = 66
const GROUND = 50
const MARGIN = 16
/** The newest rows; more would be a smear. */
const MAX_ROWS = 200
/** Longer pauses look alike, so that an hour of silence does not squeeze the rest. */
const LONGEST_PAUSE_MS = 10_000
const LEAST_PAUSE_MS = 400
const LABEL_GAP_PX = 9
/** The least room for a label, and the most. */
const LABEL_PX = [56, 240] as const

type Mark = { readonly row: Row; readonly x: number }

export function Strip({ rows }: { rows: readonly Row[] }) {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [from, setFrom] = useState<Mark>()
  const faults = use('faults') ?? []
  useLayoutEffect(() => {
    if (!box.current) return undefined
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  const marks = placeRows(rows, width)
  const nearest = (event: PointerEvent) => {
    const x = event.clientX - (box.current?.getBoundingClientRect().left ?? 0)
    return marks.toSorted((one, other) => Math.abs(one.x - x) - Math.abs(other.x - x))[0]
  }
  const finish = (event: PointerEvent) => {
    const to = nearest(event)
    setFrom(undefined)
    if (!from || !to) return
    if (Math.abs(from.x - to.x) > 8) {
      const ids = [from.row.id, to.row.id]
      adjust({ part: '', query: { from: String(Math.min(...ids)), to: String(Math.max(...ids)) } })
    } else if (isRequest(to.row)) adjust({ part: nameOf(to.row) })
    else document.getElementById(`row-${nameOf(to.row)}`)?.scrollIntoView({ block: 'center' })
  }
  const changes = marks.filter(({ row }) => isChange(row))
  const label = `${count(marks.length - changes.length, 'request')} and ${count(changes.length, 'change')}`
  return (
    <div class="strip" role="none" ref={box} onPointerDown={(event) => setFrom(nearest(event))} onPointerUp={finish}>
      <svg role="img" aria-label={label} width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`}>
        <path class="ground" d={`M0 ${GROUND}H${width}`} />
        {findFaultTimes(changes, width, faults).map(([start, end]) => (
          <rect key={start} class="fault" x={start} y={GROUND} width={Math.max(2, end - start)} height={3} />
        ))}
        {marks.map((mark) => (
          <Shape key={nameOf(mark.row)} {...mark} />
        ))}
        <text x={MARGIN} y={HEIGHT - 3}>
          {marks[0]?.row.at.slice(11, 19)}
        </text>
        <text x={width - MARGIN} y={HEIGHT - 3} text-anchor="end">
          {marks.at(-1)?.row.at.slice(11, 19)}
        </text>
        {changes.map(({ row, x }, index) => {
          const room = (changes[index + 1]?.x ?? width) - x - 2 * LABEL_GAP_PX
          return (
            room >= LABEL_PX[0] && (
              <foreignObject key={nameOf(row)} x={x + LABEL_GAP_PX} y={-1} width={Math.min(room, LABEL_PX[1])} height={18}>
                <div class="label">{isChange(row) && showHidden(row.text)}</div>
              </foreignObject>
            )
          )
        })}
      </svg>
    </div>
  )
}

function Shape({ row, x }: Mark) {
  if (isChange(row))
    return (
      <g class="change">
        <path class="stem" d={`M${x} 10V${GROUND}`} />
        <path class="diamond" d={`M${x} 3l5 5-5 5-5-5z`} />
      </g>
    )
  const height = Math.min(38, 8 + Math.log10(1 + row.durationMs) * 11)
  return (
    <>
      <rect class={`bar-of ${toneOf(row)}`} x={x - 3} y={GROUND - height} width={6} height={height} rx={2} />
      {route.value.part === nameOf(row) && <rect class="shown" x={x - 7} y={GROUND - height - 5} width={14} height={height + 5} rx={4} />}
    </>
  )
}

/** From left to right by time, oldest first. */
function placeRows(rows: readonly Row[], width: number): Mark[] {
  const shown = rows.slice(0, MAX_ROWS).toReversed()
  let end = 0
  const places = shown.map(({ realAt }, index) => {
    const pause = Date.parse(realAt) - Date.parse(shown[index - 1]?.realAt ?? realAt)
    end += index === 0 ? 0 : LEAST_PAUSE_MS + Math.min(Math.max(pause, 0), LONGEST_PAUSE_MS)
    return end
  })
  return shown.map((row, index) => ({ row, x: MARGIN + ((places[index] ?? 0) / (end || 1)) * Math.max(0, width - 2 * MARGIN) }))
}

/** From where to where some fault was on, as far as the changes tell. */
function findFaultTimes(changes: readonly Mark[], width: number, faults: readonly LiveFault[]): [start: number, end: number][] {
  const told = changes.map(({ row, x }) => ({ row: row as ChangeRow, x }))
  // One that no row is about has been there all the time.
  const isTold = (item: string) => told.some(({ row }) => row.changed.includes(item))
  const on = new Set(faults.map(({ id }) => `fault ${id}`).filter((item) => !isTold(item)))
  const times: [number, number][] = []
  let start = 0
  for (const { row, x } of told) {
    if (on.size > 0) times.push([start, x])
    start = x
    if (row.changed.length === 0) on.clear()
    for (const item of row.changed.filter((one) => one.startsWith('fault '))) {
      if (row.method === 'faults.add' || (row.undoes !== null && !on.has(item))) on.add(item)
      else on.delete(item)
    }
  }
  return on.size > 0 ? [...times, [start, width]] : times
}
