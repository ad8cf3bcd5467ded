// Rows as an HTTP Archive (HAR 1.2), as the request log shows them: keys redacted, cookies left
// out, long bodies cut.
import { withoutUndefined } from '../../contract/values.ts'
import { isRequest, type RequestRow, type TimelineRow } from '../../world/row.ts'
import { MOCK_NAME } from '../protocol.ts'
import { printReasons } from '../rows/reasons.ts'

type Source = Readonly<{ version: string; mockUrl: string }>

export function toHar(rows: readonly TimelineRow[], source: Source) {
  const { version, mockUrl } = source
  const entries = rows.filter(isRequest).map((row) => toEntry(row, mockUrl))
  return { log: { version: '1.2', creator: { name: MOCK_NAME, version }, entries } }
}

function toEntry(row: RequestRow, mockUrl: string) {
  const { realAt, durationMs } = row
  return withoutUndefined({
    startedDateTime: realAt,
    time: durationMs,
    request: describeRequest(row, findUrl(row, mockUrl)),
    response: describeResponse(row),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: describeOutcome(row),
  })
}

function findUrl(row: RequestRow, mockUrl: string): URL {
  const { target, request } = row
  const { host } = request.headers
  const { protocol, pathname } = new URL(mockUrl)
  const server = host === undefined ? mockUrl : `${protocol}//${host}${pathname.replace(/\/$/, '')}`
  const text = target.startsWith('/') ? server + target : target
  // The target may not be part of a valid address.
  return new URL(URL.canParse(text) ? text : mockUrl)
}

function describeRequest(row: RequestRow, url: URL) {
  const { headers, body } = row.request
  const { 'content-length': size = body.length, 'content-type': mimeType = '' } = headers
  return withoutUndefined({
    method: row.method,
    url: url.href,
    ...COMMON,
    headers: listFields(Object.entries(headers)),
    queryString: listFields([...url.searchParams]),
    postData: body === '' ? undefined : { mimeType, text: body },
    bodySize: Number(size),
  })
}

function describeResponse(row: RequestRow) {
  const { headers, body } = row.response
  const { 'Content-Length': length = body.length, 'Content-Type': mimeType = 'x-unknown' } = headers
  const size = Number(length)
  const text = body === '' ? undefined : body
  return {
    status: row.status,
    statusText: '',
    ...COMMON,
    headers: listFields(Object.entries(headers)),
    content: withoutUndefined({ size, mimeType, text }),
    redirectURL: '',
    bodySize: size,
  }
}

function describeOutcome(row: RequestRow): string | undefined {
  const reasons = printReasons(row).map(({ text }) => text)
  if (row.outcome !== 'sent') reasons.unshift(row.outcome)
  return reasons.join('; ') || undefined
}

const COMMON = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 }

const listFields = (fields: readonly (readonly [string, string])[]) =>
  fields.map(([name, value]) => ({ name, value }))
