// Sends a request of one operation and shows the response. Nothing is validated here: wrong values are worth a try too.
import { useState } from 'preact/hooks'
import { CopyRequest } from '../parts/copy-request.tsx'
import { CodeField } from '../parts/fields.tsx'
import { ServiceResponse } from '../parts/service-response.tsx'
import type { InterfaceField, InterfaceOperation } from '../state/read-interface.ts'
import { type Draft, type ServiceAnswer, sendRequest, toRequest } from '../state/send-request.ts'

interface TryFormProps {
  readonly operation: InterfaceOperation
  /** A path parameter that exists. */
  readonly suggestion: string
  readonly apiKey: string
  onSay(text: string): void
}

const PREFERENCES = ['code=503', 'delay=1500', 'drop']

export function TryForm({ operation, suggestion, apiKey, onSay }: TryFormProps) {
  const { id, body } = operation
  const parameters = operation.fields.filter(({ place }) => place !== 'body')
  const [draft, setDraft] = useState<Draft>({ values: {}, body: body ?? '', prefer: '' })
  const [answer, setAnswer] = useState<ServiceAnswer>()
  const [isSending, setSending] = useState(false)
  const suggested = Object.fromEntries(parameters.filter(({ place }) => place === 'path').map(({ name }) => [name, suggestion]))
  const request = () => toRequest(operation, { ...draft, values: { ...suggested, ...draft.values } }, apiKey)
  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    setSending(true)
    setAnswer(await sendRequest(request()))
    setSending(false)
  }
  return (
    <form class="try" aria-label={`Try ${id}`} onSubmit={send}>
      <div class="form-grid">
        {parameters.map((field) => (
          <ParameterField
            key={field.name}
            id={id}
            field={field}
            value={draft.values[field.name] ?? suggested[field.name] ?? ''}
            onInput={(value) => setDraft({ ...draft, values: { ...draft.values, [field.name]: value } })}
          />
        ))}
        <label class="field">
          <span>Prefer header</span>
          <input
            type="text"
            list={`${id}-prefer`}
            placeholder={`e.g. ${PREFERENCES[0]}`}
            title={`Makes the mock respond differently to this request: ${PREFERENCES.join(', ')}`}
            value={draft.prefer}
            onInput={(event) => setDraft({ ...draft, prefer: event.currentTarget.value })}
          />
          <Choices id={`${id}-prefer`} values={PREFERENCES} />
        </label>
      </div>
      {body !== undefined && <CodeField label="Body" rows={6} value={draft.body} onInput={(text) => setDraft({ ...draft, body: text })} />}
      <div class="buttons">
        <button type="submit" class="button primary" disabled={isSending}>
          Send
        </button>
        <CopyRequest request={() => ({ ...request(), origin: location.origin })} onSay={onSay} />
      </div>
      <ServiceResponse answer={answer} />
    </form>
  )
}

function ParameterField({
  id,
  field,
  value,
  onInput,
}: {
  id: string
  field: InterfaceField
  value: string
  onInput: (value: string) => void
}) {
  const { name, place, choices, fallback } = field
  const listId = `${id}-${name}`
  return (
    <label class="field">
      <span>{name}</span>
      <input
        type="text"
        autocomplete="off"
        required={place === 'path'}
        placeholder={fallback === '' ? 'not sent' : `default ${fallback}`}
        value={value}
        {...(choices.length > 0 ? { list: listId } : {})}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {choices.length > 0 && <Choices id={listId} values={choices} />}
    </label>
  )
}

function Choices({ id, values }: { id: string; values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  )
}
