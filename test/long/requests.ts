// Requests of every kind, for the specs that let fast-check do the asking: good ones, bad ones and
// hostile ones.
import fc, { type Arbitrary } from 'fast-check'
import { assumptions } from '../../src/contract/generated/contract.ts'
import type { Scenario } from '../../src/index.ts'
import type { Ask } from '../support/hosts.ts'

const INT64_MAX = 2n ** 63n - 1n

/** Digits around every bound that a number type has, and any others. */
const int64: Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: INT64_MAX }),
  fc.constantFrom(
    0n,
    1n,
    -1n,
    2n ** 31n,
    2n ** 53n - 1n,
    2n ** 53n,
    2n ** 53n + 1n,
    -(2n ** 53n) - 1n,
    INT64_MAX,
    -(2n ** 63n),
  ),
)

/** One of the words of a list. */
function words(list: string, separator = ' '): Arbitrary<string> {
  return fc.constantFrom(...list.split(separator))
}

/** Text that a careless service would break, and any other. */
const text: Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    'x'.repeat(3000),
    ...'|Rex|\0|"\\/\b\f\n\r\t|\u2028\u2029\ufeff|\u202eXer|Zoë|Zoe\u0308|🐈‍⬛|<img src=x onerror=alert(1)>|__proto__'.split(
      '|',
    ),
  ),
)

/** One time in four. */
function rarely<T, U>(arbitrary: Arbitrary<T>, otherwise: U): Arbitrary<T | U> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary })
}

const status: Arbitrary<'available' | 'pending' | 'sold'> = fc.constantFrom(
  'available',
  'pending',
  'sold',
)

/** The text of an animal that the service takes. */
const goodBody: Arbitrary<string> = fc
  .record({
    name: text,
    categoryId: int64,
    status: fc.option(status, { nil: undefined }),
    extra: rarely(text, undefined),
  })
  .map(({ name, categoryId, status: at, extra }) => {
    const fields = [`"name":${JSON.stringify(name)}`, `"categoryId":${categoryId}`]
    if (at) fields.push(`"status":"${at}"`)
    if (extra !== undefined) fields.unshift(`${JSON.stringify(extra)}:null`)
    return `{${fields.join(',')}}`
  })

const oddValue = words(
  `null true 1.5 1e400 -0 1.0 1e2 01 "" "1" [] {} 9223372036854775808 "gone" "\\ud800" 0.1e1 -9223372036854775809`,
)

const oddBody: Arbitrary<string> = fc.oneof(
  fc
    .record({ name: oddValue, categoryId: oddValue, status: oddValue }, { requiredKeys: [] })
    .map(toObjectText),
  fc.json({ maxDepth: 4 }),
  words(
    '| |{|{}|null|[]|{"name":"A","name":"B","categoryId":1}|{"__proto__":{"status":"sold"},"name":"A","categoryId":1}',
    '|',
  ),
  fc
    .integer({ min: 60, max: 70 })
    .map((depth) => `{"x":${'['.repeat(depth)}${']'.repeat(depth)},"name":"Deep","categoryId":1}`),
)

function toObjectText(fields: Readonly<Record<string, string>>): string {
  return `{${Object.entries(fields)
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
    .join(',')}}`
}

const utf8 = new TextEncoder()
const body: Arbitrary<Uint8Array> = fc.oneof(
  { weight: 5, arbitrary: goodBody.map((json) => utf8.encode(json)) },
  { weight: 4, arbitrary: oddBody.map((json) => utf8.encode(json)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
  // A good animal with a byte in it that is not UTF-8.
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(0xff, 0x80, 0xc0, 0xed)
      .map(
        (byte) =>
          new Uint8Array([...utf8.encode('{"name":"'), byte, ...utf8.encode('","categoryId":1}')]),
      ),
  },
)

const petId = fc.oneof(
  fc.integer({ min: -2, max: 12 }).map(String),
  int64.map(String),
  words('abc 1.0 01 +1 1e1 -0 9223372036854775808 %31 1%20 %D9%A1 1,2 1;2 __proto__ constructor'),
)

const path = fc.oneof(
  { weight: 6, arbitrary: fc.constant('/v1/pets') },
  { weight: 4, arbitrary: petId.map((id) => `/v1/pets/${id}`) },
  {
    weight: 2,
    arbitrary: words(
      '/v1 /v1/ /v1/pets/ /v1//pets /v1/Pets /v1/%70ets /v1/pets%2F1 /v1/pets/1/toys /v1/store/orders /v1/__mock/state',
    ),
  },
  { weight: 1, arbitrary: fc.webPath().map((any) => `/v1${any}`) },
)

const parameter = fc.oneof(
  fc.tuple(
    fc.constant('limit'),
    fc.oneof(
      fc.integer({ min: -1, max: 102 }).map(String),
      fc.constantFrom('', '05', '1.0', '1e1', '+5', '%205', '%D9%A5', '1,2', '0x10'),
    ),
  ),
  fc.tuple(
    fc.constant('status'),
    fc.oneof(status, fc.constantFrom('', 'gone', 'Sold', 'sold+', '%73old')),
  ),
  fc.tuple(
    fc.constantFrom('page', 'offset', 'Limit', '', '%6Cimit', '__proto__', 'access_token'),
    fc.webQueryParameters(),
  ),
  fc.tuple(
    fc.constantFrom('x', '%zz', 'limit', '%80'),
    fc.constantFrom('%', '%zz', '%C3%28', '%00', '%F0%9F%90%88'),
  ),
)

const query = fc
  .array(parameter, { maxLength: 3 })
  .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map((pair) => pair.join('=')).join('&')}`))

/** Targets under /v1 that a URL can say, and says unchanged. */
const target: Arbitrary<string> = fc
  .tuple(path, query)
  .map((parts) => parts.join(''))
  .filter(survivesUrl)

function survivesUrl(whole: string): boolean {
  const { pathname, search } = new URL(`http://mock.test${whole}`)
  return pathname + search === whole && /^\/v1(?:[/?]|$)/.test(whole)
}

const authorization = words(
  'Bearer k|bearer k|BEARER   k|Bearer|Basic azpr|Bearer invalid|Bearer a b|Bearer ä|Bearer a, Bearer b|k|Bearer =|Bearer k==',
  '|',
)

const otherFields = fc.record(
  {
    prefer: fc.constantFrom(
      'code=503',
      'code=404',
      'delay=1',
      'drop',
      'code=503, delay=1',
      'code=200',
      'wait=10',
      '',
    ),
    origin: fc.constantFrom(
      'http://localhost:5173',
      'https://evil.example',
      'null',
      'http://[::1]:3000',
    ),
    'access-control-request-method': fc.constantFrom('GET', 'POST', 'DELETE'),
    accept: fc.constantFrom('text/html', '*/*', 'application/xml;q=1'),
    'content-encoding': fc.constantFrom('br', 'identity'),
    'x-mock-bug': fc.constantFrom('1'),
  },
  { requiredKeys: [] },
)

const contentType = fc.oneof(
  { weight: 8, arbitrary: fc.constant('application/json') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'Application/JSON; charset=utf-8',
      'text/plain',
      'application/vnd.api+json',
      'json',
      '',
    ),
  },
)

const bodyless = fc.oneof(
  { weight: 6, arbitrary: fc.constant('GET') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'HEAD',
      'OPTIONS',
      'DELETE',
      'PUT',
      'PATCH',
      'POST',
      'PROPFIND',
      'M-SEARCH',
    ),
  },
)
const bodied = fc.oneof(
  { weight: 8, arbitrary: fc.constant('POST') },
  { weight: 1, arbitrary: fc.constantFrom('PUT', 'PATCH') },
)

/** Mostly a key, sometimes none, sometimes a whole field of some kind. */
const credentials: Arbitrary<Pick<Ask, 'key' | 'headers'>> = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom({ key: 'k' }, { key: 'another-key' }) },
  { weight: 1, arbitrary: fc.constantFrom({ key: null }, { key: 'invalid' }) },
  {
    weight: 1,
    arbitrary: authorization.map((field) => ({ key: null, headers: { authorization: field } })),
  },
)

/** Requests that every host can send. */
export const ask: Arbitrary<Ask> = fc
  .tuple(
    fc.oneof(fc.record({ method: bodyless }), fc.record({ method: bodied, body })),
    target,
    credentials,
    contentType,
    rarely(otherFields, {}),
  )
  .map(([line, to, { key = null, headers = {} }, type, fields]) => {
    const sent =
      'body' in line && (line.body as Uint8Array).length === 0 ? { method: line.method } : line
    // Most animals are meant for the catalogue, not for wherever the dice fell.
    const where = line.method === 'POST' && to.length % 4 !== 0 ? '/v1/pets' : to
    return {
      ...sent,
      target: where,
      key,
      headers: { ...(type === '' ? {} : { 'content-type': type }), ...headers, ...fields },
    }
  })

/** Whether keys are listed is up to the list. */
const open = assumptions.filter(({ id }) => id !== 'valid-keys')
const choices = fc.record(
  Object.fromEntries(open.map(({ id, choices: offered }) => [id, fc.constantFrom(...offered)])),
  {
    requiredKeys: [],
  },
) as Arbitrary<NonNullable<Scenario['assume']>>

const fault = fc
  .record({
    operation: fc.constantFrom('listPets', 'createPet', 'getPet', '*'),
    effect: fc.constantFrom(
      { status: 503, retryAfter: 1 },
      { status: 500 },
      { drop: true },
      { delay: 1 },
      { delay: [0, 2] },
    ),
    limits: fc.record(
      { times: fc.nat(2), after: fc.nat(3), rate: fc.constantFrom(0.5, 1) },
      { requiredKeys: [] },
    ),
  })
  .map(({ operation, effect, limits }) => ({ operation, ...effect, ...limits }))

/** Worlds to send them to; the clock stands still. */
export const scenario: Arbitrary<Scenario> = fc
  .record({
    names: fc.array(fc.tuple(text, fc.option(status, { nil: undefined })), { maxLength: 8 }),
    nextId: rarely(fc.constantFrom(2n ** 53n - 2n, 2n ** 63n - 2n), undefined),
    assume: rarely(choices, {}),
    faults: rarely(fc.array(fault, { maxLength: 2 }), []),
    now: fc.constantFrom('2026-11-15', '2030-12-05T12:00:00Z', '2031-01-01'),
    apiKeys: rarely(fc.constant(['k']), undefined),
  })
  .map(({ names, nextId, assume, faults, now, apiKeys }) => ({
    pets: names.map(([name, at], index) => ({
      id: index + 1,
      name: name.toWellFormed(),
      categoryId: index,
      ...(at ? { status: at } : {}),
    })),
    ...(nextId ? { nextId } : {}),
    ...(apiKeys ? { apiKeys } : {}),
    assume,
    faults: faults as NonNullable<Scenario['faults']>,
    now,
    frozen: true,
  }))
