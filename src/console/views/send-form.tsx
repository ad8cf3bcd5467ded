// Sends a request to the service, as any client would: a new one, an edited one of the log, or that
// of the quick start.
import { HTTP_TOKEN, isBodiless } from '../../contract/address.ts'
import { contract } from '../../contract/generated/contract.ts'
import { JSON_TYPE } from '../../contract/int64-json.ts'
import type { WhatIfChange } from '../../control/control.ts'
import { renderCurl } from '../../control/text/copy-curl.ts'
import { type CommandRequest, editRequest } from '../../control/text/copy-logged.ts'
import { renderFetch } from '../../control/text/copy-script.ts'
import { findSent, nameOf, type Sending } from '../../control/text/find-sent.ts'
import { resolveTarget } from '../../control/text/resolve-target.ts'
import { authorize, describeKeyRule, workingKey } from '../../control/text/working-key.ts'
import type { RequestRow } from '../../world/row.ts'
import type { OnProblem } from '../model/actions.ts'
import { baseUrl, drawer, mockUrl, send } from '../model/connection.ts'
import { draftNames, draftOf, hasDraft, keepDraft } from '../model/drafts.ts'
import { read, readRequests } from '../model/mock.ts'
import { notify } from '../model/notice.ts'
import { currentSandbox, go, link, NEW } from '../model/route.ts'
import { capitalize, count, fieldLines, type Texts } from '../model/text.ts'
import { Act, Button, copy, Field, Form, Json, Loading, OneOf, UNSAVED } from '../ui/controls.tsx'
import { Pane } from '../ui/pane.tsx'

let sent: Sending | undefined

const TARGET = `${contract.operations.listPets.path}?status=available&limit=3`
const OPERATIONS = Object.values(contract.operations)
const CHOICES = OPERATIONS.map(({ operationId: id }) => [id, id] as const)
const LONG = { class: 'mono', isLong: true }
const FAULTS = Object.entries({ faults: 'without faults', '': 'as it was' })

export const draftOfRow = (row: RequestRow) =>
  `request ${row.operation} ${nameOf(row)} ${row.realAt}`
export const findDrafted = () =>
  OPERATIONS.find(({ operationId }) => hasDraft(findDraft(operationId)))?.operationId

/** Of a new request, also of an edited one whose row is gone, as after a reload of a page. */
function findDraft(operation: string): string {
  const own = `request ${operation}`
  const names = draftNames().filter((name) => `${name} `.startsWith(`${own} `))
  return names.findLast((name) => !readRequests().map(draftOfRow).includes(name)) ?? own
}

export function SendPane() {
  const sandbox = currentSandbox()
  const state = read('state', sandbox)
  const operation = draftOf('request').id ?? findDrafted() ?? 'listPets'
  const draft = findDraft(operation)
  const choose = (id: string) => keepDraft('request', { id })
  if (!state) return <Pane title="New request" children={<Loading />} />
  return (
    <Pane title="New request">
      <OneOf label="Operation" value={operation} options={CHOICES} onChange={choose} />
      <SendForm
        key={draft}
        draft={draft}
        request={exampleOf(operation, workingKey(sandbox, state))}
      />
    </Pane>
  )
}

/** With `onAsk` you can ask what the request would get, instead of sending it. */
type SendProps = {
  request: CommandRequest
  draft: string
  hasFault?: boolean
  onAsk?(change: WhatIfChange): void
}
export function SendForm({ request, draft, hasFault, onAsk }: SendProps) {
  const { authorization, ...headers } = request.headers
  const key = (authorization ?? '').replace(/^Bearer /, '')
  const isHidden = onAsk !== undefined && key !== ''
  const { method, target, body = '' } = request
  const shownKey = isHidden ? '' : key
  const lines = fieldLines(headers)
  const saved = {
    method,
    target,
    key: shownKey,
    body,
    fields: lines,
    without: hasFault ? 'faults' : '',
  }
  const more = onAsk && <Act type="submit" name="send" value="1" text="Send" />
  const submit = (
    { key: given = '', fields = '', without, send: toSend, ...parts }: Texts,
    onProblem: OnProblem,
  ) => {
    const refuse = (path: string, text: string) =>
      onProblem(text, [{ kind: 'text', path, text: '' }])
    const filled = fields.split('\n').filter((line) => line.trim())
    const pairs = filled.map((line) => line.split(/:(.*)/, 2).map((part) => part.trim()))
    const wrong = pairs.find(([name = '', value]) => value === undefined || !HTTP_TOKEN.test(name))
    if (wrong) return refuse('fields', `Expected name: value, got ${wrong.join(': ')}`)
    const gone = Object.keys(headers).map((name) => [name, null])
    const changed = {
      ...parts,
      headers: { ...Object.fromEntries([...gone, ...pairs]), ...authorize(given) },
    }
    if (onAsk && !toSend) return onAsk({ request: changed, ...(without && { without: 'faults' }) })
    const edited = editRequest({ ...request, headers: authorize(isHidden ? key : '') }, changed)
    if (!resolveTarget(edited.target)) return refuse('target', 'Not a path of the service')
    keepDraft(draft, {})
    return sendRequest(edited)
  }
  const form = { label: 'Send a request', verb: onAsk ? 'Ask' : 'Send', draft, saved, more }
  const keyHint = isHidden ? 'hidden' : 'not sent'
  return (
    <Form {...form} onSend={submit}>
      <div class="inline">
        <Field label="Method" name="method" class="mono" size={7} defaultValue={method} />
        <Field label="Path" name="target" class="grow mono" defaultValue={target} />
      </div>
      <Field
        label="API key"
        name="key"
        class="mono"
        placeholder={keyHint}
        defaultValue={shownKey}
      />
      {isHidden && (
        <p class="muted">{`The log hides the key. Leave this empty, and Ask uses it; Send uses ${key}.`}</p>
      )}
      {!isBodiless(method) && <Field {...LONG} label="Body" name="body" defaultValue={body} />}
      <Field
        {...LONG}
        label="Other headers"
        name="fields"
        placeholder="prefer: code=503"
        defaultValue={lines}
      />
      {hasFault && <Field label="Ask" name="without" options={FAULTS} />}
    </Form>
  )
}

function exampleOf(id: string, key: string): CommandRequest {
  const {
    method = 'GET',
    path = '',
    body = null,
  } = OPERATIONS.find(({ operationId }) => operationId === id) ?? {}
  const request = {
    method,
    mockUrl,
    target: path.replace(/\{\w+\}/g, '1'),
    headers: authorize(key),
    body: '',
  }
  if (body === null) return request
  const fields = Object.entries<{ type: string; enum?: readonly string[] }>(body.schema.properties)
  const sample = fields.map(([name, { type, enum: all }]) => [
    name,
    all?.[0] ?? (type === 'string' ? 'Rex' : 1),
  ])
  const headers = { ...request.headers, 'content-type': JSON_TYPE }
  return { ...request, headers, body: JSON.stringify(Object.fromEntries(sample), null, 2) }
}

export async function sendRequest({
  method,
  target,
  headers,
  body = '',
}: CommandRequest): Promise<void> {
  const hasBody = body !== '' && !isBodiless(method)
  const path = resolveTarget(target)
  if (path === undefined) return
  sent = { known: new Set(readRequests().map(nameOf)), method, target: path }
  try {
    const init = { method, headers, cache: 'no-store', credentials: 'omit' } as const
    // Always to this mock, whatever host the target names.
    await send(path, hasBody ? { ...init, body: new Blob([body]) } : init)
  } catch (error) {
    notify(`No response, or blocked (${error})`)
  }
}

export function openSent(requests: readonly RequestRow[]): void {
  const row = sent && findSent(requests, sent)
  if (!row) return
  go(link('timeline', nameOf(row)))
  sent = undefined
}

export function QuickStart() {
  const pets = read('summary')?.pets ?? 0
  const key = workingKey(currentSandbox(), read('state'))
  const request = { method: 'GET', mockUrl, target: TARGET, headers: authorize(key), body: '' }
  const open = `The store is open, with ${count(pets, 'animal')}.`
  const head = key === '' ? `${capitalize(describeKeyRule(read('state')))}.` : open
  const [name, example] = drawer ? ['fetch', renderFetch(request)] : ['curl', renderCurl(request)]
  return (
    <section class="start stack">
      <h2>{head}</h2>
      <p class="muted">
        Point your client at <code>{baseUrl}</code>, or send the first request.
      </p>
      <Json text={example} label="The first request" />
      <div class="buttons">
        <Act class="button primary" text="Send it now" onClick={() => sendRequest(request)} />
        <Button text={`Copy as ${name}`} onClick={() => copy(example)} />
        <a class="button" href={link('timeline', NEW)}>
          New request {findDrafted() && UNSAVED}
        </a>
      </div>
    </section>
  )
}
