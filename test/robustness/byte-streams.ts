// Byte streams that a client might put on a connection: requests from a grammar, pipelined,
// corrupted, cut into pieces and broken off. Stream `index` depends on the seed and its index
// alone, so that a failure can be repeated by itself.
import { createRandom, mix, type Random } from '../../src/contract/random.ts'

/**
 * What the client does once its bytes are written: half-close at once; wait until the server has
 * closed or gone quiet, then half-close; reset at once; or reset on the first byte of a response.
 */
type Ending = 'end' | 'listen' | 'reset' | 'reset-on-response'

export interface ByteStream {
  readonly index: number
  /** Written one after the other; each usually arrives in a separate packet. */
  readonly pieces: readonly Buffer[]
  readonly ending: Ending
}

/** Which streams are made: all read to their end, or some reset. */
export type StreamKind = 'read' | 'reset'

const HEAD_END = '\r\n\r\n'
const ANIMAL = '{"name":"Rex","categoryId":1}'
const METHODS = [
  'HEAD',
  'OPTIONS',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'CONNECT',
  'BREW',
  'get',
  'M-SEARCH',
  'PRI',
  'X'.repeat(40),
]
/** `@` stands for the mark by which the request is found again in the request log. */
const TARGETS = [
  ...[
    '/v1/pets?status=sold&q=@',
    '/v1/pets/1?q=@',
    '/v1/pets/0?q=@',
    '/v1/pets?limit=0&q=@',
    '/v1/none?q=@',
    '/pets?q=@',
    '/',
    '*',
  ],
  ...[
    'http://localhost/v1/pets?q=@',
    '/v1/%70ets?q=@',
    '/v1/%zz?q=@',
    '//x?q=@',
    '/v1/pets#@',
    'evil.example:443',
    '/v1/pets?q=@\u00e9',
  ],
  ...[9_000, 20_000].map((length) => `/v1/pets?q=@${'y'.repeat(length)}`),
]
const CONTROL_TARGETS = [
  ...[
    '/__mock',
    '/__mock/',
    '/__mock/health',
    '/__mock/console.js',
    '/__mock/clock',
    '/__mock/faults',
    '/__mock/state',
  ],
  ...[
    '/__mock/requests?limit=none',
    '/__mock/events',
    '/__mock/sandboxes',
    '/__mock/none',
    '/%5f%5fmock/health',
  ],
]
const HOSTS = ['127.0.0.1:80', '[::1]', 'evil.example', 'localhost:99999', '']
const VERSIONS = ['HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'http/1.1', 'HTTP/1.1 ', '']
const BODIES = [
  '{"name":"Pip"}',
  '{',
  '',
  'null',
  '[]',
  '\xff\xfe',
  'x'.repeat(3_000),
  `{"name":"${'n'.repeat(20_000)}","categoryId":1}`,
]
/** None of them changes how many animals or request log rows there are. */
const CONTROL_BODIES = [
  '{"frozen":false}',
  '{"advance":"PT1S"}',
  '{"name":"no such"}',
  '{}',
  '[]',
  '{',
  '',
  'null',
]
const JUNK = [
  'x',
  ' trailing',
  HEAD_END,
  '\0\0\0\0',
  '\x16\x03\x01\x02\0\x01',
  'GET /v1/pe',
  'G\r\n\r\n',
  '\n',
  'HTTP/1.1 200 OK\r\n\r\n',
]
const FIELDS = [
  ...[
    'Connection: close',
    'Connection: keep-alive',
    'Connection: Upgrade\r\nUpgrade: websocket',
    'Upgrade: h2c',
    'Expect: 100-continue',
  ],
  ...[
    'Expect: magic',
    'Expect: 100-continue, magic',
    'Prefer: code=503',
    'Prefer: delay=2',
    'Prefer: drop',
    'Host: localhost',
    'X',
  ],
  ...[
    'Origin: http://localhost:5173',
    'Origin: https://evil.example',
    'Sec-Fetch-Site: cross-site',
    'X-Mock-Control: 1',
    ': y',
    ' folded',
  ],
  ...[
    'Content-Encoding: gzip',
    'X : y',
    'X: a\0b',
    'X: \x1b[2J',
    `X: ${'y'.repeat(17_000)}`,
    `${'a:b\r\n'.repeat(1_499)}a:b`,
  ],
]

export function createByteStream(seed: number, index: number, kind: StreamKind): ByteStream {
  const random = createRandom(mix(seed) ^ mix(index + 1))
  const requests = Array.from({ length: random.pick([1, 1, 1, 2, 2, 3, 4]) }, (_, position) =>
    createRequest(random, `c${index}r${position}`),
  )
  let bytes: Buffer = Buffer.from(requests.join(''), 'latin1')
  while (chance(random, 0.3)) bytes = corrupt(random, bytes)
  if (kind === 'read') return { index, pieces: cut(random, bytes), ending: 'listen' }
  if (chance(random, 0.6)) bytes = bytes.subarray(0, upTo(random, bytes.length + 1))
  return {
    index,
    pieces: cut(random, bytes),
    ending: random.pick(['reset', 'reset', 'reset-on-response', 'end', 'listen'] as const),
  }
}

/** The mark of the request that a target is from, if it is intact. */
export function readMark(target: string): string | undefined {
  return /(c\d+r\d)\1\./.exec(target)?.[1]
}

/** For a look at a stream that failed. */
export function describeStream({ index, pieces, ending }: ByteStream): string {
  return `stream ${index} (${ending}): ${JSON.stringify(pieces.map((piece) => piece.toString('latin1').slice(0, 2_000)))}`
}

/**
 * The requests whose every prefix is reset on: a connection is handed over, a body is read, a
 * stream is opened.
 */
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
      pieces: [Buffer.from(request.slice(0, length), 'latin1')],
      ending: length % 2 === 0 ? ('reset' as const) : ('reset-on-response' as const),
    })),
  )
}

/** A request, each part of which is mostly the usual one. */
function createRequest(random: Random, mark: string): string {
  const mostly = (usual: string, others: readonly string[]) =>
    chance(random, 0.7) ? usual : random.pick(others)
  const isControl = chance(random, 0.25)
  const method = mostly(random.pick(['GET', 'POST']), METHODS)
  // The mark twice, so that a corrupted one does not look like that of another request.
  const target = (
    isControl ? random.pick(CONTROL_TARGETS) : mostly('/v1/pets?q=@', TARGETS)
  ).replace('@', `${mark}${mark}.`)
  const version = chance(random, 0.9) ? 'HTTP/1.1' : random.pick(VERSIONS)
  const head = [
    `${method} ${target} ${version}`,
    `Host: ${mostly('localhost', HOSTS)}`,
    'Content-Type: application/json',
  ]
  if (chance(random, 0.9)) head.push('Authorization: Bearer any-key')
  while (chance(random, 0.3)) head.push(random.pick(FIELDS))
  if (chance(random, ['POST', 'PUT', 'PATCH'].includes(method) ? 0.1 : 0.9))
    return head.join('\r\n') + HEAD_END
  const [framing, text] = frame(
    random,
    isControl ? random.pick(CONTROL_BODIES) : mostly(ANIMAL, BODIES),
  )
  return [...head, framing].join('\r\n') + HEAD_END + text
}

/** A body with its length or in its chunks, mostly right. */
function frame(random: Random, body: string): readonly [framing: string, text: string] {
  const { length } = body
  if (chance(random, 0.6)) return [`Content-Length: ${length}`, body]
  const chunked = 'Transfer-Encoding: chunked'
  // An empty chunk would be the last one.
  const parts = [body.slice(0, length >> 1), body.slice(length >> 1)].filter((part) => part !== '')
  const chunks = `${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`
  return random.pick([
    [chunked, chunks],
    [chunked, chunks.slice(0, -3)],
    [chunked, `${chunks.slice(0, -2)}X-Trailer: y\r\n\r\n`],
    [chunked, `${random.pick(['zz', 'F'.repeat(17), `1;${'e'.repeat(20_000)}`])}\r\n${chunks}`],
    [`${chunked}\r\nContent-Length: ${length}`, chunks],
    [`Transfer-Encoding: ${random.pick(['gzip, chunked', 'gzip'])}`, chunks],
    [`Content-Length: ${Math.max(0, length - 1 - upTo(random, 9))}`, body],
    [`Content-Length: ${length + 1 + upTo(random, 99)}`, body],
    [`Content-Length: ${length}\r\nContent-Length: ${length + 1}`, body],
    [
      `Content-Length: ${random.pick(['-1', '0x2', '1e3', '9'.repeat(30), '99999999', '', '+5'])}`,
      body,
    ],
    ['X-Length: none', body],
  ])
}

/**
 * Some bytes changed, lost, added or doubled; never so many that a whole request is there twice.
 */
function corrupt(random: Random, bytes: Buffer): Buffer {
  const at = upTo(random, bytes.length + 1)
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  const some = upTo(random, 8)
  return random.pick([
    Buffer.concat([before, Buffer.from([upTo(random, 256)]), after.subarray(1)]),
    Buffer.concat([before, after.subarray(1 + some)]),
    Buffer.concat([before, Buffer.from(random.pick(JUNK), 'latin1'), after]),
    Buffer.concat([before, after.subarray(0, some), after]),
    Buffer.from(
      bytes.toString('latin1').replace('\r\n', random.pick(['\n', '\r', '\r\n ', ''])),
      'latin1',
    ),
    before,
  ])
}

function cut(random: Random, bytes: Buffer): Buffer[] {
  if (chance(random, 0.6)) return [bytes]
  const at = upTo(random, bytes.length)
  return [bytes.subarray(0, at), ...cut(random, bytes.subarray(at))]
}

function chance(random: Random, probability: number): boolean {
  return random.next() < probability
}

function upTo(random: Random, count: number): number {
  return Math.floor(random.next() * count)
}
