// Small parts of every view: chips, buttons, menus, fields, forms, copying.
import type { AllHTMLAttributes, ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { RequestRow } from '../../world/row.ts'
import { notify, type OnProblem } from '../actions.ts'
import { connection } from '../connection.ts'
import { OUTCOMES, toneOf } from '../entry.ts'
import { route } from '../route.ts'
import { count } from '../text.ts'

/** The colour repeats what the text says. The space parts it from the next word for a screen reader. */
export function Chip({ tone = 'bad', children }: { tone?: 'bad' | 'warn' | 'accent' | 'change' | undefined; children: ComponentChildren }) {
  return (
    <>
      <span class={`chip ${tone}`}>{children}</span>{' '}
    </>
  )
}

/** The status of a response, or why there is none. */
export function ResponseStatus({ entry }: { entry: RequestRow }) {
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

export function Button({ class: className = 'button', isOff, onClick, ...others }: ButtonProps) {
  return <button type="button" class={className} aria-disabled={isOff} onClick={isOff ? undefined : onClick} {...others} />
}

/** A button that is a sign, such as ✕. */
export function Sign({ label, sign = '✕', onClick }: { label: string; sign?: string; onClick(): unknown }) {
  return (
    <Button class="button quiet" aria-label={label} title={label} onClick={onClick}>
      {sign}
    </Button>
  )
}

/** Whether nothing that asks the mock can work. */
export function isAway(): boolean {
  return connection.value === 'connecting' || connection.value === 'waiting'
}

/** What a view says until it has something to show. */
export function Loading() {
  return <p class="empty">{isAway() ? 'The mock is not responding.' : 'Loading…'}</p>
}

/** How long a response has been waited for; counts on. */
export function Waited({ since }: { since: string }) {
  const [now, tick] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => tick(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return <>{Math.max(0, Math.floor((now - Date.parse(since)) / 1_000))} s…</>
}

/** A button that asks something of the mock. */
export function Act({ isOff = false, ...others }: ButtonProps) {
  return <Button isOff={isOff || isAway()} {...others} />
}

/** Its value, what is chosen, is after its name; `more` of the name is left out where there is little room. */
type MenuProps = { class?: string; name: string; more?: string; value?: string; isWide?: boolean; children: ComponentChildren }

let menus = 0

/** A button that opens things to do. The platform closes them on Escape and on a click elsewhere, and returns the focus. */
export function Menu({ class: className = 'button', name, more, value, isWide = false, children }: MenuProps) {
  // useId begins again whenever the page is rendered.
  const [id] = useState(() => `menu-${++menus}`)
  const close = ({ target, currentTarget }: MouseEvent & { currentTarget: HTMLElement }) => {
    if ((target as Element).closest('.item')) currentTarget.hidePopover()
  }
  return (
    <>
      <button type="button" class={className} popovertarget={id}>
        <span>
          {name}
          {more && <span class="long">{more}</span>}
        </span>{' '}
        {value !== undefined && <b>{value}</b>} <span aria-hidden="true">▾</span>
      </button>
      <div id={id} popover="auto" class={`menu ${isWide ? 'wide' : ''}`} role="none" onClick={close} onKeyDown={() => {}}>
        {children}
      </div>
    </>
  )
}

type ItemProps = { label: string; more?: string; isCurrent?: boolean; needsMock?: boolean; onClick(): unknown }

export function Item({ label, more, isCurrent, needsMock = true, onClick }: ItemProps) {
  return (
    <Button class="item" aria-current={isCurrent} isOff={needsMock && isAway()} onClick={onClick}>
      {more ? <b>{label}</b> : label} {more && <small>{more}</small>}
    </Button>
  )
}

interface FieldProps extends Omit<AllHTMLAttributes, 'class'> {
  readonly class?: string
  readonly label: string
  /** The choices: values with labels. */
  readonly options?: readonly (readonly [value: string, label: string])[]
  /** More than one line of text. */
  readonly isLong?: boolean
}

/** A line of text, several lines, or a choice. */
export function Field({ label, class: className = '', options, isLong = false, ...others }: FieldProps) {
  // Preact has a type for each kind of input.
  const { defaultValue, ...more } = others as { defaultValue?: string }
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: it has one of three
    <label class={`field ${className}`}>
      <span>{label}</span>
      {options ? (
        <select {...more}>
          {options.map(([value, text]) => (
            <option key={value} value={value} selected={value === defaultValue}>
              {text}
            </option>
          ))}
        </select>
      ) : isLong ? (
        <textarea rows={6} spellcheck={false} {...(others as object)} />
      ) : (
        <input autocomplete="off" {...(others as object)} />
      )}
    </label>
  )
}

/** What the fields of a form hold, by name. */
export type Texts = Readonly<Record<string, string>>

interface FormProps {
  readonly class: string
  readonly label: string
  /** What its button does. */
  readonly verb: string
  readonly children: ComponentChildren
  /** Whether its button is the main one of the view; true by default. */
  readonly isMain?: boolean
  /** Beside its button. */
  readonly more?: ComponentChildren
  onSend(texts: Texts, onProblem: OnProblem): unknown
}

/** Shows what is wrong with what you sent. */
export function Form({ class: className, label, verb, isMain = true, children, more, onSend }: FormProps) {
  const [problem, setProblem] = useState('')
  const isOff = isAway()
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    if (isOff) return
    setProblem('')
    void onSend(Object.fromEntries(new FormData(event.currentTarget as HTMLFormElement)) as Texts, setProblem)
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
        <Button class={isMain ? 'button primary' : 'button'} type="submit" isOff={isOff}>
          {verb}
        </Button>
        {more}
      </div>
    </form>
  )
}

/** A search field that `/` focuses. */
export function Search({ label, hint, onInput }: { label: string; hint: string; onInput(value: string): void }) {
  return (
    <input
      type="search"
      class="search"
      aria-label={label}
      placeholder={`${hint}  ( / )`}
      value={route.value.query.q ?? ''}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  )
}

type Option = readonly [id: string, label: string, amount?: number]
type OneOfProps = { label: string; value: string; options: readonly Option[]; class?: string; onChange(id: string): void }

/** One of a few, side by side. What counts nothing is left out. */
export function OneOf({ label, value, options, class: className = 'segments', onChange }: OneOfProps) {
  const shown = options.filter(([id, , amount], index) => amount !== 0 || index === 0 || id === value)
  return (
    <fieldset class={className}>
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

export function Copy({ text, children = 'Copy', ...others }: ButtonProps & { text(): string }) {
  return (
    <Button {...others} onClick={() => copy(text())}>
      {children}
    </Button>
  )
}

/** By selection: `navigator.clipboard` needs a secure context, which a mock on another machine is not. */
export function copy(text: string, note = ''): void {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const isDone = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (isDone) notify(`Copied. ${note}`)
  else notify('The browser blocked copying; select the text instead', 'problem')
}
