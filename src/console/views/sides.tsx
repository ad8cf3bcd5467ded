// Two requests or two responses side by side, with the lines that differ marked.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { toJson } from '../../contract/int64-json.ts'
import { printDuration } from '../../control/rows/row-line.ts'
import type { LoggedMessage, RequestRow } from '../../world/row.ts'
import { type ComparedLine, compareBodies } from '../model/compare-bodies.ts'
import { OUTCOMES } from '../model/explain.ts'
import { SLOW_MS } from '../model/row-filter.ts'
import { shorten, showHidden } from '../model/text.ts'
import { Status } from '../ui/chip.tsx'
import { colour } from '../ui/code.tsx'

/** `text` is the first line, which the head shows. `nothing` stands for an empty body. */
export type Side = LoggedMessage &
  Readonly<{ label: string; text: string; head: ComponentChildren; nothing: string }>
export type Pair = readonly [Side, Side]

const LINES_ABOVE_PX = 40
const MAX_TEXT_CHARACTERS = 60
/** Fields that the client adds by itself: what if keeps them, and `fetch` sets them. */
export const TRANSPORT =
  /^(authorization|host|connection|keep-alive|content-length|user-agent|(accept|sec-|transfer-).*)$/

export function requestSide(row: RequestRow): Side {
  const text = `${row.method} ${row.target}`
  const label = `row ${row.id}`
  const { headers, body } = row.request
  const own = Object.entries(headers).filter(
    ([name]) => name === 'authorization' || !TRANSPORT.test(name),
  )
  const head = (
    <>
      <bdi class="target">{shorten(showHidden(text), MAX_TEXT_CHARACTERS)}</bdi> {label}
    </>
  )
  return { headers: Object.fromEntries(own), body, label, text, head, nothing: 'No body' }
}

type Answer = Pick<RequestRow, 'status' | 'outcome' | 'durationMs' | 'response'>

export function responseSide(answer: Answer, label: string): Side {
  const { status, outcome, durationMs, response } = answer
  const head = (
    <>
      <Status row={answer} /> {label}
      {durationMs > SLOW_MS && ` after ${printDuration(durationMs)}`}
    </>
  )
  const nothing = outcome === 'sent' ? 'No body' : OUTCOMES[outcome].text
  return { ...response, label, text: `${status} ${outcome}`, head, nothing }
}

export function isSame(pair: Pair): boolean {
  const [one, other] = pair
  const lines = compareBodies(one, other).flat()
  return one.text === other.text && !lines.some((line) => line.isMarked)
}

type SidesProps = {
  name: 'Request' | 'Response'
  pair: Pair
  /** Whether to scroll to it, since it has just been asked for. */
  isRevealed?: boolean
}

export function Sides({ name, pair, isRevealed = false }: SidesProps) {
  const bodies = compareBodies(pair[0], pair[1])
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = section.current
    if (isRevealed) element?.scrollIntoView({ block: 'nearest' })
    const marked = element?.querySelector<HTMLElement>('.marked')
    element?.querySelector('.code')?.scrollTo(0, (marked?.offsetTop ?? 0) - LINES_ABOVE_PX)
  }, [toJson(bodies)])
  return (
    <section ref={section} class="sides" aria-label={`Both ${name}s`}>
      {pair.map((side, index) => (
        <h3 key={index} class="muted">
          {side.head}
        </h3>
      ))}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <div class="code" tabIndex={0}>
        {pair.map((side, index) => (
          <fieldset key={index} aria-label={`${name} ${side.label}`}>
            {renderBody(bodies[index] ?? [], side.nothing)}
          </fieldset>
        ))}
      </div>
    </section>
  )
}

/** Each line has its place in both columns, so that equal lines stay level where long ones wrap. */
function renderBody(lines: readonly ComparedLine[], nothing: string) {
  if (lines.length === 0) return <pre class="muted">{nothing}</pre>
  return lines.map(({ text, place, isMarked }) => (
    <pre key={place} class={isMarked ? 'marked' : ''} style={{ gridRow: place + 1 }}>
      {colour(text)}
    </pre>
  ))
}
