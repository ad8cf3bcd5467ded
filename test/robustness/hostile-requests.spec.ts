import { expect, it } from 'vitest'
import { createRawClient } from '../support/raw-client.ts'
import { startVictim } from './hostile.ts'

const KEY = ['Authorization', 'Bearer hostile-key'] as const
const JSON_TYPE = ['Content-Type', 'application/json'] as const
const MIB = 2 ** 20

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
  ['/%5f%5fmock/health', 404],
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
