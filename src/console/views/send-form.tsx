// Sends a request to the service, as any client would: a new one, or an edited one of the log.
import { HTTP_TOKEN, isBodiless } from '../../contract/address.ts'
import { contract } from '../../contract/generated/contract.ts'
import { JSON_TYPE } from '../../contract/int64-json.ts'
import type { WhatIfChange } from '../../control/control.ts'
import { nameRow } from '../../control/rows/name-row.ts'
import { type CommandRequest, editRequest } from '../../control/text/copy-logged.ts'
import { findSent, type Sending } from '../../control/text/find-sent.ts'
import { resolveTarget } from '../../control/text/resolve-target.ts'
import { fieldsFor, workingKey } from '../../control/text/working-key.ts'
import type { RequestRow } from '../../world/row.ts'
import type { OnProblem } from '../model/actions.ts'
import { mockUrl, send } from '../model/connection.ts'
import { draftNames, draftOf, hasDraft, keepDraft } from '../model/drafts.ts'
import { indentJson } from '../model/indent-json.ts'
import { read, readRequests } from '../model/mock.ts'
import { notify } from '../model/notice.ts'
import { currentSandbox, go, link } from '../model/route.ts'
import { formatFields, type Texts } from '../model/text.ts'
import { MockButton } from '../ui/button.tsx'
import { Loading } from '../ui/chip.tsx'
import { Field, Form } from '../ui/form.tsx'
import { Pane } from '../ui/pane.tsx'
import { OneOf } from '../ui/tools.tsx'

const OPERATIONS = Object.values(contract.operations)
const CHOICES = Object.keys(contract.operations).map((id) => [id, id] as const)
/** The draft that says which operation you chose for a new request. */
const CHOICE = 'request'
const LONG = { class: 'mono', isLong: true }
const FAULTS = [
  ['faults', 'without faults'],
  ['', 'as it was'],
] as const

/** The request that was sent last, until it is in the log. */
let sent: Sending | undefined

export function draftOfRow(row: RequestRow): string {
  return `request ${row.operation} ${nameRow(row)} ${row.realAt}`
}

/** The operation of a new request that you have not sent. */
export function findDrafted(): string | undefined {
  const drafted = OPERATIONS.find((operation) => hasDraft(findDraft(operation.operationId)))
  return drafted?.operationId
}

/** Of a new request, also of an edited one whose row is gone, such as after a reload of a page. */
function findDraft(operation: string): string {
  const own = `request ${operation}`
  const known = readRequests().map(draftOfRow)
  const isOwn = (name: string) => name === own || name.startsWith(`${own} `)
  return draftNames().findLast((name) => isOwn(name) && !known.includes(name)) ?? own
}

export function SendPane() {
  const sandbox = currentSandbox()
  const state = read('state', sandbox)
  if (!state) {
    return (
      <Pane title="New request">
        <Loading />
      </Pane>
    )
  }
  const operation = draftOf(CHOICE).id ?? findDrafted() ?? 'listPets'
  const draft = findDraft(operation)
  return (
    <Pane title="New request">
      <OneOf
        label="Operation"
        value={operation}
        options={CHOICES}
        onChange={(id) => keepDraft(CHOICE, { id })}
      />
      <SendForm
        key={draft}
        draft={draft}
        request={exampleOf(operation, fieldsFor(sandbox, workingKey(sandbox, state)))}
      />
    </Pane>
  )
}

function exampleOf(operationId: string, headers: CommandRequest['headers']): CommandRequest {
  const operation = OPERATIONS.find((one) => one.operationId === operationId)
  const { method = 'GET', path = '', body = null } = operation ?? {}
  const target = path.replace(/\{\w+\}/g, '1')
  const request = { method, mockUrl, target, headers, body: '' }
  if (body === null) return request
  const example: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(body.schema.properties))
    example[name] = exampleValue(schema)
  return {
    ...request,
    headers: { ...request.headers, 'content-type': JSON_TYPE },
    body: JSON.stringify(example, null, 2),
  }
}

function exampleValue(schema: { readonly type: string; readonly enum?: readonly string[] }) {
  if (schema.enum) return schema.enum[0]
  return schema.type === 'string' ? 'Rex' : 1
}

type SendFormProps = {
  request: CommandRequest
  draft: string
  hasFault?: boolean
  /** Asks what the request would get, instead of sending it. */
  onAsk?(change: WhatIfChange): void
}

export function SendForm({ request, draft, hasFault = false, onAsk }: SendFormProps) {
  const { method, target } = request
  const { authorization = '', ...headers } = request.headers
  const key = authorization.replace(/^Bearer /, '')
  // The log hides the key: what you ask about has the key that it had.
  const isHidden = onAsk !== undefined && key !== ''
  const body = indentJson(request.body)
  const saved = {
    body,
    method,
    target,
    key: isHidden ? '' : key,
    fields: formatFields(headers),
    without: hasFault ? 'faults' : '',
  }

  const removed = Object.fromEntries(Object.keys(headers).map((name) => [name, null]))
  const hiddenKey = isHidden ? key : ''

  function readEdit(texts: Texts, fields: Texts) {
    const own = fieldsFor(null, texts.key ?? '')
    // A body that you leave alone is sent as it was.
    const isSameBody = texts.body === body
    return {
      method: texts.method ?? method,
      target: texts.target ?? target,
      body: isSameBody ? request.body : (texts.body ?? ''),
      headers: { ...removed, ...fields, ...own },
    }
  }

  function submit(texts: Texts, onProblem: OnProblem) {
    const refuse = (path: string, text: string) =>
      onProblem(text, [{ kind: 'text', path, text: '' }])
    const fields = parseFields(texts.fields ?? '')
    if (typeof fields === 'string') {
      refuse('fields', `Expected name: value, got ${fields}`)
      return
    }
    const edit = readEdit(texts, fields)
    if (onAsk && texts.ask) {
      onAsk(texts.without ? { request: edit, without: 'faults' } : { request: edit })
      return
    }
    const edited = editRequest({ ...request, headers: fieldsFor(null, hiddenKey) }, edit)
    if (!resolveTarget(edited.target)) {
      refuse('target', 'Not a path of the service')
      return
    }
    keepDraft(draft, {})
    return sendRequest(edited)
  }

  const more = onAsk && <AskButton />
  const keyHint = isHidden ? `hidden; Send uses ${key}` : 'not sent'
  return (
    <Form
      label="Send a request"
      verb="Send"
      draft={draft}
      saved={saved}
      more={more}
      onSend={submit}
    >
      {!isBodiless(method) && <Field {...LONG} label="Body" name="body" />}
      <div class="inline">
        <Field label="Method" name="method" class="mono" size={7} />
        <Field label="Path" name="target" class="grow mono" />
      </div>
      <Field label="API key" name="key" class="mono" placeholder={keyHint} />
      <Field {...LONG} label="Other headers" name="fields" placeholder="prefer: code=503" />
      {hasFault && <Field label="Ask" name="without" options={FAULTS} />}
    </Form>
  )
}

function AskButton() {
  return (
    <MockButton type="submit" name="ask" value="1" title="Changes nothing (Ctrl+Shift+Enter)">
      Ask what if
    </MockButton>
  )
}

/** Header fields, one a line; a text is the first wrong line. */
function parseFields(text: string): Record<string, string> | string {
  const fields: [name: string, value: string][] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trim()
    if (colon < 0 || !HTTP_TOKEN.test(name)) return line.trim()
    fields.push([name, line.slice(colon + 1).trim()])
  }
  return Object.fromEntries(fields)
}

export async function sendRequest(request: CommandRequest): Promise<void> {
  const { method, headers, body } = request
  // Always to this mock, whatever host the target names.
  const path = resolveTarget(request.target)
  if (path === undefined) return
  sent = { known: new Set(readRequests().map(nameRow)), method, target: path }
  const init: RequestInit = { method, headers, cache: 'no-store', credentials: 'omit' }
  // A text would get a Content-Type.
  if (body !== '' && !isBodiless(method)) init.body = new Blob([body])
  try {
    await send(path, init)
  } catch (error) {
    notify(`No response, or blocked (${error})`)
  }
}

/** Opens the request that was sent from here, once it is in the log. */
export function openSent(requests: readonly RequestRow[]): void {
  const row = sent && findSent(requests, sent)
  if (!row) return
  go(link('timeline', nameRow(row)))
  sent = undefined
}
