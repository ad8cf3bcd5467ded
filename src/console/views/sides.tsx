// Two requests or two responses side by side: what differs is marked, what is equal folds.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { toJson } from '../../contract/int64-json.ts'
import { printDuration } from '../../control/rows/print-duration.ts'
import type { LoggedMessage, RequestRow } from '../../world/row.ts'
import { compareMessages, type DiffPart, type DiffRow, hasMarks } from '../model/compare-bodies.ts'
import { OUTCOMES } from '../model/explain.ts'
import { SLOW_MS } from '../model/row-filter.ts'
import { shorten, showHidden } from '../model/text.ts'
import { Button } from '../ui/button.tsx'
import { Status } from '../ui/chip.tsx'
import { renderLine } from '../ui/code.tsx'
import { HIT } from '../ui/hits.ts'

/** `text` is the first line, which the head shows. `nothing` stands for an empty body. */
export type Side = LoggedMessage &
  Readonly<{ label: string; text: string; head: ComponentChildren; nothing: string }>
export type Pair = readonly [Side, Side]

const LINES_ABOVE_PX = 60
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
  return one.text === other.text && !compareMessages(one, other).some(hasMarks)
}

type SidesProps = {
  name: 'Request' | 'Response'
  pair: Pair
  /** Whether to scroll to it, since it has just been asked for. */
  isRevealed?: boolean
}

export function Sides({ name, pair, isRevealed = false }: SidesProps) {
  const [left, right] = pair
  const parts = compareMessages(left, right)
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = section.current
    if (isRevealed) element?.scrollIntoView({ block: 'nearest' })
    const marked = element?.querySelector<HTMLElement>('.marked')
    const top = (marked?.offsetTop ?? 0) - LINES_ABOVE_PX
    element?.querySelector('.code')?.scrollTo(0, top)
  }, [toJson(parts)])
  return (
    <section ref={section} class="sides" aria-label={`Both ${name}s`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <div class="code" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>{left.head}</th>
              <th>{right.head}</th>
            </tr>
          </thead>
          {parts.map((part, index) => (
            <Part key={index} part={part} />
          ))}
          {parts.length === 0 && <NoBodies pair={pair} />}
        </table>
      </div>
    </section>
  )
}

function NoBodies({ pair }: { pair: Pair }) {
  const [left, right] = pair
  return (
    <tbody class="muted">
      <tr>
        <td>{left.nothing}</td>
        <td>{right.nothing}</td>
      </tr>
    </tbody>
  )
}

function Part({ part }: { part: DiffPart }) {
  const { fold, hasMoved, rows } = part
  const [isOpen, setOpen] = useState(fold === undefined)
  return (
    <>
      {fold !== undefined && (
        <tbody class={hasMoved ? 'fold warn' : 'fold'}>
          <tr {...(hasMoved && HIT)}>
            <td colSpan={2}>
              <Button class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {fold}
              </Button>
            </td>
          </tr>
        </tbody>
      )}
      {isOpen && <tbody>{rows.map(renderRow)}</tbody>}
    </>
  )
}

function renderRow(row: DiffRow, index: number, rows: readonly DiffRow[]) {
  if (!row.isMarked) {
    return (
      <tr key={index}>
        <td>{renderEqual(row.left)}</td>
        <td class="again">{renderEqual(row.right)}</td>
      </tr>
    )
  }
  const isFirst = !rows[index - 1]?.isMarked
  return (
    <tr key={index} class="marked" {...(isFirst && HIT)}>
      <td class="removed">{renderWords(row.left)}</td>
      <td class="added">{renderWords(row.right)}</td>
    </tr>
  )
}

function renderEqual(words: DiffRow['left']) {
  return renderLine(words.map((word) => word.text).join(''))
}

/** A cell without text is empty, and has no sign. */
function renderWords(words: DiffRow['left']) {
  const shown = words.filter((word) => word.text !== '')
  return shown.map(({ text, isMarked }, index) => {
    if (!isMarked) return text
    return <mark key={index}>{text}</mark>
  })
}
