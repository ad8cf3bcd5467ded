// Rows as an HTTP Archive (HAR 1.2), as the request log shows them: keys redacted, cookies left
// out, long bodies cut.
import { MOCK_NAME } from '../../control/protocol.ts'
import { printReasons } from '../../control/text/reasons.ts'
import { isRequest, type RequestRow, type TimelineRow } from '../../world/row.ts'

export function toHar(
  rows: readonly TimelineRow[],
  { version, mockUrl }: Record<'version' | 'mockUrl', string>,
) {
  const entries = rows.filter(isRequest).map((row) => toHarEntry(row, mockUrl))
  return { log: { version: '1.2', creator: { name: MOCK_NAME, version }, entries } }
}

function toHarEntry(row: RequestRow, mockUrl: string) {
  const { realAt, method, target, status, durationMs, outcome, request, response } = row
  const {
    host,
    'content-length': sentBytes = request.body.length,
    'content-type': sentType = '',
  } = request.headers
  const { 'Content-Length': size = response.body.length, 'Content-Type': mimeType = 'x-unknown' } =
    response.headers
  const { protocol, pathname } = new URL(mockUrl)
  const server = host === undefined ? mockUrl : `${protocol}//${host}${pathname.replace(/\/$/, '')}`
  const text = target.startsWith('/') ? server + target : target
  // The target may not be part of a valid address.
  const url = new URL(URL.canParse(text) ? text : mockUrl)
  const comment = [
    outcome === 'sent' ? [] : outcome,
    ...printReasons(row).map((reason) => reason.text),
  ]
    .flat()
    .join('; ')
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 }
  return {
    startedDateTime: realAt,
    time: durationMs,
    request: {
      method,
      url: url.href,
      ...common,
      headers: toList(Object.entries(request.headers)),
      queryString: toList([...url.searchParams]),
      ...(request.body !== '' && { postData: { mimeType: sentType, text: request.body } }),
      bodySize: Number(sentBytes),
    },
    response: {
      status,
      statusText: '',
      ...common,
      headers: toList(Object.entries(response.headers)),
      content: {
        size: Number(size),
        mimeType,
        ...(response.body !== '' && { text: response.body }),
      },
      redirectURL: '',
      bodySize: Number(size),
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    ...(comment !== '' && { comment }),
  }
}

const toList = (fields: readonly (readonly [string, string])[]) =>
  fields.map(([name, value]) => ({ name, value }))
