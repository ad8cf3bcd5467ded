// A form that keeps what you typed as a draft, and shows what the mock refuses.
import type { ComponentChildren, TargetedMouseEvent, TargetedSubmitEvent } from 'preact'
import { useState } from 'preact/hooks'
import type { Problem } from '../../contract/problem.ts'
import type { OnProblem } from '../model/actions.ts'
import { isAway } from '../model/connection.ts'
import { draftOf, hasDraft, keepDraft } from '../model/drafts.ts'
import type { Texts } from '../model/text.ts'
import { Act, Button } from './button.tsx'

type Choices = readonly (readonly [value: string, label: string])[]

/** With `options` it is a select, and else `isLong` makes it a text area. */
export type FieldProps = {
  label: string
  name?: string
  class?: string
  options?: Choices
  isLong?: boolean
  value?: string
  defaultValue?: string
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
  const { options, isLong, defaultValue, ...others } = props
  if (options) {
    return (
      <select {...others}>
        {options.map(([value, label]) => (
          <option key={value} value={value} label={label} selected={value === defaultValue} />
        ))}
      </select>
    )
  }
  // The types of an input depend on its `type`.
  const attributes: object = { spellcheck: false, autocomplete: 'off', defaultValue, ...others }
  return isLong ? <textarea rows={2} {...attributes} /> : <input {...attributes} />
}

type FormProps = {
  class?: string
  label: string
  verb: string
  /** Where to keep what differs from `saved`. */
  draft?: string
  saved?: Texts
  /** Whether its button is the main one of the view. */
  isMain?: boolean
  /** More buttons. */
  more?: ComponentChildren
  children: ComponentChildren
  /** Resolves to nothing if it failed. */
  onSend(texts: Texts, onProblem: OnProblem): unknown
}

export function Form(props: FormProps) {
  const { class: className = 'card', label, verb, draft = '', saved = {}, isMain = true } = props
  const [problem, setProblem] = useState('')
  const problemId = `${label} problem`.replaceAll(' ', '-')

  function update(form: HTMLFormElement) {
    setProblem('')
    for (const field of form.querySelectorAll('[aria-invalid]'))
      field.removeAttribute('aria-invalid')
    if (draft === '') return
    const changed = Object.entries(readTexts(form)).filter(([name, text]) => text !== saved[name])
    keepDraft(draft, Object.fromEntries(changed))
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

  function discard(event: TargetedMouseEvent<HTMLButtonElement>) {
    const { form } = event.currentTarget
    if (!form) return
    form.reset()
    update(form)
    keepDraft(draft, {})
  }

  return (
    <form
      class={className}
      ref={(form) => restoreDraft(form, draft)}
      aria-label={label}
      onSubmit={send}
      onInput={(event) => update(event.currentTarget)}
    >
      {props.children}
      <p id={problemId} class="problem" role="alert">
        {problem}
      </p>
      <div class="buttons">
        <Act class={isMain ? 'button primary' : 'button'} type="submit">
          {verb}
        </Act>
        {props.more}
        {hasDraft(draft) && <Button onClick={discard}>Discard</Button>}
      </div>
    </form>
  )
}

function readTexts(...from: ConstructorParameters<typeof FormData>): Texts {
  return Object.fromEntries(new FormData(...from)) as Texts
}

function restoreDraft(form: HTMLFormElement | null, draft: string): void {
  for (const [name, value] of Object.entries(draftOf(draft))) {
    const field = form?.elements.namedItem(name)
    if (field) Object.assign(field, { value })
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
