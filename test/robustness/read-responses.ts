// Reads all that came on one connection as a sequence of responses, strictly: whatever is not
// HTTP/1.1 as we promise it throws.
import { STATUS_CODES } from 'node:http'

export interface ReadResponse {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
}

const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\t\x20-\x7e]*)$/
/** Ours has no name for these in node:http, or another one. */
const REASONS: Readonly<Record<number, string>> = {
  413: 'Content Too Large',
  422: 'Unprocessable Content',
}

/**
 * `mayHaveHead`: a HEAD request may be among those sent, whose response has a length and no body.
 * `mayBeCut`: the connection was reset, so that the last response may be incomplete.
 */
export function readResponses(
  bytes: Buffer,
  mayHaveHead: boolean,
  mayBeCut: boolean,
): ReadResponse[] {
  const text = bytes.toString('latin1')
  const responses: ReadResponse[] = []
  let from = 0
  while (from < text.length) {
    require(responses.at(-1)?.headers.connection !== 'close', 'nothing after the last response')
    const end = text.indexOf('\r\n\r\n', from)
    if (end < 0 && mayBeCut) return responses
    require(end >= 0, 'an end of the head')
    const response = readHead(text.slice(from, end))
    from = end + 4
    if (response.status === 100) continue
    responses.push(response)
    const {
      'content-type': type,
      'content-length': length,
      'transfer-encoding': coding,
      connection,
    } = response.headers
    const isStream = type === 'text/event-stream'
    require(coding === undefined || isStream, 'chunks for event streams only')
    // HTTP/1.0 has no chunks: there an event stream ends with its connection.
    if (isStream && (coding === 'chunked' || connection === 'close')) return responses
    // A HEAD of the event stream promises no length.
    require((length === undefined) ===
      (response.status === 204 || (isStream && mayHaveHead)), 'a length, except for a 204')
    if (mayHaveHead && (from === text.length || text.startsWith('HTTP/1.1 ', from))) continue
    const to = from + Number(length ?? 0)
    if (to > text.length && mayBeCut) return responses.slice(0, -1)
    require(to <= text.length, `${length} bytes of a body`)
    if (type === 'application/json')
      checkBody(response.status, JSON.parse(bytes.toString('utf8', from, to)))
    from = to
  }
  return responses
}

function readHead(head: string): ReadResponse {
  const [line = '', ...fields] = head.split('\r\n')
  const [, status = '', reason] = /^HTTP\/1\.1 (\d{3}) (.+)$/.exec(line) ?? []
  require([STATUS_CODES[status], REASONS[Number(status)]].includes(
    reason,
  ), `a status and its reason: ${line}`)
  const headers: Record<string, string> = {}
  for (const field of fields) {
    const [, name = '', value = ''] = FIELD.exec(field) ?? []
    require(name !== '' && !(name.toLowerCase() in headers), `each field once: ${field}`)
    headers[name.toLowerCase()] = value
  }
  require(!('x-mock-bug' in headers), 'no bug of ours')
  return { status: Number(status), headers }
}

function checkBody(status: number, body: Readonly<Record<string, unknown>>): void {
  // Only the control API says what the problems are.
  const names = Object.keys(body).filter((name) => name !== 'problems')
  require(status < 400 ||
    (names.join() === 'code,message,status' &&
      body.status === status), `an Error body of a ${status}`)
}

function require(isThere: boolean, what: string): void {
  if (!isThere) throw new Error(`The response lacks ${what}`)
}
