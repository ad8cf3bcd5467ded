// Journal entries as an HTTP Archive (HAR 1.2), for browsers' developer tools and whatever else reads one. It holds what the journal
// shows: keys are redacted, cookies left out, long bodies cut.
import { toReason } from '../contract/errors.ts'
import type { JournalEntry } from '../world/journal-entry.ts'

/** With the key of its sandbox, if it had one. */
type HarSourceEntry = JournalEntry & { readonly sandbox?: string | null }

interface Named {
  readonly name: string
  readonly value: string
}

interface HarSource {
  readonly version: string
  /** The origin of the mock, for requests that named none. */
  readonly origin: string
}

const HTTP_VERSION = 'HTTP/1.1'
const SUCCESSES: Readonly<Record<number, string>> = { 0: '', 200: 'OK', 201: 'Created', 204: 'No Content' }
const UNKNOWN_TYPE = 'x-unknown'

/** The archive, as a value to write as JSON. */
export function toHar(entries: readonly HarSourceEntry[], { version, origin }: HarSource) {
  return {
    log: {
      version: '1.2',
      creator: { name: 'animal-store-mock', version },
      entries: entries.map((entry) => toHarEntry(entry, origin)),
    },
  }
}

function toHarEntry(entry: HarSourceEntry, origin: string) {
  const { durationMs, outcome, error, notes, assumptions, faults, operation, sandbox } = entry
  const comment = [...(outcome === 'sent' ? [] : [outcome]), ...(error === null ? [] : [error]), ...notes.filter((note) => note !== error)]
  return {
    startedDateTime: entry.realAt,
    time: durationMs,
    request: toRequest(entry, origin),
    response: toResponse(entry),
    cache: {},
    // All that the mock does is make the client wait.
    timings: { send: 0, wait: durationMs, receive: 0 },
    ...(comment.length === 0 ? {} : { comment: comment.join('; ') }),
    // Fields of one's own begin with an underscore.
    ...(typeof sandbox === 'string' ? { _sandbox: sandbox } : {}),
    _operation: operation,
    _outcome: outcome,
    _assumptions: assumptions,
    _faults: faults,
    _mockTime: entry.at,
  }
}

function toRequest({ method, target, request: { headers, body } }: JournalEntry, origin: string) {
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

function toResponse({ status, response: { headers, body } }: JournalEntry) {
  const size = Number(headers['Content-Length'] ?? body.length)
  return {
    status,
    statusText: SUCCESSES[status] ?? toReason(status),
    httpVersion: HTTP_VERSION,
    cookies: [],
    headers: toList(Object.entries(headers)),
    content: { size, mimeType: headers['Content-Type'] ?? UNKNOWN_TYPE, ...(body === '' ? {} : { text: body }) },
    redirectURL: '',
    headersSize: -1,
    bodySize: size,
  }
}

function toList(fields: readonly (readonly [string, string])[]): Named[] {
  return fields.map(([name, value]) => ({ name, value }))
}

/** What was sent may be no address at all. */
function toUrl(target: string, from: string, origin: string): URL {
  const text = target.startsWith('/') ? from + target : target
  return URL.canParse(text) ? new URL(text) : new URL(origin)
}
