// Requests and changes over time: bars by status, as high as they took long; diamonds for changes; a line while a fault is on. A click opens
// the row there, a drag filters. The list below has the same for the keyboard.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { LiveFault } from '../../world/faults.ts'
import { isChange, nameOf, type Row, toneOf } from '../entry.ts'
import { use } from '../mock.ts'
import { adjust, route } from '../route.ts'
import { count, shorten } from '../text.ts'

const HEIGHT = 66
const GROUND = 50
const MARGIN = 14
/** The newest rows; more would be a smear. */
const MAX_ROWS = 200
/** Longer pauses look alike. */
const LONGEST_PAUSE_S = 10
const LABEL_PX = 120

interface Mark {
  readonly row: Row
  readonly x: number
}

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
    if (from.row !== to.row && Math.abs(from.x - to.x) > 8) {
      const [first, last] = [from.row.id, to.row.id].toSorted((one, other) => one - other)
      adjust({ part: '', query: { from: String(first), to: String(last) } })
    } else if (isChange(to.row)) document.getElementById(`row-${nameOf(to.row)}`)?.scrollIntoView({ block: 'center' })
    else adjust({ part: nameOf(to.row) })
  }
  const requests = marks.filter(({ row }) => !isChange(row)).length
  const label = `${count(requests, 'request')} and ${count(marks.length - requests, 'change')}`
  return (
    <div class="strip" role="none" ref={box} onPointerDown={(event) => setFrom(nearest(event))} onPointerUp={finish}>
      <svg role="img" aria-label={label} width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`}>
        <path class="ground" d={`M0 ${GROUND}H${width}`} />
        {findFaultTimes(marks, width, faults).map(([start, end]) => (
          <rect key={start} class="fault" x={start} y={GROUND} width={Math.max(2, end - start)} height={3} />
        ))}
        {marks.map((mark) =>
          isChange(mark.row) ? <Diamond key={nameOf(mark.row)} {...mark} /> : <Bar key={nameOf(mark.row)} {...mark} />,
        )}
        {spread(marks).map(({ row, x }) => (
          <text key={row.id} x={Math.max(MARGIN, Math.min(x - 24, width - 56))} y={HEIGHT - 3}>
            {row.at.slice(11, 19)}
          </text>
        ))}
        {marks.flatMap(({ row, x }, index) => {
          const next = marks.find((mark, place) => place > index && isChange(mark.row))?.x ?? width
          if (!isChange(row) || next - x < LABEL_PX || width < 700) return []
          return (
            <text key={row.id} class="change" x={x + 9} y={12}>
              {shorten(row.text, 18)}
            </text>
          )
        })}
      </svg>
    </div>
  )
}

function Bar({ row, x }: Mark) {
  if (isChange(row)) return null
  const height = Math.min(38, 8 + Math.log10(1 + row.durationMs) * 11)
  const isShown = route.value.part === nameOf(row)
  return (
    <>
      <rect class={`bar-of ${toneOf(row)}`} x={x - 3} y={GROUND - height} width={6} height={height} rx={2} />
      {isShown && <rect class="shown" x={x - 7} y={GROUND - height - 5} width={14} height={height + 5} rx={4} />}
    </>
  )
}

function Diamond({ x }: Mark) {
  return (
    <g class="change">
      <path class="stem" d={`M${x} 10V${GROUND}`} />
      <path class="diamond" d={`M${x} 3l5 5-5 5-5-5z`} />
    </g>
  )
}

/** By time, with pauses shortened, so that an hour of silence does not squeeze the rest. */
function placeRows(rows: readonly Row[], width: number): Mark[] {
  const shown = rows.slice(0, MAX_ROWS).toReversed()
  let end = 0
  const places = shown.map(({ realAt }, index) => {
    const pause = index === 0 ? 0 : (Date.parse(realAt) - Date.parse(shown[index - 1]?.realAt ?? realAt)) / 1000
    end += index === 0 ? 0 : 0.4 + Math.min(Math.max(pause, 0), LONGEST_PAUSE_S)
    return end
  })
  return shown.map((row, index) => ({ row, x: MARGIN + ((places[index] ?? 0) / (end || 1)) * Math.max(0, width - 2 * MARGIN) }))
}

/** Those that are far enough from each other to have a label. */
function spread(marks: readonly Mark[]): Mark[] {
  const labelled: Mark[] = []
  for (const mark of marks) if (mark.x - (labelled.at(-1)?.x ?? Number.NEGATIVE_INFINITY) > LABEL_PX) labelled.push(mark)
  return labelled
}

/** From where to where some fault was on, as far as the rows tell. */
function findFaultTimes(marks: readonly Mark[], width: number, faults: readonly LiveFault[]): [start: number, end: number][] {
  const changes = marks.flatMap(({ row, x }) => (isChange(row) ? [{ row, x }] : []))
  const told = new Set(changes.flatMap(({ row }) => row.changed))
  // One that no row is about has been there all the time.
  const on = new Set(faults.map(({ id }) => `fault ${id}`).filter((item) => !told.has(item)))
  const times: [number, number][] = []
  let start = on.size > 0 ? 0 : undefined
  for (const { row, x } of changes) {
    if (row.changed.length === 0) on.clear()
    for (const item of row.changed.filter((one) => one.startsWith('fault '))) {
      if (row.method === 'faults.add' || (row.undoes !== null && !on.has(item))) on.add(item)
      else on.delete(item)
    }
    if (start === undefined && on.size > 0) start = x
    if (start !== undefined && on.size === 0) {
      times.push([start, x])
      start = undefined
    }
  }
  return start === undefined ? times : [...times, [start, width]]
}
