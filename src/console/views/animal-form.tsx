// The fields of an animal, as the contract has them. What is wrong with them is the mock's to say.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { FieldTexts } from '../state/animal-fields.ts'
import type { InterfaceField } from '../state/read-interface.ts'

interface AnimalFormProps {
  readonly label: string
  readonly fields: readonly InterfaceField[]
  readonly texts: FieldTexts
  /** Of the button that sends it. */
  readonly verb: string
  /** With the texts as they are and as they were at first; resolves to what is wrong, if anything is. */
  onSend(texts: FieldTexts, initial: FieldTexts): Promise<readonly string[]>
  onCancel(): void
  readonly children?: ComponentChildren
}

export function AnimalForm({ label, fields, texts: given, verb, onSend, onCancel, children }: AnimalFormProps) {
  // An animal may change while somebody edits it: what counts is what they saw when they began.
  const [initial] = useState(given)
  const [texts, setTexts] = useState(initial)
  const [problems, setProblems] = useState<readonly string[]>([])
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select')?.focus(), [])
  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    setProblems(await onSend(texts, initial))
  }
  return (
    <form ref={form} class="try" aria-label={label} onSubmit={send}>
      {fields.map((field, index) => (
        // biome-ignore lint/a11y/noLabelWithoutControl: the control is the component
        <label key={field.name} class="field">
          <span>
            {field.name}, {field.type}
            {field.isRequired ? ', required' : ''}
          </span>
          <Control
            field={field}
            isFirst={index === 0}
            value={texts[field.name] ?? ''}
            onChange={(value) => setTexts({ ...texts, [field.name]: value })}
          />
        </label>
      ))}
      <div role="alert">
        {problems.length > 0 && (
          <ul class="problem-list">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        )}
      </div>
      <div class="buttons">
        <button type="submit" class="button primary">
          {verb}
        </button>
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
        {children}
      </div>
    </form>
  )
}

function Control({
  field,
  isFirst,
  value,
  onChange,
}: {
  field: InterfaceField
  isFirst: boolean
  value: string
  onChange: (value: string) => void
}) {
  const { choices, isRequired, type } = field
  if (choices.length > 0) {
    return (
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {!isRequired && <option value="">none</option>}
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    )
  }
  const isNumber = /^(?:int|number)/.test(type)
  return (
    <input
      type="text"
      autocomplete="off"
      // Where it is the first thing in a pane, the pane gives it the focus.
      autofocus={isFirst}
      {...(isNumber ? { inputMode: 'numeric' as const, class: 'mono' } : {})}
      value={value}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  )
}
