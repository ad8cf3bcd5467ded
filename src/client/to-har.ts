// Log entries as an HTTP Archive (HAR 1.2), for browsers' developer tools and whatever else reads one. It holds what the request log
// shows: keys are redacted, cookies left out, long bodies cut.
import type { ChangeRow } from '../world/change.ts'
import type { LogEntry } from '../world/log-entry.ts'

const HTTP_VERSION = 'HTTP/1.1'

/** The archive, as a value to write as JSON. `origin` is the mock's, for requests that named no host. */
export function toHar(rows: readonly (LogEntry | ChangeRow)[], { version, origin }: { readonly version: string; readonly origin: string }) {
  // Custom fields begin with an underscore.
  const changes = rows.filter((row) => !('request' in row))
  return {
    log: {
      version: '1.2',
      creator: { name: 'animal-store-mock', version },
      entries: rows.flatMap((row) => ('request' in row ? [toHarEntry(row, origin)] : [])),
      ...(changes.length > 0 && { _changes: changes }),
    },
  }
}

function toHarEntry(entry: LogEntry, origin: string) {
  const { durationMs, outcome, error, notes, assumptions, faults, operation, sandbox } = entry
  const comment = [...(outcome === 'sent' ? [] : [outcome]), ...(error === null ? [] : [error]), ...notes]
  return {
    startedDateTime: entry.realAt,
    time: durationMs,
    request: toHarRequest(entry, origin),
    response: toHarResponse(entry),
    cache: {},
    // All that the mock does is make the client wait.
    timings: { send: 0, wait: durationMs, receive: 0 },
    ...(comment.length === 0 ? {} : { comment: comment.join('; ') }),
    ...(sandbox === null ? {} : { _sandbox: sandbox }),
    _operation: operation,
    _outcome: outcome,
    _assumptions: assumptions,
    _faults: faults,
    _mockTime: entry.at,
  }
}

function toHarRequest({ method, target, request: { headers, body } }: LogEntry, origin: string) {
  const url = toUrl(target, headers.host === undefined ? origin : `http://${headers.host}`, origin)
  return {
    method,
    url: url.href,
    httpVersion: HTTP_VERSION,
    cookies: [],
    headers: toList(Object.entries(headers)),
    queryString: toList([...url.searchParams]),
    ...(body === '' ? {} : { postData: { mimeType: headers['content-type'] ?? '', text: body } }),
    headersSize: -1,
    bodySize: Number(headers['content-length'] ?? body.length),
  }
}

function toHarResponse({ status, response: { headers, body } }: LogEntry) {
  const size = Number(headers['Content-Length'] ?? body.length)
  return {
    status,
    statusText: '',
    httpVersion: HTTP_VERSION,
    cookies: [],
    headers: toList(Object.entries(headers)),
    content: { size, mimeType: headers['Content-Type'] ?? 'x-unknown', ...(body === '' ? {} : { text: body }) },
    redirectURL: '',
    headersSize: -1,
    bodySize: size,
  }
}

function toList(fields: readonly (readonly [string, string])[]) {
  return fields.map(([name, value]) => ({ name, value }))
}

/** What was sent may not be an address. */
function toUrl(target: string, from: string, origin: string): URL {
  const text = target.startsWith('/') ? from + target : target
  return URL.canParse(text) ? new URL(text) : new URL(origin)
}
