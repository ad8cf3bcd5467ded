// The entry of a request, as readers of the request log get it: a copy with secrets redacted.
import { deepFreeze } from '../contract/freeze.ts'
import { type EntryFormat, isAnswered, type LogEntry, type LoggedMessage, type LogRow } from '../world/log-entry.ts'
import { redactBody, redactHeaders, redactTarget, storeFields } from './redact.ts'

/** The row of a client that got no response; whatever its call did is done. */
function hideResponse(row: Readonly<LogRow>): Readonly<LogRow> {
  return { ...row, status: 0, error: undefined, problems: [], responseHeaders: {}, responseBody: '' }
}

/**
 * The entry of a row: a frozen copy to hand out, with secrets redacted. Most readers never look at the messages, so those are made
 * when they are first read.
 */
function toEntry(row: Readonly<LogRow>, sandbox: string | null): LogEntry {
  const shown = isAnswered(row) ? row : hideResponse(row)
  let request: LoggedMessage | undefined
  let response: LoggedMessage | undefined
  return Object.freeze({
    ...deepFreeze(toHead(shown, sandbox)),
    get request() {
      request ??= deepFreeze(toLoggedRequest(shown))
      return request
    },
    get response() {
      response ??= deepFreeze(toLoggedResponse(shown))
      return response
    },
  })
}

function toHead(row: Readonly<LogRow>, sandbox: string | null): Omit<LogEntry, 'request' | 'response'> {
  const { id, at, realAt, method, target, operation, status, assumptions, faults, notes, error, outcome, durationMs, key } = row
  return {
    id,
    at: new Date(at).toISOString(),
    realAt: new Date(realAt).toISOString(),
    sandbox,
    method,
    target: redactTarget(target),
    operation: operation?.operationId ?? null,
    status,
    assumptions: [...assumptions],
    faults: [...faults],
    ...(row.struck && { struck: [...row.struck] }),
    surprises: [...row.surprises],
    error: error ?? null,
    problems: [...row.problems],
    notes: [...notes],
    outcome,
    durationMs,
    key: key ?? null,
  }
}

function toLoggedRequest({ fields, requestBody }: Readonly<LogRow>): LoggedMessage {
  const headers = redactHeaders(fields)
  return { headers, body: redactBody(requestBody, headers['content-type']) }
}

function toLoggedResponse({ responseHeaders, responseBody }: Readonly<LogRow>): LoggedMessage {
  const headers = redactHeaders(storeFields(Object.entries(responseHeaders).flat()), true)
  return { headers, body: redactBody(responseBody) }
}

/** A row that gives the entry again. What is redacted or cut in it stays so. */
function toRow({ at, realAt, operation, key, error, request, response, sandbox: _, ...entry }: LogEntry): LogRow {
  return {
    ...entry,
    before: undefined,
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
