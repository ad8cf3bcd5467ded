// A row as readers get it: a frozen copy with secrets redacted. The only place that makes one.
import { deepFreeze } from '../contract/describe-value.ts'
import {
  addParts,
  type ChangeRow,
  createChange,
  isAnswered,
  isChange,
  type KeptChange,
  type KeptRequest,
  type KeptRow,
  type LoggedMessage,
  type RequestRow,
  type TimelineRow,
} from '../world/row.ts'
import { redactBody, redactHeaders, redactTarget, storeFields } from './redact.ts'

export function showRow(row: KeptChange, sandbox: string | null): ChangeRow
export function showRow(row: Readonly<KeptRequest>, sandbox: string | null): RequestRow
export function showRow(row: Readonly<KeptRow>, sandbox: string | null): TimelineRow
export function showRow(row: Readonly<KeptRow>, sandbox: string | null): TimelineRow {
  return isChange(row) ? showChange(row, sandbox) : showRequest(row, sandbox)
}

function showChange(
  { before, obstacle, subject, isWhole, startsAgain, isRecorded, ...row }: KeptChange,
  sandbox: string | null,
): ChangeRow {
  const { type, id, at, realAt, ...rest } = row
  return deepFreeze({ type, id, at: toText(at), realAt: toText(realAt), sandbox, ...rest })
}

/** Most readers never look at the messages, so those are made when they are first read. */
function showRequest(row: Readonly<KeptRequest>, sandbox: string | null): RequestRow {
  // A client that left, or is waiting still, has not got what was decided.
  const { error, problems, status, responseHeaders, responseBody } = isAnswered(row) ? row : NO_RESPONSE
  let request: LoggedMessage | undefined
  let response: LoggedMessage | undefined
  const shown = {
    type: 'request' as const,
    id: row.id,
    at: toText(row.at),
    realAt: toText(row.realAt),
    sandbox,
    method: row.method,
    target: redactTarget(row.target),
    operation: row.operation,
    status,
    assumptions: deepFreeze(row.assumptions),
    faults: deepFreeze(row.faults),
    ...(row.struck && { struck: deepFreeze(row.struck) }),
    surprises: deepFreeze(row.surprises),
    error,
    problems: deepFreeze(problems),
    notes: deepFreeze(row.notes),
    outcome: row.outcome,
    durationMs: row.durationMs,
    key: row.key,
    get request() {
      request ??= deepFreeze(showMessage(redactHeaders(row.fields), row.requestBody))
      return request
    },
    get response() {
      response ??= deepFreeze(showMessage(redactHeaders(storeFields(Object.entries(responseHeaders).flat()), true), responseBody))
      return response
    },
  }
  return Object.freeze(addParts(shown))
}

const NO_RESPONSE = { status: 0, error: null, problems: [], responseHeaders: {}, responseBody: '' } as const

const toText = (instant: number) => new Date(instant).toISOString()

function showMessage(headers: LoggedMessage['headers'], body: string): LoggedMessage {
  return { headers, body: redactBody(body, headers['content-type']) }
}

/** A row that shows the same again, without the states around it. What is redacted or cut stays so. */
export function restoreRow({ at, realAt, sandbox: _, ...row }: TimelineRow): KeptRow {
  const head = { before: undefined, at: Date.parse(at), realAt: Date.parse(realAt) }
  if (isChange(row)) {
    const startsAgain = row.method === 'load' || row.method === 'reset'
    return createChange({ ...row, ...head, isUndone: false, canUndo: false, startsAgain })
  }
  const { request, response, ...rest } = row
  const messages = { fields: Object.entries(request.headers).flat(), requestBody: request.body }
  return { ...rest, ...head, type: 'request', ...messages, responseHeaders: response.headers, responseBody: response.body }
}
