// Small parts of every view: chips, buttons, forms, copying, and a place for the focus when its element is gone.
import type { AllHTMLAttributes, ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { LogEntry } from '../../world/log-entry.ts'
import { notify, type OnProblem } from '../actions.ts'
import { connection } from '../connection.ts'
import { OUTCOMES, toneOf } from '../entry.ts'
import { count } from '../text.ts'

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent' | 'change'

/** The colour repeats what the text says. The space parts it from the next word for a screen reader. */
export function Chip({ tone = 'plain', children }: { tone?: Tone | undefined; children: ComponentChildren }) {
  return (
    <>
      <span class={`chip ${tone}`}>{children}</span>{' '}
    </>
  )
}

/** The status of an animal. */
export function PetStatus({ status }: { status: string | undefined }) {
  if (status === undefined) return <span class="muted">no status</span>
  return <span class={`pet-status ${status}`}>{status}</span>
}

/** The status of a response, or why there is none. */
export function ResponseStatus({ entry }: { entry: LogEntry }) {
  const { status, outcome } = entry
  const [text, title] = outcome === 'sent' ? [status] : OUTCOMES[outcome]
  return (
    <span class={`status ${toneOf(entry)}`} title={title}>
      {text}
    </span>
  )
}

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class'> {
  readonly class?: string
  /** Does nothing, but keeps the focus, which a disabled button would lose. */
  readonly isOff?: boolean
}

export function Button({ class: className = '', isOff, onClick, ...others }: ButtonProps) {
  return <button type="button" class={`button ${className}`} aria-disabled={isOff} onClick={isOff ? undefined : onClick} {...others} />
}

/** A button that asks something of the mock: off while it does not respond. Its class is its own. */
export function Act({
  class: className = 'button',
  isOff = false,
  isFree,
  onClick,
  ...others
}: ButtonProps & { isFree?: boolean | undefined }) {
  const isDead = isOff || (!isFree && connection.value !== 'live')
  return <button type="button" class={className} aria-disabled={isDead} onClick={isDead ? undefined : onClick} {...others} />
}

interface FieldProps extends Omit<AllHTMLAttributes, 'class'> {
  readonly class?: string
  readonly label: string
}

export function Field({ label, class: className = '', ...others }: FieldProps) {
  return (
    <label class={`field ${className}`}>
      <span>{label}</span>
      {/* Preact has a type for each kind of input. */}
      <input autocomplete="off" {...(others as object)} />
    </label>
  )
}

/** What the fields of a form hold, by name. */
export type Texts = Readonly<Record<string, string>>

/** The texts of a form that is being sent. */
export function readForm(event: SubmitEvent): Texts {
  event.preventDefault()
  return Object.fromEntries(new FormData(event.currentTarget as HTMLFormElement)) as Texts
}

interface FormProps {
  readonly class: string
  readonly label: string
  /** What its button does. */
  readonly verb: string
  readonly children: ComponentChildren
  /** Beside its button. */
  readonly more?: ComponentChildren
  readonly needsMock?: boolean
  onSend(texts: Texts, onProblem: OnProblem): unknown
}

/** Shows what is wrong with what you sent. */
export function Form({ class: className, label, verb, children, more, needsMock = true, onSend }: FormProps) {
  const [problem, setProblem] = useState('')
  const send = (event: SubmitEvent) => {
    const form = event.currentTarget as HTMLFormElement
    event.preventDefault()
    if (needsMock && connection.value !== 'live') return
    const labelOf = (name: string) => form.querySelector(`label:has([name="${name}"]) span`)?.textContent
    setProblem('')
    // The mock names a field as in `fault.petId`, the form by its label.
    void onSend(readForm(event), (text) => setProblem(text.replace(/^\w+\.(\w+)/gm, (path, name) => labelOf(name) ?? path)))
  }
  return (
    <form class={className} aria-label={label} onSubmit={send} onInput={() => setProblem('')}>
      {children}
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="buttons">
        <Button class="primary" type="submit" aria-disabled={needsMock && connection.value !== 'live'}>
          {verb}
        </Button>
        {more}
      </div>
    </form>
  )
}

/** Options are values, or values with labels. */
interface SelectProps {
  readonly class?: string
  readonly label: string
  readonly name?: string
  /** What is chosen first. */
  readonly value: string
  readonly options: readonly (string | readonly [value: string, label: string])[]
  onChange?(value: string): void
}

export function Select({ class: className = 'field', label, name, value, options, onChange }: SelectProps) {
  return (
    <label class={className}>
      <span>{label}</span>
      <select name={name} onChange={(event) => onChange?.(event.currentTarget.value)}>
        {options.map((option) => {
          const [id, text] = typeof option === 'string' ? [option, option] : option
          return (
            <option key={id} value={id} selected={id === value}>
              {text}
            </option>
          )
        })}
      </select>
    </label>
  )
}

interface SearchProps {
  readonly label: string
  readonly hint: string
  readonly value: string
  onInput(value: string): void
}

/** A search field that `/` focuses. */
export function Search({ label, hint, value, onInput }: SearchProps) {
  return (
    <input
      type="search"
      class="search"
      aria-label={label}
      aria-keyshortcuts="/"
      title={label}
      placeholder={hint}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  )
}

/** One of a few, side by side. */
interface SegmentsProps {
  readonly label: string
  readonly value: string
  readonly options: readonly { readonly id: string; readonly label: string; readonly amount: number }[]
  onChange(id: string): void
}

export function Segments({ label, value, options, onChange }: SegmentsProps) {
  return (
    <fieldset class="segments">
      <legend class="hidden">{label}</legend>
      {options.map(({ id, label: text, amount }) => (
        <label key={id}>
          <input type="radio" name={label} checked={id === value} onChange={() => onChange(id)} />
          {text} <small>{count(amount)}</small>
        </label>
      ))}
    </fieldset>
  )
}

/** The parts of a detail, one at a time, and something at the end of their line. */
interface TabsProps {
  readonly label: string
  readonly value: string
  readonly options: readonly string[]
  readonly children?: ComponentChildren
  onChange(option: string): void
}

export function Tabs({ label, value, options, children, onChange }: TabsProps) {
  return (
    <fieldset class="tabs">
      <legend class="hidden">{label}</legend>
      {options.map((option) => (
        <label key={option}>
          <input type="radio" name={label} checked={option === value} onChange={() => onChange(option)} />
          {option}
        </label>
      ))}
      <span>{children}</span>
    </fieldset>
  )
}

interface CopyProps extends ButtonProps {
  text(): string
  /** Said after copying. */
  readonly note?: string | undefined
}

export function Copy({ text, note = '', children = 'Copy', ...others }: CopyProps) {
  return (
    <Button {...others} onClick={() => copy(text(), note)}>
      {children}
    </Button>
  )
}

export function copy(text: string, note = ''): void {
  if (copyText(text)) notify(`Copied. ${note}`)
  else notify('The browser blocked copying; select the text instead', 'problem')
}

/** By selection: `navigator.clipboard` needs a secure context, which a mock on another machine is not. */
function copyText(text: string): boolean {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const isDone = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isDone
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
