// Reads all that came on one connection as a sequence of responses, strictly: whatever is not HTTP/1.1 as we promise it throws.
import { STATUS_CODES } from 'node:http'

export interface ReadResponse {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface ResponseExpectations {
  /** Whether a HEAD request may be among those sent: its response has a length and no body. */
  readonly mayHaveHead: boolean
  /** Whether the connection was reset, so that the last response may be incomplete. */
  readonly mayBeCut: boolean
}

const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\t\x20-\x7e]*)$/
/** Ours has no name for these in node:http, or another one. */
const REASONS: Readonly<Record<number, string>> = { 413: 'Content Too Large', 422: 'Unprocessable Content' }

export function readResponses(bytes: Buffer, { mayHaveHead, mayBeCut }: ResponseExpectations): ReadResponse[] {
  const text = bytes.toString('latin1')
  const responses: ReadResponse[] = []
  let from = 0
  let isLast = false
  while (from < text.length) {
    if (isLast) throw new Error(`bytes after the last response: ${text.slice(from, from + 200)}`)
    const end = text.indexOf('\r\n\r\n', from)
    if (end < 0) {
      if (mayBeCut) return responses
      throw new Error(`a head without an end: ${text.slice(from, from + 200)}`)
    }
    const { status, headers } = readHead(text.slice(from, end))
    from = end + 4
    if (status === 100) continue
    isLast = headers.connection === 'close'
    if (headers['transfer-encoding'] === 'chunked') {
      if (headers['content-type'] !== 'text/event-stream') throw new Error('only event streams come in chunks')
      readChunks(text.slice(from))
      return [...responses, { status, headers, body: '' }]
    }
    if (status === 204) {
      if (headers['content-length'] !== undefined) throw new Error('a 204 with a length')
      responses.push({ status, headers, body: '' })
      continue
    }
    const length = Number(headers['content-length'])
    const isStream = headers['content-type'] === 'text/event-stream'
    // HTTP/1.0 has no chunks: there an event stream ends with its connection.
    if (isStream && isLast) return [...responses, { status, headers, body: '' }]
    // A HEAD of the event stream promises no length.
    if (!Number.isInteger(length) && !(isStream && mayHaveHead)) throw new Error(`no length: ${JSON.stringify(headers)}`)
    const isHead = mayHaveHead && (isStream || from === text.length || text.startsWith('HTTP/1.1 ', from))
    if (isHead) {
      responses.push({ status, headers, body: '' })
      continue
    }
    if (from + length > text.length) {
      if (mayBeCut) return responses
      throw new Error(`a body of ${text.length - from} bytes where ${length} were promised`)
    }
    const body = bytes.toString('utf8', from, from + length)
    checkBody(status, headers, body)
    responses.push({ status, headers, body })
    from += length
  }
  return responses
}

function readHead(head: string): { status: number; headers: Record<string, string> } {
  const [line = '', ...fields] = head.split('\r\n')
  const match = /^HTTP\/1\.1 (\d{3}) (.+)$/.exec(line)
  if (!match) throw new Error(`no status line: ${JSON.stringify(line.slice(0, 200))}`)
  const status = Number(match[1])
  const reasons = [STATUS_CODES[status], REASONS[status]]
  if (!reasons.includes(match[2])) throw new Error(`a wrong reason: ${line}`)
  const headers: Record<string, string> = {}
  for (const field of fields) {
    const parts = FIELD.exec(field)
    if (!parts) throw new Error(`no field: ${JSON.stringify(field)}`)
    const name = (parts[1] as string).toLowerCase()
    if (name in headers) throw new Error(`the field ${name} twice`)
    headers[name] = parts[2] as string
  }
  if (headers['x-mock-bug'] !== undefined) throw new Error('a bug of ours')
  return { status, headers }
}

function checkBody(status: number, headers: Record<string, string>, body: string): void {
  if (headers['content-type'] !== 'application/json') return
  const value = JSON.parse(body)
  if (status < 400) return
  // Only the control API says what the problems are.
  const keys = Object.keys(value).filter((name) => name !== 'problems')
  if (keys.join() !== 'code,message,status' || value.status !== status) throw new Error(`no Error body of a ${status}: ${body}`)
}

/** An event stream may end between any two chunks: the server does not wait for clients that leave. */
function readChunks(text: string): void {
  let from = 0
  while (from < text.length) {
    const match = /^([0-9a-f]+)\r\n/.exec(text.slice(from, from + 20))
    if (!match) throw new Error(`no chunk: ${JSON.stringify(text.slice(from, from + 40))}`)
    from += match[0].length + Number.parseInt(match[1] as string, 16) + 2
  }
}
