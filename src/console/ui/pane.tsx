// The frames of the views: a page, and the detail of a line, beside its list or over it.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { drawer } from '../model/connection.ts'
import { adjust, route } from '../model/route.ts'
import { showHidden } from '../model/text.ts'
import { IconButton } from './button.tsx'
import { Edge } from './edge.tsx'
import { walk } from './focus.ts'

/** Whether a detail takes the place of the list. Also in `styles/2-frame.css`. */
export function isNarrow(): boolean {
  return !matchMedia('(min-width: 980px)').matches
}

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

type PaneProps = {
  title: ComponentChildren
  /** More buttons in its head. */
  more?: ComponentChildren
  /** Below its head. */
  tabs?: ComponentChildren
  /** Whether it is about a line of a list, and not a form for a new one. */
  hasRows?: boolean
  children: ComponentChildren
}

/**
 * It takes the focus where it covers the list or is a form; `keepFocus` returns it. Its key is the
 * part of the address.
 */
export function Pane(props: PaneProps) {
  const { title, more, tabs, hasRows = false, children } = props
  const pane = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const field = hasRows ? null : findFirstField(pane.current)
    const heading = isNarrow() ? document.getElementById('pane-title') : null
    const first = field ?? heading
    first?.focus({ preventScroll: true })
  }, [])
  const sign = isNarrow() || drawer ? '←' : '✕'
  return (
    <section class="pane" ref={pane} data-part={route.value.part} aria-labelledby="pane-title">
      {!isNarrow() && <Edge />}
      <header class="pane-head">
        <IconButton label="Close" onClick={() => adjust({ part: '' })}>
          {sign}
        </IconButton>
        <h2 id="pane-title" tabIndex={-1}>
          {title}
        </h2>
        {more}
        {hasRows && <Walk />}
      </header>
      {tabs}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <section class="pane-body" aria-label="Details" tabIndex={0}>
        {children}
      </section>
    </section>
  )
}

/** The buttons that open the row above or below. */
function Walk() {
  return (
    <>
      <IconButton label="Previous" onClick={() => walk('k', false)}>
        ↑
      </IconButton>
      <IconButton label="Next" onClick={() => walk('j', false)}>
        ↓
      </IconButton>
    </>
  )
}

/** Skips a field that stands before a wide one, such as the method before the path. */
function findFirstField(pane: HTMLElement | null) {
  return pane?.querySelector<HTMLElement>('.field:not(:has(~ .grow)) :is(input, select)')
}

export type NamedValue = readonly [name: ComponentChildren, value: ComponentChildren]

export function Pairs({ pairs }: { pairs: readonly NamedValue[] }) {
  return (
    <dl class="pairs">
      {pairs.map(([name, value], index) => [
        <dt key={`${index} name`}>{name}</dt>,
        <dd key={index}>{typeof value === 'string' ? showHidden(value) : value}</dd>,
      ])}
    </dl>
  )
}
