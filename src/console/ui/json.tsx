// Text in a frame: JSON indented and in colour, with the offending lines marked. Every digit stays as it was sent.
import type { ComponentChild } from 'preact'
import type { LineMark } from '../entry.ts'
import { indentJson, showHidden } from '../text.ts'
import { Copy } from './controls.tsx'

const TOKEN = /("(?:[^"\\]|\\.)*"?)(?=(\s*:)?)|-?\d[\d.eE+-]*|true|false|null/g

type JsonProps = { text: string; label: string; title?: string; marks?: readonly LineMark[]; canCopy?: boolean }

export function Json({ text, label, title, marks = [], canCopy = false }: JsonProps) {
  const isJson = /^\s*[{["]/.test(text)
  // The number of a line is that of the text as it was sent.
  const shown = marks.some(({ line }) => line !== undefined) ? text : indentJson(text)
  return (
    <div class="with-copy">
      {title && <h3 class="muted">{title}</h3>}
      {canCopy && <Copy aria-label={`Copy the ${label.toLowerCase()}`} text={() => text} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it */}
      <section class="code" tabIndex={0} aria-label={label}>
        <pre>
          {showHidden(shown)
            .split('\n')
            .map((line, index) => {
              const found = marks.filter((mark) => isMarked(mark, line, index))
              return (
                <div key={index} class={found.length > 0 ? 'marked' : undefined}>
                  {isJson ? colour(line) : line}
                  {found.map(({ text: problem }) => (
                    <mark key={problem}>← {showHidden(problem)}</mark>
                  ))}
                  {'\n'}
                </div>
              )
            })}
        </pre>
      </section>
    </div>
  )
}

function isMarked({ field, line }: LineMark, text: string, index: number): boolean {
  if (line !== undefined) return line === index + 1
  return field === undefined ? index === 0 : text.startsWith(`  "${field}":`)
}

function colour(line: string): ComponentChild[] {
  const parts: ComponentChild[] = []
  let end = 0
  for (const match of line.matchAll(TOKEN)) {
    parts.push(line.slice(end, match.index))
    end = match.index + match[0].length
    const kind = match[1] === undefined ? 'number' : match[2] === undefined ? 'string' : 'name'
    parts.push(
      <span key={match.index} class={kind}>
        {match[0]}
      </span>,
    )
  }
  return [...parts, line.slice(end)]
}
