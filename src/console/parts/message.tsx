// One side of an exchange: its header fields and its body.
import { indentJson } from './indent-json.ts'
import { toVisible } from './to-visible.ts'

interface MessageProps {
  readonly title: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /** Said above the body. */
  readonly note?: string | undefined
}

export function Message({ title, headers, body, note }: MessageProps) {
  return (
    <section class="message">
      <h3>{title}</h3>
      {headers.length > 0 && (
        <dl class="fields">
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{toVisible(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {note !== undefined && <p class="muted">{note}</p>}
      <Code text={body} label={`${title} body`} />
    </section>
  )
}

export function Code({ text, label }: { text: string; label: string }) {
  if (text === '') return <p class="muted">No body</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
    <section class="code" tabIndex={0} aria-label={label}>
      <pre>{toVisible(indentJson(text))}</pre>
    </section>
  )
}
