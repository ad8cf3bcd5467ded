// Small parts of every view: chips, buttons, menus, fields, forms, copying, and text in a frame.
import type {
  AllHTMLAttributes,
  ButtonHTMLAttributes,
  ComponentChildren,
  TargetedSubmitEvent,
} from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { toneOf } from '../../control/text/reasons.ts'
import type { RequestRow } from '../../world/row.ts'
import type { OnProblem } from '../model/actions.ts'
import { connection } from '../model/connection.ts'
import { draftOf, hasDraft, keepDraft } from '../model/drafts.ts'
import { notify } from '../model/notice.ts'
import { adjust, go, link, NEW, route } from '../model/route.ts'
import { type LineMark, OUTCOMES } from '../model/rows.ts'
import { signal } from '../model/signal.ts'
import { capitalize, count, indentJson, showHidden, type Texts } from '../model/text.ts'

/**
 * The colour repeats what the text says. The space parts it from the next word for a screen reader.
 */
export function Chip({ tone = '', text }: { tone?: string | undefined; text: string }) {
  return [<span key="chip" class={`chip ${tone}`} children={text} />, ' ']
}

export function Status({ row }: { row: Pick<RequestRow, 'status' | 'outcome'> }) {
  const [text, title] = row.outcome === 'sent' ? [row.status] : OUTCOMES[row.outcome]
  return <span class={`status ${toneOf(row)}`} title={title} children={text} />
}

/** `isOff`: does nothing, but keeps the focus, which a disabled button would lose. */
type ButtonProps = Omit<ButtonHTMLAttributes, 'class'> & {
  class?: string
  text?: string | undefined
  isOff?: boolean
}

export function Button({
  class: className = 'button',
  text,
  isOff,
  onClick,
  children = text,
  ...others
}: ButtonProps) {
  const act = isOff ? undefined : onClick
  return (
    <button
      type="button"
      class={className}
      aria-disabled={isOff}
      onClick={act}
      {...others}
      children={children}
    />
  )
}

export function Sign({
  label,
  sign = '✕',
  onClick,
}: {
  label: string
  sign?: ComponentChildren
  onClick(): unknown
}) {
  return (
    <Button
      class="button quiet"
      aria-label={label}
      title={label}
      onClick={onClick}
      children={sign}
    />
  )
}

export const UNSAVED = <Chip tone="warn" text="unsaved" />
export const AWAY = 'The mock is not responding.'
export const isAway = (): boolean =>
  connection.value === 'connecting' || connection.value === 'disconnected'

export function Loading({ said = isAway() ? AWAY : 'Loading…' }: { said?: string | undefined }) {
  return <p class="empty">{showHidden(said)}</p>
}

export function useSeconds(): void {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((turn) => turn + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
}

export function Waited({ since }: { since: string }) {
  useSeconds()
  return <>{Math.max(0, Math.floor((Date.now() - Date.parse(since)) / 1_000))} s…</>
}

export const Act = ({ isOff = false, ...others }: ButtonProps) => (
  <Button isOff={isOff || isAway()} {...others} />
)

/**
 * A button that opens things to do. The platform closes them on Escape or a click elsewhere, and
 * returns the focus.
 */
type MenuProps = {
  class?: string
  name: string
  more?: string
  value?: string
  children: ComponentChildren
}
export function Menu({ class: className = 'button', name, more, value, children }: MenuProps) {
  const id = `menu-${name.replace(/\W/g, '')}`
  const close = ({ target, currentTarget }: MouseEvent & { currentTarget: HTMLElement }) => {
    if ((target as Element).closest('.item, a')) currentTarget.hidePopover()
  }
  return (
    <>
      <button type="button" class={className} popovertarget={id}>
        <span>{[name, more && <span key="" class="long" children={more} />]}</span>{' '}
        {value !== undefined && <b>{value}</b>} <span aria-hidden="true">▾</span>
      </button>
      <div
        id={id}
        popover="auto"
        class="menu"
        role="none"
        onClick={close}
        onKeyDown={() => {}}
        children={children}
      />
    </>
  )
}

type DialogProps = { title: string; text: ComponentChildren; verb?: string; run?(): unknown }
export const dialog = signal<DialogProps | undefined>(undefined)

export function Dialog() {
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => element.current?.showModal(), [dialog.value])
  if (!dialog.value) return null
  const { title, text, verb, run } = dialog.value
  return (
    <dialog ref={element} aria-label={title} onClose={() => (dialog.value = undefined)}>
      <form class="stack" method="dialog">
        <h2>{title}</h2>
        {text}
        <div class="buttons">
          {run && <Act class="button primary" type="submit" text={verb} onClick={run} />}
          <Button type="submit" text={run ? 'Cancel' : 'Close'} autofocus />
        </div>
      </form>
    </dialog>
  )
}

export type NamedValues = readonly (readonly [name: ComponentChildren, value: ComponentChildren])[]
export function Pairs({ pairs }: { pairs: NamedValues }) {
  const items = pairs.flatMap(([name, value], index) => [
    <dt key={`${index} name`}>{name}</dt>,
    <dd key={index}>{typeof value === 'string' ? showHidden(value) : value}</dd>,
  ])
  return <dl class="pairs" children={items} />
}

type Choices = readonly (readonly [value: string, label: string, amount?: number])[]
type Attributes = Omit<AllHTMLAttributes, 'class'> & { class?: string }
export type FieldProps = Attributes & { label: string; options?: Choices; isLong?: boolean }
export function Field({ label, class: className = '', options, isLong, ...others }: FieldProps) {
  const { defaultValue, ...more } = others as { defaultValue?: string }
  const Text = isLong ? 'textarea' : 'input'
  const items = options?.map(([value, text]) => (
    <option
      key={value}
      value={value}
      label={text}
      {...{ defaultSelected: value === defaultValue }}
    />
  ))
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: it has one of three
    <label class={`field ${className}`}>
      <span>{label}</span>
      {items && <select {...more} children={items} />}
      {!items && <Text rows={2} spellcheck={false} autocomplete="off" {...(others as object)} />}
    </label>
  )
}

type Send = (texts: Texts, onProblem: OnProblem) => unknown
/**
 * What differs from `saved` is kept as the `draft`. `isMain`: its button is the main one of the
 * view.
 */
type FormTexts = {
  class?: string
  label: string
  verb: string
  draft?: string | undefined
  saved?: Texts
}
type FormProps = FormTexts & {
  isMain?: boolean
  more?: ComponentChildren
  children: ComponentChildren
  onSend: Send
}
export function Form({
  label,
  verb,
  isMain = true,
  draft = '',
  saved,
  children,
  more,
  onSend,
  ...others
}: FormProps) {
  const [problem, setProblem] = useState('')
  const id = `${label} problem`.replaceAll(' ', '-')
  const send = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isAway()) return
    const { currentTarget: form, submitter } = event
    const refuse: OnProblem = (text, reasons = []) => {
      setProblem(text)
      const names = reasons.flatMap((reason) =>
        'path' in reason ? `${reason.path}`.split('.', 1) : [],
      )
      const fields = names.flatMap(
        (name) => (form.elements.namedItem(name) as HTMLElement | null) ?? [],
      )
      for (const field of fields)
        Object.assign(field, { ariaInvalid: 'true' }).setAttribute('aria-describedby', id)
      fields[0]?.focus()
    }
    clear(event)
    if (!(await onSend(textsOf(form, submitter), refuse))) return
    if (draft) keepDraft(draft, {})
    // The key for undo must not type into a field. You may already be in another form.
    if (form.contains(document.activeElement)) submitter?.focus()
  }
  const clear = ({ currentTarget: form }: { currentTarget: HTMLFormElement }) => {
    setProblem('')
    for (const field of form.querySelectorAll('[aria-invalid]'))
      field.removeAttribute('aria-invalid')
    const changed = Object.entries(textsOf(form)).filter(([name, text]) => text !== saved?.[name])
    if (draft) keepDraft(draft, Object.fromEntries(changed))
  }
  const discard = ({ currentTarget: { form } }: { currentTarget: HTMLButtonElement }) => {
    form?.reset()
    if (form) clear({ currentTarget: form })
    keepDraft(draft, {})
  }
  const restore = (form: HTMLFormElement | null) => {
    const texts = Object.entries(draftOf(draft))
    for (const [name, value] of texts)
      Object.assign(form?.elements.namedItem(name) ?? {}, { value })
  }
  return (
    <form class="card" ref={restore} {...others} aria-label={label} onSubmit={send} onInput={clear}>
      {children}
      <p id={id} class="problem" role="alert" children={problem} />
      <div class="buttons">
        <Act class={isMain ? 'button primary' : 'button'} type="submit" text={verb} />
        {more}
        {hasDraft(draft) && <Button text="Discard" onClick={discard} />}
      </div>
    </form>
  )
}

const textsOf = (...from: ConstructorParameters<typeof FormData>) =>
  Object.fromEntries(new FormData(...from)) as Texts

type OneOfProps = { label: string; value: string; options: Choices; onChange(id: string): void }
export function OneOf({ label, value, options, onChange }: OneOfProps) {
  const shown = options.filter(
    ([id, , amount], index) => amount !== 0 || index === 0 || id === value,
  )
  return (
    <fieldset class="segments">
      <legend class="hidden">{label}</legend>
      {shown.map(([id, text, amount]) => (
        <label key={id}>
          <input type="radio" name={label} checked={id === value} onChange={() => onChange(id)} />
          {text} {amount !== undefined && <small>{count(amount)}</small>}
        </label>
      ))}
    </fieldset>
  )
}

export function Clear({ text = 'Clear the filter' }: { text?: string }) {
  return <Button text={text} onClick={() => go(link(route.value.view, route.value.part))} />
}

/**
 * Above a list: a search, a filter by what the address calls `name`, and a link to the form for a
 * new one.
 */
type ToolsTexts = { search: string; name: string; add: string }
type ToolsProps = ToolsTexts & {
  options: Choices
  isUnsaved: boolean
  children?: ComponentChildren
}
export function Tools({ search, name, options, add, isUnsaved, children }: ToolsProps) {
  const { view, query } = route.value
  const filterBy = (one: string) => (value: string) => adjust({ query: { page: '', [one]: value } })
  return (
    <div class="tools">
      <input
        type="search"
        aria-label={search}
        placeholder={`${search}  ( / )`}
        value={query.q ?? ''}
        onInput={({ currentTarget }) => filterBy('q')(currentTarget.value)}
        onKeyUp={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
      />
      <OneOf
        label={capitalize(name)}
        value={query[name] ?? ''}
        options={options}
        onChange={filterBy(name)}
      />
      {children}
      <a
        class="button"
        href={link(view, NEW, query)}
        aria-label={isUnsaved ? `${add}, unsaved` : add}
      >
        + <span class="long">{add}</span> {isUnsaved && UNSAVED}
      </a>
    </div>
  )
}

/**
 * By selection: `navigator.clipboard` needs a secure context, which a mock on another machine is
 * not.
 */
export function copy(text: string, note = ''): void {
  const focused = document.activeElement
  const area = Object.assign(document.createElement('textarea'), { value: text })
  document.body.append(area)
  area.select()
  const isDone = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  notify(isDone ? `Copied. ${note}` : 'The browser blocked it', isDone ? 'done' : 'problem')
}

const TOKEN = /("(?:[^"\\]|\\.)*"?(?:\s*:)?|-?\d[\d.eE+-]*|true|false|null)/
/** A line of JSON, not of the header fields above it. */
const JSON_LINE = /^\s*[{}[\]"]/

type JsonProps = {
  text: string
  label: string
  title?: string
  marks?: readonly LineMark[]
  canCopy?: boolean
}
export function Json({ text, label, title, marks = [], canCopy = false }: JsonProps) {
  // The number of a line is that of the text as it was sent.
  const shown = showHidden(marks.some(({ line }) => line !== undefined) ? text : indentJson(text))
  const lines = shown.split('\n').map((line, index) => {
    const found = marks.filter((mark) => isMarked(mark, line, index))
    const problems = found.map(
      ({ text: problem }) => problem && <mark key={problem}>← {showHidden(problem)}</mark>,
    )
    return (
      <div
        key={index}
        class={found.length > 0 ? 'marked' : undefined}
        children={[colour(line), problems, '\n']}
      />
    )
  })
  return (
    <div class="with-copy">
      {title && <h3 class="muted">{title}</h3>}
      {canCopy && (
        <Button
          aria-label={`Copy the ${label.toLowerCase()}`}
          text="Copy"
          onClick={() => copy(text)}
        />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it */}
      <section class="code" tabIndex={0} aria-label={label} children={<pre>{lines}</pre>} />
    </div>
  )
}

function isMarked({ field, line }: LineMark, text: string, index: number): boolean {
  if (line !== undefined) return line === index + 1
  return field === undefined ? index === 0 : text.startsWith(`  "${field}":`)
}

export function colour(line: string): ComponentChildren {
  if (!JSON_LINE.test(line)) return line
  return line.split(TOKEN).map((part, index) => {
    if (index % 2 === 0) return part
    const tone = part.startsWith('"') ? 'warn' : 'change'
    return <span key={index} class={part.endsWith(':') ? 'accent' : tone} children={part} />
  })
}
