// Log entries as an HTTP Archive (HAR 1.2), for browsers' developer tools and whatever else reads one. It holds what the request log
// shows: keys are redacted, cookies left out, long bodies cut.
import { type ChangeRow, isChange } from '../world/change.ts'
import type { LogEntry } from '../world/log-entry.ts'

const HTTP = { httpVersion: 'HTTP/1.1', cookies: [] } as const

export function toHar(rows: readonly (LogEntry | ChangeRow)[], { version, origin }: { readonly version: string; readonly origin: string }) {
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

function toHarEntry(entry: LogEntry, origin: string) {
  const { method, target, status, durationMs, outcome, error, notes, assumptions, faults, operation, sandbox, request, response } = entry
  const url = toUrl(target, request.headers.host === undefined ? origin : `http://${request.headers.host}`, origin)
  const size = Number(response.headers['Content-Length'] ?? response.body.length)
  const mimeType = response.headers['Content-Type'] ?? 'x-unknown'
  const comment = [...(outcome === 'sent' ? [] : [outcome]), ...(error === null ? [] : [error]), ...notes]
  return {
    startedDateTime: entry.realAt,
    time: durationMs,
    request: {
      method,
      url: url.href,
      ...HTTP,
      headers: toList(Object.entries(request.headers)),
      queryString: toList([...url.searchParams]),
      ...(request.body === '' ? {} : { postData: { mimeType: request.headers['content-type'] ?? '', text: request.body } }),
      headersSize: -1,
      bodySize: Number(request.headers['content-length'] ?? request.body.length),
    },
    response: {
      status,
      statusText: '',
      ...HTTP,
      headers: toList(Object.entries(response.headers)),
      content: { size, mimeType, ...(response.body === '' ? {} : { text: response.body }) },
      redirectURL: '',
      headersSize: -1,
      bodySize: size,
    },
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

function toList(fields: readonly (readonly [string, string])[]) {
  return fields.map(([name, value]) => ({ name, value }))
}

/** What was sent may not be an address. */
function toUrl(target: string, from: string, origin: string): URL {
  const text = target.startsWith('/') ? from + target : target
  return URL.canParse(text) ? new URL(text) : new URL(origin)
}
