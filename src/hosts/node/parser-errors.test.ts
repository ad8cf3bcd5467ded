import { expect, it } from 'vitest'
import { type ParserError, toApiError, toBrokenCall, toText, toUnknownMethodCall } from './parser-errors.ts'

/** The error of a parser that gave up where `|` stands in the packet. */
function toError(code: string | undefined, marked?: string): ParserError {
  const at = marked?.indexOf('|') ?? 0
  const rawPacket = marked === undefined ? {} : { rawPacket: Buffer.from(marked.replace('|', ''), 'latin1'), bytesParsed: at }
  return Object.assign(new Error('x'), { code, ...rawPacket })
}

const shown = (marked: string | undefined, code = 'HPE_INVALID_HEADER_TOKEN') => {
  const { method, target, header, fields, reportsOutcome } = toBrokenCall(toError(code, marked))
  return [method, target, header('host') ?? null, fields ?? null, reportsOutcome]
}
const UNREADABLE = ['', '', null, null, true]
const GET = 'GET /v1/pets/1 HTTP/1.1\r\nHost: a\r\n\r\n'

it.each([
  ['nothing is known of it', undefined, UNREADABLE],
  ['it is no HTTP', 'ju|nk\r\n\r\n', UNREADABLE],
  ['a field of it is wrong', 'GET /v1/pets HTTP/1.1\r\nHost: a\r\nb|ad\r\n\r\n', ['GET', '/v1/pets', 'a', ['Host', 'a'], true]],
  ['its first field is wrong', 'GET /v1/pets HTTP/1.0\r\nb|ad\r\n\r\n', ['GET', '/v1/pets', null, [], true]],
  ['it follows another', `${GET}PUT /v1/x HTTP/1.1\r\nHost: b\r\nb|ad\r\n\r\n`, ['PUT', '/v1/x', 'b', ['Host', 'b'], true]],
  [
    'it follows a body',
    'POST /v1/pets HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}PUT /v1/x HTTP/1.1\r\nHost: b\r\nb|ad\r\n\r\n',
    ['PUT', '/v1/x', 'b', ['Host', 'b'], true],
  ],
  ['it is junk behind another', `${GET}ju|nk\r\n\r\n`, UNREADABLE],
  ['a field has a version in it', 'GET /a HTTP/1.1\r\nX: HTTP/1.1 x\r\nb|ad', ['GET', '/a', null, ['X', 'HTTP/1.1 x'], true]],
  ['a field is as long as a version', 'GET /a HTTP/1.1\r\nX: 12345678\r\nb|ad', ['GET', '/a', null, ['X', '12345678'], true]],
  [
    'fields have a version in them, or are as long as one',
    'GET /a HTTP/1.1\r\nX: 12345678\r\nY: HTTP/1.1 y\r\nZ |12345678\r\n',
    ['GET', '/a', null, ['X', '12345678', 'Y', 'HTTP/1.1 y'], true],
  ],
  ['a field has the same again', 'GET /a HTTP/1.1\r\nHost: a\r\nhost:b \r\nb|ad', ['GET', '/a', 'a, b', ['Host', 'a', 'host', 'b'], true]],
  ['its version is another', 'GET /a HTTP/1.2|\r\n\r\n', UNREADABLE],
  ['its line has not ended', 'GET /a HTTP/1.1|', UNREADABLE],
])('reads a broken message as far as it goes: %s', (_, marked, expected) => expect(shown(marked)).toEqual(expected))

it.each<[title: string, code: string, marked: string, expected: string | undefined]>([
  ['a whole head', 'HPE_INVALID_METHOD', '|BREW /v1/pets HTTP/1.1\r\nHost: a\r\n\r\n', 'BREW /v1/pets'],
  ['known in part', 'HPE_INVALID_METHOD', 'GE|TX /v1/pets HTTP/1.1\r\nHost: a\r\n\r\n', 'GETX /v1/pets'],
  ['behind another', 'HPE_INVALID_METHOD', `${GET}BR|EW /v1/pets HTTP/1.1\r\n\r\n`, 'BREW /v1/pets'],
  ['no whole head', 'HPE_INVALID_METHOD', '|BREW /v1/pets HTTP/1.1\r\nHost: a\r\n', undefined],
  ['the rest of one, which is a known one', 'HPE_INVALID_METHOD', '|POST /v1/pets HTTP/1.1\r\n\r\n', undefined],
  ['no method', 'HPE_INVALID_METHOD', '|B,REW /v1/pets HTTP/1.1\r\n\r\n', undefined],
  ['another flaw', 'HPE_INVALID_URL', '|BREW /v1/pets HTTP/1.1\r\n\r\n', undefined],
])('knows an unknown method by itself: %s', (_, code, marked, expected) => {
  const call = toUnknownMethodCall(toError(code, marked))
  expect(call && `${call.method} ${call.target}`).toBe(expected)
})

it.each<[code: string | undefined, marked: string | undefined, status: number, message: string]>([
  ['HPE_HEADER_OVERFLOW', 'GET /xxxx|xxxx', 414, 'Request target too long; the limit is 8192 bytes'],
  ['HPE_HEADER_OVERFLOW', 'xxxx|xxxx', 414, 'Request target too long; the limit is 8192 bytes'],
  ['HPE_HEADER_OVERFLOW', 'xxxx|xxxx HTTP/1.1\r\nX: y', 414, 'Request target too long; the limit is 8192 bytes'],
  ['HPE_HEADER_OVERFLOW', `${GET}GET /xxxx|xxxx`, 414, 'Request target too long; the limit is 8192 bytes'],
  ['HPE_HEADER_OVERFLOW', `${GET}GET /xxxx|xxxx HTTP/1.1\r\n`, 414, 'Request target too long; the limit is 8192 bytes'],
  ['HPE_HEADER_OVERFLOW', 'GET /xxxx HTTP/1.1\r|\nX: y', 414, 'Request target too long; the limit is 8192 bytes'],
  ['HPE_HEADER_OVERFLOW', 'GET / HTTP/1.1\r\nX: xxxx|xxxx', 431, 'Header fields too large; the limit is 16384 bytes'],
  ['HPE_HEADER_OVERFLOW', 'GET / HTTP/1.1\r\nX: xxxx|xxxx\r\nY: z', 431, 'Header fields too large; the limit is 16384 bytes'],
  ['HPE_HEADER_OVERFLOW', 'xxxx|xxxx\r\nY: z', 431, 'Header fields too large; the limit is 16384 bytes'],
  ['HPE_INVALID_VERSION', 'GET / HTTP/1.2|\r\nHost: a', 505, 'The supported versions are HTTP/1.1 and HTTP/1.0'],
  ['HPE_INVALID_VERSION', 'GET / HTTP/1.1|2\r\nHost: a', 400, 'The request is not well-formed HTTP/1.1'],
  ['HPE_INVALID_VERSION', 'GET / HTTP/2|\r\nHost: a', 400, 'The request is not well-formed HTTP/1.1'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', undefined, 413, 'The chunk extensions are too large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', undefined, 408, 'The request took too long to arrive'],
  ['HPE_INVALID_METHOD', 'ju|nk', 400, 'The request is not well-formed HTTP/1.1'],
  [undefined, undefined, 400, 'The request is not well-formed HTTP/1.1'],
])('says of %s at %j what it is', (code, marked, status, message) => {
  expect(toApiError(toError(code, marked))).toMatchObject({ status, message })
})

it('writes a reply that ends the connection', () => {
  expect(toText({ status: 400, headers: { A: 'b', Connection: 'keep-alive' }, body: '{}' })).toBe(
    'HTTP/1.1 400 Bad Request\r\nA: b\r\nConnection: close\r\n\r\n{}',
  )
  expect(toText({ status: 599, headers: {}, body: '' })).toBe('HTTP/1.1 599 \r\nConnection: close\r\n\r\n')
})
