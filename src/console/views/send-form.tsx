// Sends a request to the service, as any client would: a new one of any operation, or one from the log with changes. Wrong values are
// allowed; the response says what is wrong with them.
import { useState } from 'preact/hooks'
import { contract } from '../../generated/contract.ts'
import { dismiss } from '../actions.ts'
import { mockUrl } from '../connection.ts'
import { type CommandRequest, pathOf, renderCurl } from '../copy/curl.ts'
import { authorize, workingKey } from '../entry.ts'
import { use } from '../mock.ts'
import { currentSandbox } from '../route.ts'
import { Copy, Field, Form, Select } from '../ui/controls.tsx'
import { Json } from '../ui/json.tsx'
import { Pane } from '../ui/pane.tsx'

/** In the address, instead of a request. */
export const NEW_REQUEST = 'new'

interface SentResponse {
  /** As in `201`, or why there is no response. */
  readonly text: string
  readonly body: string
}

const operations = Object.values(contract.operations)

export function SendPane() {
  const sandbox = currentSandbox()
  const state = use('state', sandbox)
  if (!state) return <Pane title="New request">Loading…</Pane>
  return (
    <Pane title="New request">
      <SendForm request={requestFor(operations[0]?.operationId ?? '', workingKey(sandbox, state))} hasOperations />
    </Pane>
  )
}

export function SendForm({ request, hasOperations = false }: { request: CommandRequest; hasOperations?: boolean }) {
  const [draft, setDraft] = useState(request)
  const [operation, setOperation] = useState<string>(operations[0]?.operationId ?? '')
  const [response, setResponse] = useState<SentResponse>()
  const key = draft.headers.authorization?.replace(/^Bearer /, '') ?? ''
  const set = (part: Partial<CommandRequest>) => setDraft({ ...draft, ...part })
  const setKey = (text: string) => {
    const { authorization: _, ...others } = draft.headers
    set({ headers: { ...authorize(text), ...others } })
  }
  const choose = (id: string) => {
    setOperation(id)
    setResponse(undefined)
    setDraft(requestFor(id, key))
  }
  const send = async () => {
    const waiting = { text: 'Waiting for the response…', body: '' }
    setResponse(waiting)
    const received = await sendRequest(draft)
    // You may have chosen another operation meanwhile.
    setResponse((current) => (current === waiting ? received : current))
  }
  const more = (
    <>
      <Copy label="Copy as curl" text={() => renderCurl(draft)} />
      <output>{response?.text}</output>
    </>
  )
  return (
    <>
      <Form class="send" label="Send a request" verb="Send" more={more} onSend={send}>
        {hasOperations && (
          <Select label="Operation" value={operation} options={operations.map(({ operationId }) => operationId)} onChange={choose} />
        )}
        <div class="fields">
          <Field label="Method" class="mono short" value={draft.method} onInput={(method) => set({ method })} />
          <Field label="Path" class="grow mono" value={draft.target} onInput={(target) => set({ target })} />
        </div>
        <Field label="API key" class="mono" placeholder="not sent" value={key} onInput={setKey} />
        {draft.method !== 'GET' && draft.method !== 'HEAD' && (
          <label class="field mono">
            <span>Body</span>
            <textarea rows={6} spellcheck={false} value={draft.body ?? ''} onInput={(event) => set({ body: event.currentTarget.value })} />
          </label>
        )}
      </Form>
      {response && response.body !== '' && <Json text={response.body} label="Response" />}
    </>
  )
}

/** A request of that operation, made from the contract. */
function requestFor(id: string, key: string): CommandRequest {
  const { method = 'GET', path = '', body = null } = operations.find(({ operationId }) => operationId === id) ?? {}
  return {
    method,
    origin: mockUrl,
    target: path.replace(/\{\w+\}/g, '1'),
    headers: { ...authorize(key), ...(body === null ? {} : { 'content-type': 'application/json' }) },
    body: body === null ? '' : JSON.stringify(sampleOf(body.schema), null, 2),
  }
}

interface Schema {
  readonly type: string
  readonly enum?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

function sampleOf(schema: Schema): unknown {
  if (schema.properties) return Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, sampleOf(field)]))
  return schema.enum?.[0] ?? (schema.type === 'string' ? 'Rex' : 1)
}

export async function sendRequest({ method, target, headers, body = '' }: CommandRequest): Promise<SentResponse> {
  const hasBody = body !== '' && method !== 'GET' && method !== 'HEAD'
  // An undo would take back what the request changes, too.
  dismiss()
  try {
    const init = { method, headers, cache: 'no-store', credentials: 'omit', ...(hasBody ? { body } : {}) } as const
    // Always to this mock, whatever host the target names.
    const response = await fetch(mockUrl + pathOf(target), init)
    return { text: String(response.status), body: await response.text() }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { text: `No response: the connection was dropped, or the browser refused to send it (${reason})`, body: '' }
  }
}
