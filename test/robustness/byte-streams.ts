// Byte streams that a client might put on a connection: requests from a grammar, pipelined, corrupted, cut into pieces and
// broken off. Stream `index` depends on the seed and its index alone, so that a failure can be repeated by itself.
import { createRandom, mix, type Random } from '../../src/random.ts'

/** What the client does once its bytes are written. */
type Ending =
  /** Half-closes at once, and reads to the end. */
  | 'end'
  /** Waits until the server has closed or has gone quiet, then half-closes and reads to the end. */
  | 'listen'
  /** Resets as soon as the last byte is written. */
  | 'reset'
  /** Resets on the first byte of a response, or when the server has gone quiet. */
  | 'reset-on-response'

export interface ByteStream {
  readonly index: number
  /** Written one after the other; each usually arrives in a separate packet. */
  readonly pieces: readonly Buffer[]
  readonly ending: Ending
}

/** Which streams are made: all read to their end, or some reset. */
export type StreamKind = 'read' | 'reset'

const HEAD_END = '\r\n\r\n'

export function createByteStream(seed: number, index: number, kind: StreamKind): ByteStream {
  const random = createRandom(mix(seed) ^ mix(index + 1))
  const count = random.pick([1, 1, 1, 2, 2, 3, 4])
  const requests = Array.from({ length: count }, (_, position) => createRequest(random, toMark(index, position)))
  let bytes: Buffer = Buffer.from(requests.join(''), 'latin1')
  if (chance(random, 0.35)) bytes = corrupt(random, bytes)
  if (chance(random, 0.1)) bytes = Buffer.concat([bytes, Buffer.from(random.pick(JUNK), 'latin1')])
  if (kind === 'read') return { index, pieces: cut(random, bytes), ending: 'listen' }
  const isShort = chance(random, 0.6)
  const sent = isShort ? bytes.subarray(0, upTo(random, bytes.length + 1)) : bytes
  return { index, pieces: cut(random, sent), ending: random.pick(['reset', 'reset', 'reset-on-response', 'end', 'listen'] as const) }
}

/** Twice, so that a corrupted mark does not look like that of another request. */
function toMark(index: number, position: number): string {
  return `c${index}r${position}c${index}r${position}.`
}

/** The mark of the request that a target is from, if it is intact. */
export function readMark(target: string): string | undefined {
  return /(c\d+r\d)\1\./.exec(target)?.[1]
}

/** For a look at a stream that failed. */
export function describeStream({ index, pieces, ending }: ByteStream): string {
  return `stream ${index} (${ending}): ${JSON.stringify(pieces.map((piece) => piece.toString('latin1').slice(0, 2_000)))}`
}

/** The requests whose every prefix is reset on: a connection is handed over, a body is read, a stream is opened. */
export function createResetSweep(): ByteStream[] {
  const requests = [
    `CONNECT localhost:1 HTTP/1.1\r\nHost: localhost:1${HEAD_END}`,
    `GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket${HEAD_END}`,
    `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer k\r\nContent-Type: application/json\r\nContent-Length: 29${HEAD_END}${ANIMAL}`,
    `PUT /__mock/clock HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 16${HEAD_END}{"frozen":false}x`,
    `GET /__mock/events HTTP/1.1\r\nHost: localhost${HEAD_END}`,
  ]
  return requests.flatMap((request) =>
    Array.from({ length: request.length + 1 }, (_, length) => ({
      index: length,
      pieces: length === 0 ? [] : [Buffer.from(request.slice(0, length), 'latin1')],
      ending: length % 2 === 0 ? ('reset' as const) : ('reset-on-response' as const),
    })),
  )
}

const ANIMAL = '{"name":"Rex","categoryId":1}'
const METHODS = [
  ...['GET', 'GET', 'GET', 'POST', 'POST', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT'],
  ...['BREW', 'get', 'M-SEARCH', 'PROPFIND', 'QUERY', 'PRI', 'SOURCE', 'X'.repeat(40)],
]
/** `@` stands for the mark by which the request is found again in the request log. */
const TARGETS = [
  ...['/v1/pets?q=@', '/v1/pets?q=@', '/v1/pets?limit=2&q=@', '/v1/pets?status=sold&q=@', '/v1/pets/1?q=@', '/v1/pets/0?q=@'],
  ...['/v1/pets?limit=0&q=@', '/v1/none?q=@', '/pets?q=@', 'http://localhost/v1/pets?q=@', '/v1/%70ets?q=@', '/v1/%zz?q=@', '*'],
  ...['/', '/favicon.ico', '//x?q=@', '/v1/pets#@', 'localhost:1', 'evil.example:443', '/v1/pets?q=@\u00e9'],
  `/v1/pets?q=@${'y'.repeat(9_000)}`,
  `/v1/pets?q=@${'y'.repeat(20_000)}`,
]
const CREATE_TARGETS = ['/v1/pets?q=@', '/v1/pets?q=@', '/v1/pets?q=@', 'http://localhost/v1/pets?q=@']
const CONTROL_TARGETS = [
  ...['/__mock/health', '/__mock/', '/__mock/console.js', '/__mock/clock', '/__mock/faults', '/__mock/assumptions', '/__mock/scenarios'],
  ...['/__mock/scenario', '/__mock/requests?limit=none', '/__mock/events', '/__mock/sandboxes', '/__mock/none', '/%5f%5fmock/health'],
  '/__mock',
]
const HOSTS = ['localhost', 'localhost', 'localhost', 'localhost', '127.0.0.1:80', '[::1]', 'evil.example', 'localhost:99999', '']
const BODIES = [
  ...[ANIMAL, ANIMAL, ANIMAL, '{"name":"Pip","categoryId":9007199254740993,"status":"sold"}', '{"name":"Pip"}', '{', '', 'null', '[]'],
  ...['{"name":"Zoë","categoryId":1}', '\xff\xfe', 'x'.repeat(3_000), `{"name":"${'n'.repeat(20_000)}","categoryId":1}`],
]
/** None of them changes how many animals or request log entries there are. */
const CONTROL_BODIES = [
  ...['{"frozen":false}', '{"advance":"PT1S"}', '{"now":"2026-11-15"}', '{"name":"no such"}', '{}', '[]', '{', '', 'null'],
  '{"frozen":1}',
]
const JUNK = [
  ...['x', ' trailing', '\r\n\r\n', '\0\0\0\0', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', 'GET', 'GET /v1/pe', 'G\r\n\r\n', '\n'],
  'HTTP/1.1 200 OK\r\n\r\n',
]
const MORE_FIELDS = [
  ...['Connection: close', 'Connection: close', 'Connection: keep-alive', 'Connection: Upgrade\r\nUpgrade: websocket', 'Upgrade: h2c'],
  ...['Expect: 100-continue', 'Expect: magic', 'Expect: 100-continue, magic', 'Connection: upgrade\r\nUpgrade: h2c'],
  `${'a:b\r\n'.repeat(1_499)}a:b`,
  ...['Prefer: code=503', 'Prefer: delay=2', 'Prefer: drop', 'Origin: http://localhost:5173'],
  ...['Origin: https://evil.example', 'Sec-Fetch-Site: cross-site', 'X-Mock-Control: 1', 'Accept: text/html', 'X : y', 'X', ': y'],
  ' folded',
  ...['Host: localhost', 'Content-Encoding: gzip', 'X: a\0b', 'X: \x1b[2J', `X: ${'y'.repeat(17_000)}`, 'Authorization: Basic eDp5'],
]

function createRequest(random: Random, mark: string): string {
  const isControl = chance(random, 0.25)
  const method = random.pick(METHODS)
  const targets = isControl ? CONTROL_TARGETS : method === 'POST' ? CREATE_TARGETS : TARGETS
  const target = random.pick(targets).replace('@', mark)
  const version = chance(random, 0.93) ? 'HTTP/1.1' : random.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'http/1.1', 'HTTP/1.1 ', ''])
  const fields = [`Host: ${random.pick(HOSTS)}`]
  if (chance(random, 0.9)) fields.push('Authorization: Bearer any-key')
  while (chance(random, 0.3)) fields.push(random.pick(MORE_FIELDS))
  const hasBody = chance(random, method === 'POST' || method === 'PUT' || method === 'PATCH' ? 0.9 : 0.1)
  if (!hasBody) return [`${method} ${target} ${version}`, ...fields].join('\r\n') + HEAD_END
  const body = random.pick(isControl ? CONTROL_BODIES : BODIES)
  if (chance(random, 0.95)) fields.push('Content-Type: application/json')
  const { framing, text } = frame(random, Buffer.from(body, 'latin1').toString('latin1'))
  return [`${method} ${target} ${version}`, ...fields, ...framing].join('\r\n') + HEAD_END + text
}

/** The length or the chunks of a body, mostly right. */
function frame(random: Random, body: string): { framing: string[]; text: string } {
  const length = body.length
  if (chance(random, 0.6)) return { framing: [`Content-Length: ${length}`], text: body }
  const chunked = 'Transfer-Encoding: chunked'
  const half = length >> 1
  const chunks = `${half.toString(16)}\r\n${body.slice(0, half)}\r\n${(length - half).toString(16)}\r\n${body.slice(half)}\r\n0\r\n\r\n`
  // An empty chunk would be the last one.
  const whole = half === 0 ? `${length === 0 ? '' : `${length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n` : chunks
  return random.pick<() => { framing: string[]; text: string }>([
    () => ({ framing: [chunked], text: whole }),
    () => ({ framing: [chunked], text: whole }),
    () => ({ framing: [chunked], text: whole.slice(0, -3) }),
    () => ({ framing: [chunked], text: `${whole.slice(0, -2)}X-Trailer: y\r\n\r\n` }),
    () => ({ framing: [chunked], text: `zz\r\n${whole}` }),
    () => ({ framing: [chunked], text: `FFFFFFFFFFFFFFFFF\r\n${whole}` }),
    () => ({ framing: [chunked], text: `1;${'e'.repeat(20_000)}\r\n` }),
    () => ({ framing: [chunked, `Content-Length: ${length}`], text: whole }),
    () => ({ framing: ['Transfer-Encoding: gzip, chunked'], text: whole }),
    () => ({ framing: ['Transfer-Encoding: gzip'], text: body }),
    () => ({ framing: [`Content-Length: ${Math.max(0, length - 1 - upTo(random, 9))}`], text: body }),
    () => ({ framing: [`Content-Length: ${Math.max(0, length - 1)}`], text: body }),
    () => ({ framing: [`Content-Length: ${length + 1 + upTo(random, 99)}`], text: body }),
    () => ({ framing: [`Content-Length: ${length}`, `Content-Length: ${length + 1}`], text: body }),
    () => ({ framing: [`Content-Length: ${random.pick(['-1', '0x2', '1e3', '9'.repeat(30), '99999999', '', '+5'])}`], text: body }),
    () => ({ framing: [], text: body }),
  ])()
}

/** A few bytes changed, lost, added or doubled; never so many that a whole request is there twice. */
function corrupt(random: Random, bytes: Buffer): Buffer {
  let changed = bytes
  do {
    const at = upTo(random, changed.length + 1)
    const [before, after] = [changed.subarray(0, at), changed.subarray(at)]
    const some = upTo(random, 8)
    changed = random.pick<() => Buffer>([
      () => Buffer.concat([before, Buffer.from([upTo(random, 256)]), after.subarray(1)]),
      () => Buffer.concat([before, after.subarray(1 + some)]),
      () => Buffer.concat([before, Buffer.from(random.pick(JUNK), 'latin1'), after]),
      () => Buffer.concat([before, after.subarray(0, some), after]),
      () => Buffer.from(changed.toString('latin1').replace('\r\n', random.pick(['\n', '\r', '\r\n ', ''])), 'latin1'),
      () => before,
    ])()
  } while (chance(random, 0.3))
  return changed
}

function cut(random: Random, bytes: Buffer): Buffer[] {
  if (bytes.length === 0) return []
  const pieces: Buffer[] = []
  let from = 0
  while (chance(random, 0.4) && from < bytes.length) {
    const to = from + 1 + upTo(random, bytes.length - from)
    pieces.push(bytes.subarray(from, to))
    from = to
  }
  if (from < bytes.length) pieces.push(bytes.subarray(from))
  return pieces
}

function chance(random: Random, probability: number): boolean {
  return random.next() < probability
}

function upTo(random: Random, count: number): number {
  return Math.floor(random.next() * count)
}
