// JSON and other text in a frame: coloured, with a mark at each wrong line, and a copy button.
import type { ComponentChildren } from 'preact'
import type { LineMark } from '../model/explain.ts'
import { indentJson } from '../model/indent-json.ts'
import { showHidden } from '../model/text.ts'
import { Button } from './button.tsx'
import { copy } from './copy.ts'

const TOKEN = /("(?:[^"\\]|\\.)*"?(?:\s*:)?|-?\d[\d.eE+-]*|true|false|null)/
/** Header fields, which may be above the JSON, do not match. */
const JSON_LINE = /^\s*[{}[\]"]/

type CodeProps = {
  text: string
  label: string
  title?: string
  marks?: readonly LineMark[]
  canCopy?: boolean
}

export function Code({ text, label, title, marks = [], canCopy = false }: CodeProps) {
  // The number of a line is that of the text as it was sent.
  const hasNumbers = marks.some((mark) => mark.line !== undefined)
  const lines = showHidden(hasNumbers ? text : indentJson(text)).split('\n')
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
        <pre>{lines.map((line, index) => renderLine(line, index, marks))}</pre>
      </section>
    </div>
  )
}

function renderLine(line: string, index: number, marks: readonly LineMark[]) {
  const own = marks.filter((mark) => isAbout(mark, line, index))
  return (
    <div key={index} class={own.length > 0 ? 'marked' : undefined}>
      {colour(line)}
      {own.map((mark) => mark.text && <mark key={mark.text}>← {showHidden(mark.text)}</mark>)}
      {'\n'}
    </div>
  )
}

function isAbout(mark: LineMark, line: string, index: number): boolean {
  if (mark.line !== undefined) return mark.line === index + 1
  if (mark.field === undefined) return index === 0
  return line.startsWith(`  "${mark.field}":`)
}

export function colour(line: string): ComponentChildren {
  if (!JSON_LINE.test(line)) return line
  return line.split(TOKEN).map((part, index) => {
    // Every second part is what the text was split at.
    const isToken = index % 2 === 1
    if (!isToken) return part
    return (
      <span key={index} class={toneOfToken(part)}>
        {part}
      </span>
    )
  })
}

function toneOfToken(token: string): string {
  if (token.endsWith(':')) return 'accent'
  return token.startsWith('"') ? 'warn' : 'change'
}
