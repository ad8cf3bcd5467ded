// Sends a request to the service, as any client would: a new one of any operation, or one from the log with changes. Wrong values are
// allowed; the response says what is wrong with them.
import { useState } from 'preact/hooks'
import { type CommandRequest, pathOf } from '../../client/copy/curl.ts'
import { authorize, workingKey } from '../../client/copy/logged.ts'
import { contract } from '../../generated/contract.ts'
import { dismiss } from '../actions.ts'
import { mockUrl, send } from '../connection.ts'
import { use } from '../mock.ts'
import { currentSandbox } from '../route.ts'
import { Field, Form, Select, type Texts } from '../ui/controls.tsx'
import { Json } from '../ui/json.tsx'
import { Pane } from '../ui/pane.tsx'

/** In the address, instead of a request. */
export const NEW_REQUEST = 'new'

interface SentResponse {
  /** As in `201`, or why there is no response. */
  readonly text: string
  readonly body: string
}

const OPERATIONS = Object.values(contract.operations)

export function SendPane() {
  const sandbox = currentSandbox()
  const state = use('state', sandbox)
  const [operation, setOperation] = useState<string>(OPERATIONS[0]?.operationId ?? '')
  if (!state) return <Pane title="New request">Loading…</Pane>
  return (
    <Pane title="New request">
      <Select label="Operation" value={operation} options={OPERATIONS.map(({ operationId }) => operationId)} onChange={setOperation} />
      <SendForm key={operation} request={requestFor(operation, workingKey(sandbox, state))} />
    </Pane>
  )
}

export function SendForm({ request }: { request: CommandRequest }) {
  const [response, setResponse] = useState<SentResponse>()
  const { authorization = '', ...headers } = request.headers
  const submit = async ({ key = '', ...parts }: Texts) => {
    setResponse({ text: 'Waiting for the response…', body: '' })
    setResponse(await sendRequest({ ...request, ...parts, headers: { ...authorize(key), ...headers } }))
  }
  return (
    <>
      <Form class="card" label="Send a request" verb="Send" more={<output>{response?.text}</output>} onSend={submit}>
        <div class="inline">
          <Field label="Method" name="method" class="mono short" defaultValue={request.method} />
          <Field label="Path" name="target" class="grow mono" defaultValue={request.target} />
        </div>
        <Field label="API key" name="key" class="mono" placeholder="not sent" defaultValue={authorization.replace(/^Bearer /, '')} />
        {canHaveBody(request.method) && (
          <label class="field mono">
            <span>Body</span>
            <textarea name="body" rows={6} spellcheck={false} defaultValue={request.body} />
          </label>
        )}
      </Form>
      {response && response.body !== '' && <Json text={response.body} label="Response" />}
    </>
  )
}

/** A request of that operation, made from the contract. */
function requestFor(id: string, key: string): CommandRequest {
  const { method = 'GET', path = '', body = null } = OPERATIONS.find(({ operationId }) => operationId === id) ?? {}
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
  const hasBody = body !== '' && canHaveBody(method)
  // An undo would take back what the request changes, too.
  dismiss()
  try {
    const init = { method, headers, cache: 'no-store', credentials: 'omit', ...(hasBody ? { body } : {}) } as const
    // Always to this mock, whatever host the target names.
    const response = await send(pathOf(target), init)
    return { text: String(response.status), body: await response.text() }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { text: `No response: the connection was dropped, or the browser refused to send it (${reason})`, body: '' }
  }
}

/** fetch refuses a body with these methods. */
function canHaveBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD'
}
