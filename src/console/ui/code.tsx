// JSON and other text in a frame: coloured, with a mark at each wrong line and at each hit of a
// search. Objects and lists fold.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { findFolds, splitLine } from '../model/code-lines.ts'
import type { LineMark } from '../model/explain.ts'
import { indentJson, looksLikeJson } from '../model/indent-json.ts'
import { showHidden } from '../model/text.ts'
import { Button } from './button.tsx'
import { copy } from './copy.ts'
import { HIT } from './hits.ts'

const NO_FOLDS: ReadonlyMap<number, number> = new Map()

type CodeProps = {
  text: string
  label: string
  title?: string
  marks?: readonly LineMark[]
  /** The words of a search. */
  words?: readonly string[]
  canCopy?: boolean
}

export function Code(props: CodeProps) {
  const { text, label, title, marks = [], words = [], canCopy = false } = props
  return (
    <div class="with-copy">
      {title && <h3 class="muted">{title}</h3>}
      {canCopy && (
        <Button aria-label={`Copy the ${label.toLowerCase()}`} onClick={() => copy(text)}>
          Copy
        </Button>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <section class="code" tabIndex={0} aria-label={label}>
        <Lines text={text} marks={marks} words={words} />
      </section>
    </div>
  )
}

type LinesProps = {
  text: string
  marks: readonly LineMark[]
  words: readonly string[]
}

function Lines({ text, marks, words }: LinesProps) {
  const [folded, setFolded] = useState<readonly number[]>([])
  // The number of a line is that of the text as it was sent.
  const hasNumbers = marks.some((mark) => mark.line !== undefined)
  const lines = showHidden(hasNumbers ? text : indentJson(text)).split('\n')
  const folds = looksLikeJson(text) ? findFolds(lines) : NO_FOLDS
  const toggle = (start: number) => {
    const others = folded.filter((one) => one !== start)
    setFolded(others.length < folded.length ? others : [...folded, start])
  }
  const isInside = (index: number, start: number) =>
    start < index && index < (folds.get(start) ?? 0)
  // A hit is always in sight.
  const hasWords = words.some((word) => word !== '')
  const isHidden = (index: number) => !hasWords && folded.some((start) => isInside(index, start))
  return (
    <pre>
      {lines.map((line, index) => {
        if (isHidden(index)) return null
        const isFolded = folded.includes(index)
        const fold = <Fold line={line} isFolded={isFolded} onToggle={() => toggle(index)} />
        const own = marks.filter((mark) => isAbout(mark, line, index))
        return (
          <Line key={index} marks={own}>
            {folds.has(index) && fold}
            {renderLine(line, words)}
          </Line>
        )
      })}
    </pre>
  )
}

type LineProps = { marks: readonly LineMark[]; children: ComponentChildren }

function Line({ marks, children }: LineProps) {
  const className = marks.length > 0 ? 'marked' : ''
  return (
    <div class={className}>
      {children}
      {marks.map(renderMark)}
      {'\n'}
    </div>
  )
}

type FoldProps = { line: string; isFolded: boolean; onToggle(): void }

/** The keyboard scrolls the code; a fold is for the pointer, and says its state to a reader. */
function Fold({ line, isFolded, onToggle }: FoldProps) {
  const label = `Fold ${line.trim()}`
  return (
    <button
      type="button"
      class="fold-sign"
      tabIndex={-1}
      aria-label={label}
      aria-expanded={!isFolded}
      onClick={onToggle}
    />
  )
}

function renderMark(mark: LineMark) {
  if (mark.text === '') return null
  return <mark key={mark.text}>← {showHidden(mark.text)}</mark>
}

function isAbout(mark: LineMark, line: string, index: number): boolean {
  if (mark.line !== undefined) return mark.line === index + 1
  if (mark.field === undefined) return index === 0
  return line.startsWith(`  "${mark.field}":`)
}

/** A line with colours, and with the hits of a search. */
export function renderLine(line: string, words: readonly string[] = []): ComponentChildren {
  return splitLine(line, words).map(({ text, tone, isHit }, index) => {
    if (isHit) {
      return (
        <mark key={index} class="hit" {...HIT}>
          {text}
        </mark>
      )
    }
    if (tone === '') return text
    return (
      <span key={index} class={tone}>
        {text}
      </span>
    )
  })
}
