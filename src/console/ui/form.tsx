// A form that keeps what you typed as a draft, and shows what the mock refuses.
import type { ComponentChildren, TargetedSubmitEvent } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Problem } from '../../contract/problem.ts'
import type { OnProblem } from '../model/actions.ts'
import { isAway } from '../model/connection.ts'
import { draftOf, hasDraft, keepDraft } from '../model/drafts.ts'
import type { Texts } from '../model/text.ts'
import { Button, MockButton } from './button.tsx'

type Choices = readonly (readonly [value: string, label: string])[]

/** With `options` it is a select; else `isLong` makes it a text area. The form fills it. */
export type FieldProps = {
  label: string
  name?: string
  class?: string
  options?: Choices
  isLong?: boolean
  placeholder?: string
  type?: string
  step?: number
  size?: number
  required?: boolean
  'aria-invalid'?: boolean
}

export function Field({ label, class: className = '', ...control }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: it has one
    <label class={`field ${className}`}>
      <span>{label}</span>
      {renderControl(control)}
    </label>
  )
}

function renderControl(props: Omit<FieldProps, 'label' | 'class'>) {
  const { options, isLong, ...others } = props
  if (options) {
    return (
      <select {...others}>
        {options.map(([value, label]) => (
          <option key={value} value={value} label={label} />
        ))}
      </select>
    )
  }
  // The types of an input depend on its `type`.
  const attributes: object = { spellcheck: false, autocomplete: 'off', ...others }
  return isLong ? <textarea rows={2} {...attributes} /> : <input {...attributes} />
}

type FormProps = {
  class?: string
  label: string
  verb: string
  /** Where to keep what you type. */
  draft?: string
  /** The texts of the fields before you type. */
  saved?: Texts
  /** Whether its button is the main one of the view. */
  isMain?: boolean
  /** Whether others may change meanwhile what it is about. */
  isShared?: boolean
  /** More buttons. */
  more?: ComponentChildren
  children: ComponentChildren
  /** Resolves to nothing if it failed. */
  onSend(texts: Texts, onProblem: OnProblem): unknown
}

export function Form(props: FormProps) {
  const { class: className = 'card', label, verb, draft = '', saved = {} } = props
  const { isMain = true, isShared = false } = props
  const [problem, setProblem] = useState('')
  const problemId = `${label} problem`.replaceAll(' ', '-')
  const element = useRef<HTMLFormElement>(null)
  // With a draft, each rendering fills the fields. Without one, only the first does: filling again
  // would overwrite what you type.
  const dependencies = draft === '' ? [] : undefined
  useLayoutEffect(() => fill(element.current, { ...saved, ...draftOf(draft) }), dependencies)

  function clearProblem() {
    setProblem('')
    const marked = element.current?.querySelectorAll('[aria-invalid]') ?? []
    for (const field of marked) field.removeAttribute('aria-invalid')
  }

  function update(form: HTMLFormElement) {
    clearProblem()
    if (draft === '') return
    const changed = Object.entries(readTexts(form)).filter(([name, text]) => text !== saved[name])
    keepDraft(draft, Object.fromEntries(changed))
    if (isShared) rememberOrigins(draft, saved)
  }

  async function send(event: TargetedSubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isAway()) return
    const { currentTarget: form, submitter } = event
    update(form)
    const texts = readTexts(form, submitter)
    const isSent = await props.onSend(texts, (text, reasons = []) => {
      setProblem(text)
      markFields(form, reasons, problemId)
    })
    if (!isSent) return
    if (draft !== '') keepDraft(draft, {})
    // The key for undo must not type into a field. You may already be in another form.
    if (form.contains(document.activeElement)) submitter?.focus()
  }

  function discard() {
    clearProblem()
    keepDraft(draft, {})
  }

  return (
    <form
      class={className}
      ref={element}
      aria-label={label}
      onSubmit={send}
      onInput={(event) => update(event.currentTarget)}
    >
      {props.children}
      {isShared && <Conflicts draft={draft} saved={saved} />}
      <p id={problemId} class="problem" role="alert">
        {problem}
      </p>
      <div class="buttons">
        <MockButton class={isMain ? 'button primary' : 'button'} type="submit">
          {verb}
        </MockButton>
        {props.more}
        {hasDraft(draft) && <Button onClick={discard}>Discard</Button>}
      </div>
    </form>
  )
}

/** The draft with what the fields were when you began to type into them. */
function originsOf(draft: string): string {
  return `origins of ${draft}`
}

function rememberOrigins(draft: string, saved: Texts): void {
  const known = draftOf(originsOf(draft))
  const origins: Record<string, string> = {}
  for (const name of Object.keys(draftOf(draft))) origins[name] = known[name] ?? saved[name] ?? ''
  keepDraft(originsOf(draft), origins)
}

/** The fields that somebody else has changed since you began to type into them. */
function Conflicts({ draft, saved }: { draft: string; saved: Texts }) {
  const typed = draftOf(draft)
  const origins = draftOf(originsOf(draft))
  const names = Object.keys(typed).filter((name) => {
    const isTouched = origins[name] !== undefined && origins[name] !== saved[name]
    return isTouched && typed[name] !== saved[name]
  })
  const keep = (name: string) => {
    keepDraft(originsOf(draft), { ...origins, [name]: saved[name] ?? '' })
  }
  const take = (name: string) => {
    const { [name]: _, ...others } = typed
    keepDraft(draft, others)
  }
  return names.map((name) => (
    <div key={name} class="card reason warn" role="alert">
      <span>
        Somebody else has set {name} to <bdi>{saved[name] || 'nothing'}</bdi>.
      </span>
      <div class="buttons">
        <Button onClick={() => keep(name)}>Keep mine</Button>
        <Button onClick={() => take(name)}>Take theirs</Button>
      </div>
    </div>
  ))
}

function readTexts(form: HTMLFormElement, submitter?: HTMLElement | null): Texts {
  return Object.fromEntries(new FormData(form, submitter)) as Texts
}

function fill(form: HTMLFormElement | null, texts: Texts): void {
  for (const [name, text] of Object.entries(texts)) {
    const field = form?.elements.namedItem(name)
    // The same text would move the cursor.
    if (field && 'value' in field && field.value !== text) field.value = text
  }
}

/** Marks the fields that the reasons name, and goes to the first. */
function markFields(form: HTMLFormElement, reasons: readonly Problem[], problemId: string): void {
  const fields: Element[] = []
  for (const reason of reasons) {
    if (!('path' in reason)) continue
    const [name = ''] = String(reason.path).split('.', 1)
    const field = form.elements.namedItem(name)
    if (field instanceof Element) fields.push(field)
  }
  for (const field of fields) {
    field.setAttribute('aria-invalid', 'true')
    field.setAttribute('aria-describedby', problemId)
  }
  const [first] = fields
  if (first instanceof HTMLElement) first.focus()
}
