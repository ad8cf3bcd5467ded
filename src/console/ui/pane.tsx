// A list of rows and the detail of one of them: beside the list on a wide page, in its place on a narrow one. And where the focus goes.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { adjust, link, route } from '../route.ts'
import { Button } from './controls.tsx'

/** A view that is read rather than scanned. */
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

/** Arrow keys, Home and End move through its rows. */
export function List({ label, class: className = '', children }: { label: string; class?: string; children: ComponentChildren }) {
  return (
    <ol class={`list ${className}`} aria-label={label} data-focus-list onKeyDown={walk}>
      {children}
    </ol>
  )
}

/** A row whose detail has an address. */
export function Row({ part, class: className, children }: { part: string; class: string; children: ComponentChildren }) {
  const { view, query, part: shown } = route.value
  // A detail that opens takes the focus; one that is open already gets it here.
  const focusPane = () => document.getElementById('pane-title')?.focus()
  return (
    <a class={`row ${className}`} href={link(view, part, query)} data-part={part} aria-current={part === shown} onClick={focusPane}>
      {children}
    </a>
  )
}

/** Takes the focus when it opens; `keepFocus` returns it to the row. Give it the part of the address as its key. */
export function Pane({ title, hasRows = false, children }: { title: ComponentChildren; hasRows?: boolean; children: ComponentChildren }) {
  const pane = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const find = (selector: string) => pane.current?.querySelector<HTMLElement>(selector)
    const first = find('.field :is(input, select)') ?? find('h2')
    first?.focus({ preventScroll: true })
  }, [])
  return (
    <section class="pane" ref={pane} data-part={route.value.part} aria-labelledby="pane-title">
      <header class="pane-head">
        <h2 id="pane-title" tabIndex={-1} onKeyDown={walk}>
          {title}
        </h2>
        {hasRows && (
          <>
            <Button class="button quiet" aria-label="Previous" onClick={() => show((index) => index - 1)}>
              ↑
            </Button>
            <Button class="button quiet" aria-label="Next" onClick={() => show((index) => index + 1)}>
              ↓
            </Button>
          </>
        )}
        <Button class="button quiet" aria-label="Close" title="Close (Esc)" onClick={() => adjust({ part: '' })}>
          ✕
        </Button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it */}
      <section class="pane-body" aria-label="Details" tabIndex={0}>
        {children}
      </section>
    </section>
  )
}

function walk(event: KeyboardEvent): void {
  const { key } = event
  const row = show((index, last) => ({ ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: last })[key])
  if (!row) return
  event.preventDefault()
  row.focus({ preventScroll: true })
}

/** Brings another row into sight, counted from the one that has the focus or is shown. A detail that is open follows. */
function show(place: (index: number, last: number) => number | undefined): HTMLElement | undefined {
  const rows = [...document.querySelectorAll<HTMLElement>('.row[data-part]')]
  const { part } = route.value
  const index = rows.findIndex(
    (row) => row === document.activeElement || (!rows.includes(document.activeElement as HTMLElement) && row.dataset.part === part),
  )
  const row = rows[place(index, rows.length - 1) ?? -1]
  row?.scrollIntoView({ block: 'nearest' })
  if (part !== '' && row?.dataset.part) adjust({ part: row.dataset.part })
  return row
}

/** When the focused element is removed, the next one of its list gets the focus, or the row of its pane, or the heading. */
export function keepFocus(): void {
  let last: { readonly element: Element; readonly list: Element | null; readonly index: number; readonly part: string } | undefined
  const items = (list: Element) => [...list.querySelectorAll<HTMLElement>('a[href], button, input, select, summary')]
  addEventListener('focusin', ({ target }) => {
    const element = target as HTMLElement
    const list = element.closest('[data-focus-list]')
    const part = element.closest<HTMLElement>('.pane')?.dataset.part ?? ''
    last = { element, list, index: list ? items(list).indexOf(element) : -1, part }
  })
  new MutationObserver(() => {
    if (!last || last.element.isConnected || document.activeElement !== document.body) return
    const near = last.list?.isConnected ? items(last.list) : []
    const row = document.querySelector<HTMLElement>(`.row[data-part="${CSS.escape(last.part)}"]`)
    const next = near[Math.min(last.index, near.length - 1)] ?? row ?? document.querySelector<HTMLElement>('main h1')
    if (!next) return
    last = undefined
    next.focus({ preventScroll: true })
  }).observe(document.body, { childList: true, subtree: true })
}
