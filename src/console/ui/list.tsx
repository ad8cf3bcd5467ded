// A list of which only the lines in sight are rendered, and its rows.
import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { nameRow } from '../../control/rows/name-row.ts'
import { isChosen, toggleChosen } from '../model/choice.ts'
import { catchUp } from '../model/hold.ts'
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

type Sight = Readonly<{ place: number; height: number; isNarrowList: boolean }>

type ListProps<T> = {
  label: string
  lines: readonly T[]
  /** How many items it does not show yet, since it holds still. */
  newCount: number
  render(line: T, stop: Stop): ComponentChildren
}

export function List<T extends Line>({ label, lines, newCount, render }: ListProps<T>) {
  const list = useRef<HTMLDivElement>(null)
  const sight = useSight(list)
  const { isNarrowList } = sight
  const { part, query } = route.value
  const { compare, at, if: supposed, ...filters } = query
  const filter = JSON.stringify(filters)
  const tops = findTops(lines, isNarrowList)
  const topOf = (index: number) => tops[index] ?? 0
  const total = topOf(lines.length)
  const isOpen = (line: Line) => line.parts.includes(part)

  const from = sight.place - MORE_PX
  const to = sight.place + sight.height + MORE_PX
  const isNear = (index: number) => topOf(index + 1) > from && topOf(index) < to
  const shown = lines.filter((_, index) => total === 0 || isNear(index))
  const [first] = shown
  const start = first ? lines.indexOf(first) : -1
  const hasFocus = (line: Line) => line.name === active.value
  const stop = shown.find(hasFocus) ?? shown.find(isOpen) ?? first

  const scrollTo = (top: number) => list.current?.closest('.scroller')?.scrollTo(0, top)
  const reveal = (line: Line) => {
    const element = findStop(line.name)
    if (element) element.scrollIntoView({ block: 'nearest' })
    else scrollTo(topOf(lines.findIndex((one) => one.name === line.name)))
  }
  const showNew = () => {
    scrollTo(0)
    catchUp()
  }
  const renderItem = (line: T) => {
    const tabIndex = line === stop ? 0 : -1
    const takeFocus = () => {
      active.value = line.name
    }
    const ownStop = { 'data-stop': line.name, tabIndex, onFocus: takeFocus }
    return (
      <li key={line.name} id={`row-${line.name}`}>
        {render(line, ownStop)}
      </li>
    )
  }
  useLayoutEffect(() => {
    setWalked({ lines: lines.filter((line) => line.parts.length > 0), reveal })
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
      {newCount > 0 && (
        <Button class="button fresh" hotkey="m" onClick={showNew}>
          ↑ {count(newCount)} new
        </Button>
      )}
      {/* Not padding, which would lose the scroll position. */}
      <div ref={list} style={{ height: `${topOf(start)}px` }} />
      <ol class="list" aria-label={label} data-focus-list>
        {shown.map(renderItem)}
      </ol>
      <div style={{ height: `${total - topOf(start + shown.length)}px` }} />
    </>
  )
}

/** Where the list is, read from the page. */
function useSight(list: RefObject<HTMLElement | null>): Sight {
  const [, setSeen] = useState('')
  const findScroller = () => list.current?.closest<HTMLElement>('.scroller')
  useLayoutEffect(() => {
    const scroller = findScroller()
    if (!scroller) return undefined
    const look = () => {
      const { scrollTop, clientHeight, offsetWidth } = scroller
      const step = Math.round(scrollTop / STEP_PX)
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

/** The line of the change that you have just made. */
function findOwn(lines: readonly Line[]): string | undefined {
  const undoable = notice.value?.undoable
  if (!undoable || route.value.view !== 'timeline') return undefined
  const name = nameRow(undoable.row)
  return lines.find((line) => line.parts.includes(name))?.name
}

function findTops(lines: readonly Line[], isNarrowList: boolean): number[] {
  const tops = [0]
  let top = 0
  for (const { heights = [0, 0] } of lines) {
    const [wide, narrow] = heights
    top += isNarrowList ? narrow : wide
    tops.push(top)
  }
  return tops
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

/** A click on its number, or with Shift, chooses the row instead of opening it. */
export function Row({ line, stop, class: className, children }: RowProps) {
  const { view, query, part } = route.value
  const href = link(view, line.parts[0], query)
  const isOpen = line.parts.includes(part)
  const chosen = isChosen(line) ? 'chosen' : ''
  const choose = (event: MouseEvent) => {
    const isOnNumber = (event.target as Element).closest('.no') !== null
    if (!isOnNumber && !event.shiftKey) return
    event.preventDefault()
    toggleChosen(line)
  }
  return (
    <a
      class={`row ${className} ${chosen}`}
      href={href}
      aria-current={isOpen}
      onClick={choose}
      {...stop}
    >
      {children}
    </a>
  )
}
