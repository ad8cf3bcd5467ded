// A list, of which only what is in sight is rendered, and the detail of one of its lines: beside
// the list or over it.
import type { ComponentChildren, RefObject, TargetedPointerEvent } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { nameOf } from '../../control/text/find-sent.ts'
import { drawer } from '../model/connection.ts'
import { tryStorage } from '../model/drafts.ts'
import { notice } from '../model/notice.ts'
import { adjust, link, route } from '../model/route.ts'
import { signal } from '../model/signal.ts'
import { count, type Texts } from '../model/text.ts'
import { Button, Sign } from './controls.tsx'

export interface Line {
  readonly name: string
  /** The details that mark it as open; a click opens the first. */
  readonly parts: readonly string[]
  /**
   * In pixels, in a wide list and in a narrow one. A list whose lines have none is shown as a
   * whole.
   */
  readonly heights?: readonly [wide: number, narrow: number]
}

export type Stop = { readonly 'data-stop': string; readonly tabIndex: number; onFocus(): unknown }

const NARROW_LIST_PX = 720 // Also in `styles/4-views.css`.
/** What is rendered above and below what is in sight, and how far you scroll until that changes. */
const MORE_PX = 480
const STEP_PX = 240
const UNKNOWN_SIGHT = { scrollTop: 0, clientHeight: 2_000, offsetWidth: NARROW_LIST_PX }

let walked: { readonly lines: readonly Line[]; reveal(line: Line): void } | undefined
/** The line that had the focus last, and the one that gets it as soon as it is there. */
const active = signal('')
let wanted = ''

export function Page({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="view">
      <div class="scroller padded">
        <h1 tabIndex={-1}>{title}</h1>
        {children}
      </div>
    </div>
  )
}

type Laid = { readonly lines: readonly Line[]; readonly tops: readonly number[] }
type ListProps<T> = {
  label: string
  lines: readonly T[]
  render(line: T, stop: Stop): ComponentChildren
}
export function List<T extends Line>({ label, lines, render }: ListProps<T>) {
  const list = useRef<HTMLDivElement>(null)
  const { place, height, isNarrowList } = useSight(list)
  const { view, part, query } = route.value
  const { compare, ...filter } = query
  const now = {
    lines,
    tops: findTops(lines, isNarrowList),
    first: lines[0]?.name,
    filter: JSON.stringify(filter),
  }
  const last = useRef<Laid>(now)
  const seen = useRef(now)
  const topOf = (index: number) => now.tops[index] ?? 0
  const isNamed = ({ parts }: Line) => parts.includes(part)
  const undoable = view === 'timeline' && notice.value?.undoable
  const own = lines.find(({ parts }) => undoable && parts.includes(nameOf(undoable.row)))?.name
  const shift = findShift(last.current, now, part, place, height)
  if ((place === 0 && shift <= 0) || seen.current.filter !== now.filter) seen.current = now
  const fresh = lines.findIndex(({ name }) => name === seen.current.first)
  const freshText = `↑ ${fresh > 0 ? count(fresh) : ''} new`
  const total = topOf(lines.length)
  const from = place + shift - MORE_PX
  const to = from + height + 2 * MORE_PX
  const shown = lines.filter(
    (_, index) => total === 0 || (topOf(index + 1) > from && topOf(index) < to),
  )
  const start = lines.indexOf(shown[0] as T)
  const scrollTo = (top: number) => list.current?.closest('.scroller')?.scrollTo(0, top)
  const stop = (shown.find(({ name }) => name === active.value) ?? shown.find(isNamed) ?? shown[0])
    ?.name
  useLayoutEffect(() => {
    const reveal = (line: Line) => {
      const there = findStop(line.name)
      if (there) there.scrollIntoView({ block: 'nearest' })
      else scrollTo(topOf(lines.findIndex(({ name }) => name === line.name)))
    }
    walked = { lines, reveal }
    last.current = now
    if (shift !== 0) scrollTo(place + shift)
    const next = wanted === '' ? null : findStop(wanted)
    next?.focus({ preventScroll: true })
    if (next) wanted = ''
  })
  useLayoutEffect(() => void (own && scrollTo(0)), [own])
  useLayoutEffect(() => scrollTo(0), [now.filter])
  useLayoutEffect(() => {
    const named = lines.find(isNamed)
    if (named) walked?.reveal(named)
  }, [part, isNarrowList, now.filter])
  const items = shown.map((line) => {
    const { name } = line
    const tabIndex = name === stop ? 0 : -1
    const content = render(line, {
      'data-stop': name,
      tabIndex,
      onFocus: () => (active.value = name),
    })
    return <li key={name} id={`row-${name}`} children={content} />
  })
  return (
    <>
      {total > 0 && fresh !== 0 && (
        <Button class="button fresh" text={freshText} onClick={() => scrollTo(0)} />
      )}
      {/* Not padding, which would lose the scroll position. */}
      <div ref={list} style={{ height: `${topOf(start)}px` }} />
      <ol class="list" aria-label={label} data-focus-list children={items} />
      <div style={{ height: `${total - topOf(start + shown.length)}px` }} />
    </>
  )
}

/**
 * Where the list is, read from the page: a burst of rows comes faster than the event of a scroll.
 */
function useSight(list: RefObject<HTMLElement | null>) {
  const [, see] = useState('')
  const find = () => list.current?.closest<HTMLElement>('.scroller') ?? UNKNOWN_SIGHT
  useLayoutEffect(() => {
    const scroller = find() as HTMLElement
    const look = () => {
      const { scrollTop, clientHeight, offsetWidth } = scroller
      see(
        String([
          scrollTop === 0,
          Math.floor(scrollTop / STEP_PX),
          clientHeight,
          offsetWidth < NARROW_LIST_PX,
        ]),
      )
    }
    const observer = new ResizeObserver(look)
    observer.observe(scroller)
    scroller.addEventListener('scroll', look, { passive: true })
    return () => {
      walked = undefined
      observer.disconnect()
    }
  }, [])
  const { scrollTop: place, clientHeight: height, offsetWidth } = find()
  return { place, height, isNarrowList: offsetWidth < NARROW_LIST_PX }
}

/**
 * How far the line you are looking at moves: the open one if it is in sight, else the first one of
 * a scrolled list.
 */
function findShift(was: Laid, now: Laid, part: string, place: number, height: number): number {
  const topIn = ({ lines, tops }: Laid, name: string) =>
    tops[lines.findIndex(({ parts }) => parts.includes(name))]
  const inSight = was.lines.filter(
    (_, index) => Math.abs((was.tops[index] ?? 0) - place - height / 2) <= height / 2,
  )
  const isOpen = inSight.some(({ parts }) => parts.includes(part))
  const name = isOpen ? part : (place > 0 && inSight[0]?.parts[0]) || ''
  const before = topIn(was, name) ?? 0
  return (topIn(now, name) ?? before) - before
}

function findTops(lines: readonly Line[], isNarrowList: boolean): number[] {
  const tops = [0]
  for (const { heights } of lines)
    tops.push((tops.at(-1) ?? 0) + (heights?.[isNarrowList ? 1 : 0] ?? 0))
  return tops
}

const findStop = (name: string): HTMLElement | null =>
  document.querySelector(`[data-stop="${CSS.escape(name)}"]`)

export function Columns({ class: className, texts }: { class: string; texts: Texts }) {
  const heads = Object.entries(texts).map(([name, text]) => (
    <span key={name} class={name} children={text} />
  ))
  return <div class={`row ${className} columns`} aria-hidden="true" children={heads} />
}

type RowProps = { line: Line; stop: Stop; class: string; children: ComponentChildren }
export function Row({ line: { parts }, stop, class: className, children }: RowProps) {
  const { view, query, part } = route.value
  const href = link(view, parts[0], query)
  return (
    <a
      class={`row ${className}`}
      href={href}
      aria-current={parts.includes(part)}
      {...stop}
      children={children}
    />
  )
}

export const isNarrow = (): boolean => !matchMedia('(min-width: 980px)').matches // Also in `styles/2-frame.css`.

const WIDTH = 'animal-store-mock.pane'
const KEYS: Readonly<Record<string, number>> = {
  ArrowLeft: 3,
  ArrowRight: -3,
  Home: -100,
  End: 100,
}

/** Between the list and the detail. Its value is the detail's share of the window, in percent. */
function Edge() {
  const edge = useRef<HTMLDivElement>(null)
  const share = () => (100 * (edge.current?.parentElement?.offsetWidth ?? 0)) / innerWidth
  const show = (percent?: string | null) => {
    if (percent)
      document.documentElement.style.setProperty(
        '--pane',
        `clamp(320px, ${percent}%, 100% - 380px)`,
      )
    edge.current?.setAttribute('aria-valuenow', share().toFixed())
  }
  const resize = (percent: number) => {
    tryStorage(() => sessionStorage.setItem(WIDTH, String(percent)))
    show(String(percent))
  }
  const drag = ({ currentTarget, pointerId, clientX }: TargetedPointerEvent<HTMLElement>) =>
    currentTarget.hasPointerCapture(pointerId) && resize(100 - (100 * clientX) / innerWidth)
  const step = (event: KeyboardEvent) => {
    const by = KEYS[event.key]
    if (by === undefined) return
    event.preventDefault()
    resize(share() + by)
  }
  useLayoutEffect(() => show(tryStorage(() => sessionStorage.getItem(WIDTH))))
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr has no value
    <div
      ref={edge}
      class="edge"
      role="separator"
      tabIndex={0}
      aria-label="Width of the detail"
      aria-orientation="vertical"
      aria-valuenow={50}
      // Else the browser drags the link that comes under the pointer.
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={drag}
      onKeyDown={step}
    />
  )
}

/**
 * It takes the focus where it covers the list or is a form; `keepFocus` returns it. Its key is the
 * route's part.
 */
type PaneProps = {
  title: ComponentChildren
  more?: ComponentChildren
  hasRows?: boolean
  children: ComponentChildren
}
export function Pane({ title, more, hasRows, children }: PaneProps) {
  const pane = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    // Not the method, which is before the path.
    const field =
      !hasRows &&
      pane.current?.querySelector<HTMLElement>('.field:not(:has(~ .grow)) :is(input, select)')
    const first = field || (isNarrow() ? document.getElementById('pane-title') : null)
    first?.focus({ preventScroll: true })
  }, [])
  return (
    <section class="pane" ref={pane} data-part={route.value.part} aria-labelledby="pane-title">
      {!isNarrow() && <Edge />}
      <header class="pane-head">
        <Sign
          label="Close"
          sign={isNarrow() || drawer ? '←' : '✕'}
          onClick={() => adjust({ part: '' })}
        />
        <h2 id="pane-title" tabIndex={-1} children={title} />
        {more}
        {hasRows && <Sign label="Previous" sign="↑" onClick={() => walk('k', false)} />}
        {hasRows && <Sign label="Next" sign="↓" onClick={() => walk('j', false)} />}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it */}
      <section class="pane-body" aria-label="Details" tabIndex={0} children={children} />
    </section>
  )
}

/**
 * Moves to another line, from the one that is open or has the focus, or opens it. A detail that is
 * open follows.
 */
export function walk(key: string, hasFocus = true): boolean {
  const lines = walked?.lines ?? []
  const { part } = route.value
  const focused = hasFocus
    ? document.activeElement?.closest<HTMLElement>('[data-stop]')?.dataset.stop
    : undefined
  const open = lines.findIndex(({ parts }) => parts.includes(part))
  const index = open < 0 ? lines.findIndex(({ name }) => name === focused) : open
  const last = lines.length - 1
  const moves: Readonly<Record<string, number>> = {
    k: index - 1,
    j: index + 1,
    Home: 0,
    End: last,
    Enter: index,
  }
  const place = moves[{ ArrowUp: 'k', ArrowDown: 'j' }[key] ?? key]
  if (place === undefined || last < 0) return false
  const next = lines[Math.max(0, Math.min(place, last))] as Line
  walked?.reveal(next)
  if (part !== '' || key === 'Enter') adjust({ part: next.parts[0] as string })
  if (!hasFocus) return true
  wanted = next.name
  // A new value renders the list, also where the line is not there yet.
  active.value = next.name
  findStop(next.name)?.focus({ preventScroll: true })
  return true
}

/**
 * When the focused element is removed, the next of its list gets the focus, or the row of its pane,
 * or the heading.
 */
export function keepFocus(): void {
  let last:
    | Readonly<{ element: Element; list: Element | null; index: number; part: string }>
    | undefined
  const items = (list: Element) => [
    ...list.querySelectorAll<HTMLElement>('a[href], button, input, select, summary'),
  ]
  addEventListener('focusin', ({ target }) => {
    const element = target as HTMLElement
    const list = element.closest('[data-focus-list]')
    const part = element.closest<HTMLElement>('.pane')?.dataset.part ?? ''
    last = { element, list, index: list ? items(list).indexOf(element) : -1, part }
  })
  new MutationObserver(() => {
    if (!last || last.element.isConnected || document.activeElement !== document.body) return
    const near = last.list?.isConnected ? items(last.list) : []
    const part = route.value.part || last.part
    const row = findStop(walked?.lines.find(({ parts }) => parts.includes(part))?.name ?? part)
    const next =
      near[Math.min(last.index, near.length - 1)] ??
      row ??
      document.querySelector<HTMLElement>('main h1')
    next?.focus({ preventScroll: true })
  }).observe(document.body, { childList: true, subtree: true })
}
