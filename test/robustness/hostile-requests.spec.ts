// Whatever a client sends, the process answers or closes, prints no stack, and answers the next one as if nothing had been.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MAX_DOCUMENT_BYTES } from '../../src/limits.ts'
import { createRawClient, toBytes } from '../support/raw-client.ts'
import { startVictim, throwAt } from './hostile.ts'

const KEY = ['Authorization', 'Bearer hostile-key'] as const
const JSON_TYPE = ['Content-Type', 'application/json'] as const
const MIB = 2 ** 20
const lines = (...parts: string[]) => `${parts.join('\r\n')}\r\n\r\n`
const seed = process.env.SPEC_SEED ? Number(process.env.SPEC_SEED) : Date.now() | 0

const targets: [target: string, status: number][] = [
  ['/v1/pets/%00', 404],
  ['/v1/pets/%2e%2e%2f%2e%2e%2fetc%2fpasswd', 404],
  ['/../../../../etc/passwd', 404],
  ['/v1/pets/..%5c..%5cwindows', 404],
  ['/v1/pets/%zz', 400],
  ['/v1/pets/%c0%ae', 400],
  ['/v1/pets/%ed%a0%80', 400],
  ['/v1/pets/%1b%5b2J', 404],
  ['/v1/pets?%1b%5b2J%1b%5d0;owned%07=%E2%80%AE%E2%81%A6', 200],
  ['/v1/pets?x%0d%0aSet-Cookie:%20a=b', 200],
  ['/v1/pets?__proto__[polluted]=1&constructor.prototype.polluted=1&__proto__=1', 200],
  ['/v1/pets?limit=__proto__&status=constructor', 400],
  ['/v1/__proto__', 404],
  ['/v1/constructor/prototype', 404],
  ['/v1/pets/__proto__', 404],
  ['/v1/pets/hasOwnProperty', 404],
  ['http://evil.example/v1/pets/1', 200],
  ['//evil.example/v1/pets', 404],
  ['/v1/pets#fragment', 400],
  ['/v1/pets\u00e9', 400],
  ['/v1/pets;jsessionid=1', 404],
  [`/v1/pets/${'9'.repeat(8_000)}`, 404],
  [`/v1/pets?${'&'.repeat(8_000)}`, 200],
  [`/v1/pets?${'x&'.repeat(4_000)}`, 200],
  [`/v1/pets?${'%61'.repeat(2_600)}`, 200],
  [`/v1${'/'.repeat(8_000)}`, 404],
  [`/v1/pets?${'y'.repeat(9_000)}`, 414],
  [`/${'a/'.repeat(4_000)}`, 404],
  ['/__mock/../v1/pets', 404],
  ['/__mock/state/../../v1', 404],
  ['/%5f%5fmock/health', 200],
  ['/__mock/__proto__', 404],
  ['/__mock/state?sandbox=__proto__', 400],
  ['/__mock/requests?limit=-1', 400],
  ['/__mock/requests?__proto__=1', 400],
]

it.each(['pretty', 'json'] as const)('stands hostile targets, with a log that is %s', { timeout: 60_000 }, async (log) => {
  const victim = await startVictim(log)
  const client = createRawClient(victim.port)
  for (const [target, status] of targets) {
    expect((await client.ask({ target, fields: [KEY] })).status, target.slice(0, 100)).toBe(status)
    await victim.probe(target.slice(0, 100))
  }
  await victim.until('stdout', /owned/)
  victim.checkPrinted()
})

const animal = (more: string) => `{${more}"name":"Rex","categoryId":1}`
const many = (count: number, field: (index: number) => string) => Array.from({ length: count }, (_, index) => field(index)).join(',')
const bodies: [title: string, body: string | Uint8Array, status: number][] = [
  ['a prototype', animal('"__proto__":{"polluted":1,"status":"sold"},"constructor":{"prototype":{"polluted":1}},'), 201],
  ['a prototype for a name', '{"name":{"__proto__":{"toString":1}},"categoryId":1}', 400],
  ['a prototype for a category', '{"name":"Rex","categoryId":{"valueOf":1}}', 400],
  ['nothing but brackets', '['.repeat(MIB), 400],
  ['nothing but braces', '{"a":'.repeat(MIB / 5), 400],
  ['a million digits', `{"name":"Rex","categoryId":${'9'.repeat(MIB - 40)}}`, 400],
  ['a million decimals', `{"name":"Rex","categoryId":1.${'9'.repeat(MIB - 40)}}`, 400],
  ['a million zeros', `{"name":"Rex","categoryId":1${'0'.repeat(MIB - 40)}}`, 400],
  ['an exponent of a million digits', `{"name":"Rex","categoryId":1e${'9'.repeat(MIB - 40)}}`, 400],
  ['a small exponent of many digits', `{"name":"Rex","categoryId":1e-${'9'.repeat(MIB - 40)}}`, 400],
  ['a million backslashes', `{"name":"${'\\'.repeat(MIB - 40)}","categoryId":1}`, 201],
  ['half a million escapes', `{"name":"${'\\n'.repeat(MIB / 2 - 40)}","categoryId":1}`, 201],
  ['one backslash too few', `{"name":"${'\\'.repeat(MIB - 41)}","categoryId":1}`, 400],
  ['eighty thousand fields', animal(`${many(80_000, (index) => `"${index.toString(36)}":0`)},`), 201],
  ['a hundred thousand times the same field', animal(`${many(100_000, () => '"a":0')},`), 201],
  ['a million line ends', `${'\n'.repeat(MIB - 10)}x`, 400],
  ['a million quotes', '"'.repeat(MIB), 400],
  ['halves of surrogate pairs', `{"name":"${'\\ud83d'.repeat(100_000)}","categoryId":1}`, 400],
  ['bytes that are no text', new Uint8Array(100_000).fill(0xff), 400],
  ['bytes of nothing', new Uint8Array(100_000), 400],
  ['names that write to terminals', animal('"\\u001b[2J\\u001b]0;owned\\u0007":1,"\\u202e\\u2066":2,"a\\nb":3,'), 201],
  ['more than a mebibyte', 'x'.repeat(MIB + 1), 413],
]

it('stands hostile bodies', { timeout: 60_000 }, async () => {
  const victim = await startVictim()
  const client = createRawClient(victim.port)
  for (const [title, body, status] of bodies) {
    const before = performance.now()
    expect((await client.ask({ method: 'POST', fields: [KEY, JSON_TYPE], body })).status, title).toBe(status)
    // Nobody else is answered meanwhile.
    expect(performance.now() - before, title).toBeLessThan(3_000)
    await victim.probe(title)
  }
  victim.checkPrinted()
})

const framings: [title: string, bytes: string][] = [
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['HTTP/0.9', 'GET /v1/pets\r\n\r\n'],
  ['another version', lines('GET /v1/pets HTTP/9.9', 'Host: localhost')],
  ['an upgrade to a socket', lines('GET /v1/pets HTTP/1.1', 'Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket')],
  [
    'an upgrade to HTTP/2',
    lines('GET /v1/pets HTTP/1.1', 'Host: localhost', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'),
  ],
  [
    'a length and chunks',
    `${lines('POST /v1/pets HTTP/1.1', 'Host: localhost', 'Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\nGET /v1/pets HTTP/1.1\r\n\r\n`,
  ],
  ['two lengths', `${lines('POST /v1/pets HTTP/1.1', 'Host: localhost', 'Content-Length: 1', 'Content-Length: 2')}{}`],
  ['a negative length', `${lines('POST /v1/pets HTTP/1.1', 'Host: localhost', 'Content-Length: -1')}{}`],
  ['a length beyond all', lines('POST /v1/pets HTTP/1.1', 'Host: localhost', `Content-Length: ${'9'.repeat(30)}`)],
  ['an announced gigabyte', lines('POST /v1/pets HTTP/1.1', 'Host: localhost', 'Content-Length: 1000000000')],
  ['a chunk beyond all', `${lines('POST /v1/pets HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked')}FFFFFFFFFFFFFFFFF\r\n`],
  [
    'chunks with a long extension',
    `${lines('POST /v1/pets HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked')}1;${'x'.repeat(20_000)}\r\n`,
  ],
  ['another coding', `${lines('POST /v1/pets HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: gzip, chunked')}0\r\n\r\n`],
  ['chunked twice', `${lines('POST /v1/pets HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked, chunked')}0\r\n\r\n`],
  ['a field without a colon', lines('GET /v1/pets HTTP/1.1', 'Host: localhost', 'nothing')],
  ['a folded field', lines('GET /v1/pets HTTP/1.1', 'Host: localhost', 'X: a', ' b')],
  ['a zero in a field', lines('GET /v1/pets HTTP/1.1', 'Host: localhost', 'X: a\0b')],
  ['an escape in a field', lines('GET /v1/pets HTTP/1.1', 'Host: localhost', 'Authorization: Bearer \x1b[31m')],
  ['an escape in the target', lines('GET /v1/\x1b[2J HTTP/1.1', 'Host: localhost')],
  ['an escape in the method', lines('G\x1bT /v1/pets HTTP/1.1', 'Host: localhost')],
  ['a method without end', `${'A'.repeat(100_000)}`],
  ['a target without end', `GET /${'a'.repeat(100_000)}`],
  ['a field without end', `GET / HTTP/1.1\r\nX: ${'a'.repeat(100_000)}`],
  [
    'two thousand fields',
    lines('GET /v1/pets HTTP/1.1', 'Host: localhost', ...Array.from({ length: 2_000 }, (_, index) => `X-${index}: y`)),
  ],
  ['no Host', lines('GET /v1/pets HTTP/1.1')],
  ['two Hosts', lines('GET /v1/pets HTTP/1.1', 'Host: localhost', 'Host: evil.example')],
  ['a foreign Host', lines('GET /v1/pets HTTP/1.1', 'Host: evil.example')],
  ['a Host of escapes', lines('GET /v1/pets HTTP/1.1', 'Host: \x1b[2J')],
  ['an unknown expectation', lines('GET /v1/pets HTTP/1.1', 'Host: localhost', 'Expect: the-unexpected')],
  ['a tunnel', lines('CONNECT evil.example:443 HTTP/1.1', 'Host: evil.example:443')],
  ['a trace', lines('TRACE / HTTP/1.1', 'Host: localhost', 'Cookie: secret')],
]

it('stands hostile framing: an Error body, or the connection closed', { timeout: 60_000 }, async () => {
  const victim = await startVictim()
  for (const [title, bytes] of framings) {
    const answer = await throwAt(victim.port, Buffer.from(bytes, 'latin1'))
    expect(answer, title).toBeDefined()
    expect(answer?.status, title).toBeGreaterThanOrEqual(400)
    expect(answer?.status ?? 0, title).toSatisfy(blamesTheClient)
    expect(JSON.parse(answer?.text ?? ''), title).toMatchObject({ status: answer?.status })
    await victim.probe(title)
  }
  victim.checkPrinted()
})

/** No 500 or 503, which would be a failure of the server: what it does not implement or speak is 501 and 505. */
function blamesTheClient(status: number): boolean {
  return status < 500 || status === 501 || status === 505
}

const scenario = '{"pets":[{"id":1,"name":"Rex","categoryId":1}]}'
const controls: [method: string, target: string, body: string, status: number][] = [
  ['PUT', '/__mock/state', '{"__proto__":{"polluted":1},"pets":[]}', 400],
  ['PUT', '/__mock/state', '{"pets":[{"__proto__":{"id":1},"name":"Rex","categoryId":1}]}', 400],
  ['PUT', '/__mock/state', '{"assume":{"__proto__":"x"}}', 400],
  ['PUT', '/__mock/state', '{"extends":"__proto__"}', 400],
  ['PUT', '/__mock/state', '{"extends":"../../../etc/passwd"}', 400],
  ['PUT', '/__mock/state', '{"generate":{"count":1e9}}', 400],
  ['PUT', '/__mock/state', '{"generate":{"count":5,"status":{"__proto__":1}}}', 400],
  ['PUT', '/__mock/state', '['.repeat(MIB), 400],
  ['PUT', '/__mock/state', `{"pets":[${many(60_000, () => '{"id":1,"name":"Rex","categoryId":1}')}]}`, 400],
  ['PUT', '/__mock/state', `${scenario}${' '.repeat(MAX_DOCUMENT_BYTES)}`, 413],
  ['PUT', '/__mock/clock', `{"frozen":true}${' '.repeat(MAX_DOCUMENT_BYTES)}`, 413],
  ['PUT', '/__mock/scenario', '{"name":"__proto__"}', 400],
  ['PUT', '/__mock/scenario', '{"name":"constructor"}', 400],
  ['PUT', '/__mock/scenario', '{"name":"../default"}', 400],
  ['POST', '/__mock/faults', '{"operation":"__proto__","status":503}', 400],
  ['POST', '/__mock/faults', '{"operation":"*","delay":1e12}', 400],
  ['POST', '/__mock/faults', '{"operation":"*","status":503,"__proto__":{"drop":true}}', 400],
  ['PUT', '/__mock/assumptions', '{"__proto__":{"invalid-query":"clamp"}}', 400],
  ['PUT', '/__mock/assumptions', '{"constructor":"x"}', 400],
  ['PUT', '/__mock/clock', '{"advance":"P99999999999999999999Y"}', 400],
  ['PUT', '/__mock/clock', '{"now":"+275760-09-13"}', 400],
  ['DELETE', '/__mock/faults/__proto__', '{}', 404],
  ['DELETE', '/__mock/sandboxes/__proto__', '{}', 404],
  ['PATCH', '/__mock/state', '{}', 405],
]

it('stands hostile hands on the control API, and takes nothing from them', { timeout: 60_000 }, async () => {
  const victim = await startVictim()
  const client = createRawClient(victim.port)
  for (const [method, target, body, status] of controls) {
    const answer = await client.ask({ method, target, fields: [JSON_TYPE], body })
    expect(answer.status, `${method} ${target} ${body.slice(0, 100)}: ${answer.text.slice(0, 200)}`).toBe(status)
    await victim.probe(`${method} ${target} ${body.slice(0, 100)}`)
  }
  for (const fields of [
    [['Origin', 'https://evil.example']],
    [['Origin', 'null']],
    [['Sec-Fetch-Site', 'cross-site']],
    [['Host', 'evil.example']],
  ] as [string, string][][]) {
    expect((await client.ask({ method: 'PUT', target: '/__mock/state', fields: [JSON_TYPE, ...fields], body: scenario })).status).toBe(403)
    await victim.probe(String(fields))
  }
  victim.checkPrinted()
})

it('stands bytes without any sense, and good requests with a few bytes changed', { timeout: 60_000 }, async () => {
  console.log(`hostile bytes: repeat with SPEC_SEED=${seed}`)
  const victim = await startVictim()
  const noise = fc.sample(fc.uint8Array({ minLength: 1, maxLength: 400 }), { numRuns: 200, seed })
  const good = toBytes({ method: 'POST', fields: [KEY, JSON_TYPE, ['Connection', 'close']], body: '{"name":"Rex","categoryId":1}' })
  const change = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
  const changed = fc.sample(change, { numRuns: 800, seed }).map((changes) => {
    const bytes = Buffer.from(good)
    for (const [at, value] of changes) bytes[at] = value
    return bytes
  })
  for (const [index, bytes] of [...noise, ...changed].entries()) {
    const answer = await throwAt(victim.port, bytes, { halfClose: true })
    expect(answer?.status ?? 400, Buffer.from(bytes).toString('latin1')).toSatisfy(blamesTheClient)
    if (index % 50 === 0) await victim.probe(Buffer.from(bytes).toString('latin1'))
  }
  await victim.probe('all of them')
  victim.checkPrinted()
})
