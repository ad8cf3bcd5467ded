// A list of which only the lines in sight are rendered, and its rows. What you look at stays where
// it is while other lines come.
import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { nameOf } from '../../control/text/find-sent.ts'
import { notice } from '../model/notice.ts'
import { link, route } from '../model/route.ts'
import { count, type Texts } from '../model/text.ts'
import { Button } from './button.tsx'
import { active, findStop, focusWanted, type Line, setWalked } from './focus.ts'

export type Stop = { readonly 'data-stop': string; readonly tabIndex: number; onFocus(): unknown }

const NARROW_LIST_PX = 720 // Also in `styles/4-views.css`.
/** What is rendered above and below what is in sight, and how far you scroll until that changes. */
const MORE_PX = 480
const STEP_PX = 240
const UNKNOWN_SIGHT = { scrollTop: 0, clientHeight: 2_000, offsetWidth: NARROW_LIST_PX }

/** The lines, where each begins, and where the last one ends. */
type Layout = { readonly lines: readonly Line[]; readonly tops: readonly number[] }
type Sight = Readonly<{ place: number; height: number; isNarrowList: boolean }>

type ListProps<T> = {
  label: string
  lines: readonly T[]
  render(line: T, stop: Stop): ComponentChildren
}

export function List<T extends Line>({ label, lines, render }: ListProps<T>) {
  const list = useRef<HTMLDivElement>(null)
  const sight = useSight(list)
  const { isNarrowList } = sight
  const { part, query } = route.value
  const { compare, ...filters } = query
  const filter = JSON.stringify(filters)
  const tops = findTops(lines, isNarrowList)
  const topOf = (index: number) => tops[index] ?? 0
  const total = topOf(lines.length)
  const isOpen = (line: Line) => line.parts.includes(part)

  const layout = { lines, tops }
  const last = useRef<Layout>(layout)
  const shift = findShift(last.current, layout, part, sight)
  const place = sight.place + shift
  const freshCount = useFreshCount(lines, filter, sight.place === 0 && shift <= 0)

  const from = place - MORE_PX
  const to = place + sight.height + MORE_PX
  const shown = lines.filter(
    (_, index) => total === 0 || (topOf(index + 1) > from && topOf(index) < to),
  )
  const start = shown[0] ? lines.indexOf(shown[0]) : -1
  const hasFocus = (line: Line) => line.name === active.value
  const stop = shown.find(hasFocus) ?? shown.find(isOpen) ?? shown[0]

  const scrollTo = (top: number) => list.current?.closest('.scroller')?.scrollTo(0, top)
  const reveal = (line: Line) => {
    const element = findStop(line.name)
    if (element) element.scrollIntoView({ block: 'nearest' })
    else scrollTo(topOf(lines.findIndex((one) => one.name === line.name)))
  }
  useLayoutEffect(() => {
    setWalked({ lines, reveal })
    last.current = layout
    if (shift !== 0) scrollTo(place)
    focusWanted()
  })
  const own = findOwn(lines)
  useLayoutEffect(() => {
    if (own) scrollTo(0)
  }, [own])
  useLayoutEffect(() => scrollTo(0), [filter])
  useLayoutEffect(() => {
    const open = lines.find(isOpen)
    if (open) reveal(open)
  }, [part, isNarrowList, filter])

  return (
    <>
      {total > 0 && freshCount !== 0 && (
        <Button class="button fresh" onClick={() => scrollTo(0)}>
          ↑ {freshCount > 0 ? count(freshCount) : ''} new
        </Button>
      )}
      {/* Not padding, which would lose the scroll position. */}
      <div ref={list} style={{ height: `${topOf(start)}px` }} />
      <ol class="list" aria-label={label} data-focus-list>
        {shown.map((line) => (
          <li key={line.name} id={`row-${line.name}`}>
            {render(line, {
              'data-stop': line.name,
              tabIndex: line === stop ? 0 : -1,
              onFocus: () => (active.value = line.name),
            })}
          </li>
        ))}
      </ol>
      <div style={{ height: `${total - topOf(start + shown.length)}px` }} />
    </>
  )
}

/**
 * Where the list is, read from the page: a burst of rows comes faster than the event of a scroll.
 */
function useSight(list: RefObject<HTMLElement | null>): Sight {
  const [, setSeen] = useState('')
  const findScroller = () => list.current?.closest<HTMLElement>('.scroller')
  useLayoutEffect(() => {
    const scroller = findScroller()
    if (!scroller) return
    const look = () => {
      const { scrollTop, clientHeight, offsetWidth } = scroller
      const step = Math.floor(scrollTop / STEP_PX)
      const isNarrowList = offsetWidth < NARROW_LIST_PX
      // A new text renders the list.
      setSeen(String([scrollTop === 0, step, clientHeight, isNarrowList]))
    }
    const observer = new ResizeObserver(look)
    observer.observe(scroller)
    scroller.addEventListener('scroll', look, { passive: true })
    return () => {
      setWalked(undefined)
      observer.disconnect()
    }
  }, [])
  const { scrollTop, clientHeight, offsetWidth } = findScroller() ?? UNKNOWN_SIGHT
  return { place: scrollTop, height: clientHeight, isNarrowList: offsetWidth < NARROW_LIST_PX }
}

/**
 * How many lines have come above the first since you last saw it; -1 if the first is gone. `isSeen`
 * says that you see it now.
 */
function useFreshCount(lines: readonly Line[], filter: string, isSeen: boolean): number {
  const now = { first: lines[0]?.name, filter }
  const seen = useRef(now)
  if (isSeen || seen.current.filter !== filter) seen.current = now
  return lines.findIndex((line) => line.name === seen.current.first)
}

/** The line of the change that you have just made. */
function findOwn(lines: readonly Line[]): string | undefined {
  const undoable = notice.value?.undoable
  if (!undoable || route.value.view !== 'timeline') return undefined
  const name = nameOf(undoable.row)
  return lines.find((line) => line.parts.includes(name))?.name
}

function findTops(lines: readonly Line[], isNarrowList: boolean): number[] {
  const tops = [0]
  let top = 0
  for (const { heights = [0, 0] } of lines) {
    top += isNarrowList ? heights[1] : heights[0]
    tops.push(top)
  }
  return tops
}

/**
 * How far the line you are looking at moves: the open one if it is in sight, else the first one of
 * a scrolled list.
 */
function findShift(was: Layout, now: Layout, part: string, sight: Sight): number {
  const { place, height } = sight
  const inSight = was.lines.filter((_, index) => {
    const top = was.tops[index] ?? 0
    return top >= place && top <= place + height
  })
  const isOpen = inSight.some((line) => line.parts.includes(part))
  const first = place > 0 ? inSight[0]?.parts[0] : undefined
  const watched = isOpen ? part : (first ?? '')
  const before = findTop(was, watched) ?? 0
  return (findTop(now, watched) ?? before) - before
}

function findTop(layout: Layout, part: string): number | undefined {
  return layout.tops[layout.lines.findIndex((line) => line.parts.includes(part))]
}

/** The heads of the columns: each class with its text. */
export function Columns({ class: className, texts }: { class: string; texts: Texts }) {
  return (
    <div class={`row ${className} columns`} aria-hidden="true">
      {Object.entries(texts).map(([name, text]) => (
        <span key={name} class={name}>
          {text}
        </span>
      ))}
    </div>
  )
}

type RowProps = { line: Line; stop: Stop; class: string; children: ComponentChildren }

export function Row({ line, stop, class: className, children }: RowProps) {
  const { view, query, part } = route.value
  return (
    <a
      class={`row ${className}`}
      href={link(view, line.parts[0], query)}
      aria-current={line.parts.includes(part)}
      {...stop}
    >
      {children}
    </a>
  )
}
