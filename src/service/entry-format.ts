// The entry of a request, as readers of the request log get it: a copy with secrets redacted.
import { deepFreeze } from '../contract/describe-value.ts'
import { changeTexts } from '../contract/problem.ts'
import { type EntryFormat, isAnswered, type LogEntry, type LoggedMessage, type LogRow, type Reader } from '../world/log-entry.ts'
import { redactBody, redactHeaders, redactTarget, storeFields } from './redact.ts'

/** The row of a client that got no response; whatever its call did is done. */
function hideResponse(row: Readonly<LogRow>): Readonly<LogRow> {
  return { ...row, status: 0, error: undefined, problems: [], responseHeaders: {}, responseBody: '' }
}

/**
 * The entry of a row: a frozen copy to hand out, with secrets redacted. Most readers never look at the messages, so those are made
 * when they are first read.
 */
function toEntry(row: Readonly<LogRow>, reader: Reader): LogEntry {
  const shown = isAnswered(row) ? row : hideResponse(row)
  let request: LoggedMessage | undefined
  let response: LoggedMessage | undefined
  return Object.freeze({
    ...deepFreeze(toHead(shown, reader)),
    get request() {
      request ??= deepFreeze(toLoggedRequest(shown, reader))
      return request
    },
    get response() {
      response ??= deepFreeze(toLoggedResponse(shown, reader))
      return response
    },
  })
}

function toHead(row: Readonly<LogRow>, { sandbox, hide }: Reader): Omit<LogEntry, 'request' | 'response'> {
  const { id, at, realAt, method, target, operation, status, assumptions, faults, notes, error, outcome, durationMs, key } = row
  return {
    id,
    at: new Date(at).toISOString(),
    realAt: new Date(realAt).toISOString(),
    sandbox,
    method: hide(method),
    target: hide(redactTarget(target)),
    operation: operation?.operationId ?? null,
    status,
    assumptions: [...assumptions],
    faults: faults.map(hide),
    ...(row.struck && { struck: row.struck.map(hide) }),
    surprises: [...row.surprises],
    error: error === undefined ? null : hide(error),
    problems: row.problems.map((problem) => changeTexts(problem, hide)),
    notes: notes.map(hide),
    outcome,
    durationMs,
    key: key ?? null,
  }
}

function toLoggedRequest({ fields, requestBody }: Readonly<LogRow>, { hide }: Reader): LoggedMessage {
  const headers = redactHeaders(fields, hide)
  return { headers, body: hide(redactBody(requestBody, headers['content-type'])) }
}

function toLoggedResponse({ responseHeaders, responseBody }: Readonly<LogRow>, { hide }: Reader): LoggedMessage {
  const headers = redactHeaders(storeFields(Object.entries(responseHeaders).flat()), hide, true)
  return { headers, body: hide(redactBody(responseBody)) }
}

/** A row that gives the entry again. What is redacted or cut in it stays so. */
function toRow({ at, realAt, operation, key, error, request, response, sandbox: _, ...entry }: LogEntry): LogRow {
  return {
    ...entry,
    at: Date.parse(at),
    realAt: Date.parse(realAt),
    operation: operation === null ? undefined : { operationId: operation },
    error: error ?? undefined,
    key: key ?? undefined,
    fields: Object.entries(request.headers).flat(),
    requestBody: request.body,
    responseHeaders: response.headers,
    responseBody: response.body,
  }
}

export const entryFormat: EntryFormat = { toEntry, toRow }
