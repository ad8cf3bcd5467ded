// A request of the journal to change and send. Nothing is validated here: wrong values are worth a try too.
import { useEffect, useRef, useState } from 'preact/hooks'
import { CodeField } from '../parts/fields.tsx'
import { ServiceResponse } from '../parts/service-response.tsx'
import type { ConsoleState } from '../state/console-state.ts'
import type { ShownEntry } from '../state/filter-traffic.ts'
import { parseFields, type ServiceAnswer, sendRequest, toFieldLines } from '../state/send-request.ts'
import { CUT_NOTE, isCut, toServiceRequest } from '../state/to-entry-request.ts'
import type { WorldView } from '../state/world-view.ts'

interface SendFormProps {
  readonly entry: ShownEntry
  readonly state: ConsoleState
  readonly world: WorldView
  onClose(): void
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export function SendForm({ entry, state, world, onClose }: SendFormProps) {
  const [draft, setDraft] = useState(() => {
    const { headers, body = '', ...request } = toServiceRequest(entry, state, world)
    return { ...request, headers: toFieldLines(headers), body }
  })
  const [answer, setAnswer] = useState<ServiceAnswer>()
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    const { method, target, headers, body } = draft
    const hasBody = method !== 'GET' && method !== 'HEAD' && body !== ''
    setAnswer(await sendRequest({ method, target, headers: parseFields(headers), body: hasBody ? body : undefined }))
  }
  return (
    <form class="card try" aria-label="Edit and send" onSubmit={send}>
      <div class="row">
        <label class="field">
          <span>Method</span>
          <select value={draft.method} onChange={(event) => change({ method: event.currentTarget.value })}>
            {[...new Set([...METHODS, draft.method])].map((method) => (
              <option key={method}>{method}</option>
            ))}
          </select>
        </label>
        <label class="field grow">
          <span>Path and query</span>
          <input
            ref={first}
            type="text"
            class="mono"
            required
            autocomplete="off"
            spellcheck={false}
            value={draft.target}
            onInput={(event) => change({ target: event.currentTarget.value })}
          />
        </label>
      </div>
      <CodeField label="Headers, one per line" rows={3} value={draft.headers} onInput={(headers) => change({ headers })} />
      {isCut(entry.request.body) && <p class="problem-line">{CUT_NOTE}</p>}
      <CodeField label="Body" rows={6} value={draft.body} onInput={(body) => change({ body })} />
      <div class="buttons">
        <button type="submit" class="button primary">
          Send
        </button>
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
      </div>
      <ServiceResponse answer={answer} />
    </form>
  )
}
