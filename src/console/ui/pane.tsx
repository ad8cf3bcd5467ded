// A list of rows and the detail of one of them: beside the list on a wide page, in its place on a narrow one.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { adjust, link, route } from '../route.ts'
import { Button } from './controls.tsx'

/** Arrow keys, Home and End move through its rows. */
export function List({ label, class: className = '', children }: { label: string; class?: string; children: ComponentChildren }) {
  return (
    <ol class={`list ${className}`} aria-label={label} data-focus-list onKeyDown={walkRows}>
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
        <h2 id="pane-title" tabIndex={-1} onKeyDown={walkRows}>
          {title}
        </h2>
        {hasRows &&
          (['Previous', 'Next'] as const).map((label, index) => (
            <Button key={label} class="quiet" aria-label={label} onClick={() => step(index === 0 ? -1 : 1)}>
              {'↑↓'[index]}
            </Button>
          ))}
        <Button class="quiet" aria-label="Close" title="Close (Esc)" onClick={() => adjust({ part: '' })}>
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

/** Opens the row above or below the one that is shown. */
function step(by: -1 | 1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.row[data-part]')]
  const next = rows[rows.findIndex(({ dataset }) => dataset.part === route.value.part) + by]
  next?.scrollIntoView({ block: 'nearest' })
  if (next?.dataset.part) adjust({ part: next.dataset.part })
}

function walkRows(event: KeyboardEvent): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.row[data-part]')]
  const { part } = route.value
  const focused = document.activeElement
  const index = rows.findIndex((row) => row === focused || (focused?.id === 'pane-title' && row.dataset.part === part))
  const places: Readonly<Record<string, number>> = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: rows.length - 1 }
  const next = index < 0 ? undefined : rows[places[event.key] ?? -1]
  if (!next) return
  event.preventDefault()
  next.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest' })
  // An open detail follows.
  if (part !== '' && next.dataset.part) adjust({ part: next.dataset.part })
}
