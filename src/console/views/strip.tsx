// The strip above the list: all rows in a lane, with a brush that limits the list, and a playhead
// that moves the page to a moment before now. What is supposed there has a lane of its own.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { nameRow } from '../../control/rows/name-row.ts'
import type { TimelineRow } from '../../world/row.ts'
import { findLeftBehind } from '../model/arrange.ts'
import { readRows, scope } from '../model/mock.ts'
import { currentMoment, leaveMoment, lookAt } from '../model/moment.ts'
import { findWindow, readOnward } from '../model/onward.ts'
import { adjust, go, link, route } from '../model/route.ts'
import {
  findLastBefore,
  findNearest,
  findRowAt,
  listPauses,
  listTimes,
  type Placed,
  placeBefore,
  placeRows,
} from '../model/strip.ts'
import { drawMarks } from '../ui/marks.ts'
import { type DragHandlers, dragAlong, stepWithKeys } from '../ui/slider.ts'

/** The middle of the lane, in a strip with times and in one without. */
const LANE_PX = 23
const LOW_LANE_PX = 9
/** The lane of what is supposed is this far below. */
const GHOST_PX = 15
/** Half of the height of a mark in it. */
const DIFFERS_PX = 5
/** The flag of the playhead. */
const FLAG_PX = 100

export function Strip() {
  const box = useRef<HTMLDivElement>(null)
  const { width, height } = useSize(box)
  const rows = readRows() ?? []
  const placed = useMemo(() => placeRows(rows, width), [rows, width])
  if (rows.length === 0) return null
  const isLow = height < 40
  return (
    <section class="strip" aria-label="Overview of the timeline">
      <div class="lanes" ref={box}>
        {width > 0 && <Lane rows={rows} placed={placed} width={width} isLow={isLow} />}
        <Brush placed={placed} width={width} />
        <Playhead placed={placed} width={width} />
      </div>
    </section>
  )
}

function useSize(box: { readonly current: HTMLElement | null }) {
  const [size, setSize] = useState({ width: 0, height: 0 })
  const isThere = box.current !== null
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    const look = () => setSize({ width: element.clientWidth, height: element.clientHeight })
    const observer = new ResizeObserver(look)
    observer.observe(element)
    look()
    return () => observer.disconnect()
  }, [isThere])
  return size
}

type LaneProps = {
  rows: readonly TimelineRow[]
  placed: readonly Placed[]
  width: number
  /** Whether there is no room for times. */
  isLow: boolean
}

function Lane({ rows, placed, width, isLow }: LaneProps) {
  const lane = isLow ? LOW_LANE_PX : LANE_PX
  const left = useMemo(() => findLeftBehind(rows), [rows])
  const marks = useMemo(
    () => [...drawMarks(placed, lane, (one) => left.has(one.row))],
    [placed, lane, left],
  )
  const pauses = listPauses(placed)
  return (
    <svg width="100%" height="100%" aria-hidden="true">
      {!isLow &&
        listTimes(placed, width).map(({ x, text }) => (
          <g key={text} class="time">
            <path d={`M${Math.round(x) + 0.5} 0V48`} />
            <text x={x + 5} y={11}>
              {text}
            </text>
          </g>
        ))}
      {pauses.map(({ x, room, text }) => (
        <g key={x} class="pause">
          <rect x={x + 3} y={0} width={room - 6} height="100%" />
          {!isLow && text && (
            <text x={x + room / 2} y={11}>
              {text}
            </text>
          )}
        </g>
      ))}
      <path class="base" d={`M0 ${lane}.5H${width}`} />
      {marks.map(([tone, path]) => (
        <path key={tone} class={`mark ${tone}`} d={path} />
      ))}
      <Ghost placed={placed} lane={lane} width={width} />
    </svg>
  )
}

/** The line of what is supposed, with a mark for each response that would differ. */
function Ghost({
  placed,
  lane,
  width,
}: {
  placed: readonly Placed[]
  lane: number
  width: number
}) {
  const span = findWindow()
  const onward = readOnward()
  if (!span) return null
  const start = placeBefore(placed, span.from, width)
  const meeting = placed.find((one) => one.row.id === span.to)
  const end = meeting ? `H${meeting.x - 4}q4 0 4-4v${4 - GHOST_PX}` : `H${width}`
  const y = lane + GHOST_PX
  const rows = typeof onward === 'object' ? onward.rows : []
  const differing = rows.filter((row) => row.type === 'request' && row.differs !== null)
  const ids = new Set(differing.map((row) => row.id))
  const places = placed.filter((one) => ids.has(one.row.id))
  const ties = places.map(({ x }) => `M${x.toFixed(1)} ${lane}V${y}`).join('')
  const marks = places.map(({ x }) => `M${x.toFixed(1)} ${y - DIFFERS_PX}v${2 * DIFFERS_PX}`)
  return (
    <g class="ghost">
      <path class="fork" d={`M${start} ${lane}v${GHOST_PX - 4}q0 4 4 4${end}`} />
      <path class="tie" d={ties} />
      <path class="mark" d={marks.join('')} />
    </g>
  )
}

type HandleProps = { placed: readonly Placed[]; width: number }

/** Drags the page to a moment; right of all rows is now. A click on the lane opens a row. */
function Playhead({ placed, width }: HandleProps) {
  const moment = currentMoment()
  const x = placeBefore(placed, moment?.before, width)
  const newest = placed.at(-1)?.row.id ?? 0
  const show = (row: TimelineRow | undefined) => {
    if (!row) leaveMoment()
    else if (row.id !== moment?.before) lookAt(row, moment?.change)
  }
  const step = (by: number) => {
    const place = placed.findIndex((one) => one.row.id === moment?.before)
    const from = place < 0 ? placed.length : place
    show(placed[Math.max(0, from + by)]?.row)
  }
  const open = (to: number) => {
    const near = findNearest(placed, to)
    if (near) go(link('timeline', nameRow(near), route.value.query))
  }
  const drag = dragAlong((to) => show(findRowAt(placed, to)), open)
  const name = moment ? `before row ${moment.before}` : 'now'
  return (
    <>
      <div class="scrub" {...drag} />
      {/* A moment belongs to one state. */}
      {scope() !== '*' && (
        <Slider
          class={moment ? 'playhead' : 'playhead now'}
          label="Moment"
          x={x}
          value={moment?.before ?? newest + 1}
          max={newest + 1}
          text={name}
          drag={drag}
          step={step}
        >
          <b class={x > width - FLAG_PX ? 'flip' : ''}>{name}</b>
        </Slider>
      )}
    </>
  )
}

/** Limits the list to the rows between its ends. */
function Brush({ placed, width }: HandleProps) {
  const { query } = route.value
  const ids = placed.map((one) => one.row.id)
  const oldest = ids[0] ?? 0
  const newest = ids.at(-1) ?? 0
  const first = query.from ? Number(query.from) : oldest
  const last = query.to ? Number(query.to) : newest
  const start = query.from ? placeBefore(placed, first, width) : 0
  const end = query.to ? placeBefore(placed, last + 1, width) : width
  const limit = (from: number, to: number) => {
    if (from > to) return
    const fromText = from <= oldest ? '' : String(from)
    const toText = to >= newest ? '' : String(to)
    adjust({ query: { from: fromText, to: toText } })
  }
  const stepFrom = (id: number, by: number) => {
    const place = Math.min(Math.max(0, ids.indexOf(id) + by), ids.length - 1)
    return ids[place] ?? id
  }
  const moveStart = dragAlong((x) => limit(findRowAt(placed, x)?.id ?? newest, last))
  const moveEnd = dragAlong((x) => limit(first, findLastBefore(placed, x)?.id ?? oldest))
  // The ids of several sandboxes have nothing to do with each other.
  if (scope() === '*') return null
  return (
    <>
      <div class="outside" style={{ left: 0, width: `${start}px` }} />
      <div class="outside" style={{ left: `${end}px`, right: 0 }} />
      <Slider
        class="handle"
        label="First row of the list"
        x={start}
        value={first}
        max={newest}
        text={`row ${first}`}
        drag={moveStart}
        step={(by) => limit(stepFrom(first, by), last)}
      />
      <Slider
        class="handle"
        label="Last row of the list"
        x={end}
        value={last}
        max={newest}
        text={`row ${last}`}
        drag={moveEnd}
        step={(by) => limit(first, stepFrom(last, by))}
      />
    </>
  )
}

type SliderProps = {
  class: string
  label: string
  x: number
  value: number
  max: number
  text: string
  drag: DragHandlers
  step(by: number): void
  children?: ComponentChildren
}

function Slider(props: SliderProps) {
  const { class: className, label, x, value, max, text, drag, step, children } = props
  return (
    <div
      class={className}
      style={{ left: `${x}px` }}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={max}
      aria-valuenow={value}
      aria-valuetext={text}
      {...drag}
      {...stepWithKeys(step)}
    >
      {children}
    </div>
  )
}
