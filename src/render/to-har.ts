// Rows as an HTTP Archive (HAR 1.2), as the request log shows them: keys redacted, cookies left out, long bodies cut.
import { isChange, type RequestRow, type TimelineRow } from '../world/row.ts'

const HTTP = { httpVersion: 'HTTP/1.1', cookies: [] } as const

export function toHar(rows: readonly TimelineRow[], { version, origin }: { readonly version: string; readonly origin: string }) {
  // Custom fields begin with an underscore.
  const changes = rows.filter(isChange)
  return {
    log: {
      version: '1.2',
      creator: { name: 'animal-store-mock', version },
      entries: rows.flatMap((row) => (isChange(row) ? [] : [toHarEntry(row, origin)])),
      ...(changes.length > 0 && { _changes: changes }),
    },
  }
}

function toHarEntry(entry: RequestRow, origin: string) {
  const { method, target, status, durationMs, outcome, error, notes, request, response } = entry
  const { host, 'content-length': sentBytes = request.body.length, 'content-type': sentType = '' } = request.headers
  const { 'Content-Length': size = response.body.length, 'Content-Type': mimeType = 'x-unknown' } = response.headers
  const text = target.startsWith('/') ? (host === undefined ? origin : `http://${host}`) + target : target
  // The target may not be part of a valid address.
  const url = URL.canParse(text) ? new URL(text) : new URL(origin)
  const comment = [outcome === 'sent' ? [] : outcome, error ?? [], notes].flat().join('; ')
  return {
    startedDateTime: entry.realAt,
    time: durationMs,
    request: {
      method,
      url: url.href,
      ...HTTP,
      headers: toList(Object.entries(request.headers)),
      queryString: toList([...url.searchParams]),
      ...(request.body !== '' && { postData: { mimeType: sentType, text: request.body } }),
      headersSize: -1,
      bodySize: Number(sentBytes),
    },
    response: {
      status,
      statusText: '',
      ...HTTP,
      headers: toList(Object.entries(response.headers)),
      content: { size: Number(size), mimeType, ...(response.body !== '' && { text: response.body }) },
      redirectURL: '',
      headersSize: -1,
      bodySize: Number(size),
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    ...(comment !== '' && { comment }),
    ...(entry.sandbox !== null && { _sandbox: entry.sandbox }),
    _operation: entry.operation,
    _outcome: outcome,
    _assumptions: entry.assumptions,
    _faults: entry.faults,
    _mockTime: entry.at,
  }
}

function toList(fields: readonly (readonly [string, string])[]) {
  return fields.map(([name, value]) => ({ name, value }))
}
