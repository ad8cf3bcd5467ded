// Every place that a client can write to, and what to fill it with: each unit, again and again, up
// to the limit of the place. Whatever the mock makes of it must cost in proportion to its length.
import {
  MAX_BODY_BYTES,
  MAX_DOCUMENT_BYTES,
  MAX_TARGET_BYTES,
  MAX_YAML_TEXT_BYTES,
} from '../src/contract/limits.ts'
import type { RawRequest } from '../test/support/raw-client.ts'

interface Place {
  /** How many bytes of units fit. */
  readonly bytes: number
  request(text: string): RawRequest
}

/** Room for the rest of the head or body. */
const REST_BYTES = 512
/** Node counts names and values alone; a client cannot use all of its 16 KiB for one field. */
const FIELD_BYTES = 15 * 2 ** 10

/** What takes time to take apart, somewhere. */
export const UNITS = [
  ' ',
  '"',
  '\\',
  '[',
  '{"a":',
  ',',
  '%61',
  '%',
  'a: "x\n',
  '-',
  '+',
  '9',
  'é',
  'a',
  ';a="',
  '/',
  '=&',
  '@',
  '…',
] as const

const KEY = ['Authorization', 'Bearer any-key'] as const
const JSON_TYPE = ['Content-Type', 'application/json'] as const
/** A field has one line, and Node takes no characters beyond Latin-1. */
const toValue = (text: string) => text.replace(/\n/g, ' ').replace(/…/g, '\u0085')

function field(name: string, before = '', rest: Partial<RawRequest> = {}): Place {
  return {
    bytes: FIELD_BYTES,
    request: (text) => ({
      ...rest,
      fields: [
        ...(rest.fields ?? (name === 'Authorization' ? [] : [KEY])),
        [name, before + toValue(text)],
      ],
    }),
  }
}

function target(before: string, isEncoded = true): Place {
  return {
    bytes: MAX_TARGET_BYTES - REST_BYTES,
    request: (text) => ({
      target: before + (isEncoded ? encode(text) : text.replace(/\s/g, '~')),
      fields: [KEY],
    }),
  }
}

/** Percent-encoded up to the limit, with whole escapes. */
const encode = (text: string) =>
  encodeURIComponent(text)
    .slice(0, MAX_TARGET_BYTES - REST_BYTES)
    .replace(/%[0-9A-F]?$|(?:%[89AB][0-9A-F])+$/, '')

function body(
  bytes: number,
  method: string,
  path: string,
  toBody: (text: string) => string,
  type: readonly [string, string] = JSON_TYPE,
): Place {
  return {
    bytes: bytes - REST_BYTES,
    request: (text) => ({ method, target: path, fields: [KEY, type], body: toBody(text) }),
  }
}

const created = (toBody: (text: string) => string, type?: readonly [string, string]) =>
  body(MAX_BODY_BYTES, 'POST', '/v1/pets', toBody, type)
const sent = (method: string, path: string, toBody: (text: string) => string) =>
  body(MAX_DOCUMENT_BYTES, method, `/__mock${path}`, toBody)
/** As a JSON text; escapes make it longer, so it is cut. */
const quote = (text: string, bytes: number) =>
  JSON.stringify(cut(text, JSON.stringify(text).length, bytes))
const cut = (text: string, length: number, bytes: number) =>
  length <= bytes ? text : text.slice(0, Math.floor((text.length * bytes) / length) - 2)
const text = (given: string) => quote(given, MAX_DOCUMENT_BYTES - REST_BYTES)

/** Each is filled with every unit. */
export const PLACES: Readonly<Record<string, Place>> = {
  Authorization: field('Authorization', 'Bearer '),
  'Authorization without a scheme': field('Authorization'),
  'Authorization of the control API': field('Authorization', 'Bearer ', { target: '/__mock/x' }),
  Prefer: field('Prefer'),
  'the code of Prefer': field('Prefer', 'code='),
  'Content-Type': field('Content-Type', '', { method: 'POST', body: '{}' }),
  'a parameter of Content-Type': field('Content-Type', 'application/json;', {
    method: 'POST',
    body: '{}',
  }),
  'Content-Encoding': field('Content-Encoding', '', {
    method: 'POST',
    body: '{}',
    fields: [KEY, JSON_TYPE],
  }),
  Host: field('Host'),
  Origin: field('Origin'),
  'Origin of the control API': field('Origin', '', { target: '/__mock/health' }),
  'the fields of a preflight': field('Access-Control-Request-Headers', '', {
    method: 'OPTIONS',
    fields: [
      ['Origin', 'http://localhost'],
      ['Access-Control-Request-Method', 'GET'],
    ],
  }),
  'Sec-Fetch-Site': field('Sec-Fetch-Site', '', { target: '/__mock/health' }),
  'X-Mock-Control': field('X-Mock-Control', '', { target: '/__mock/reset', method: 'POST' }),
  'X-Forwarded-For': field('X-Forwarded-For', '', { target: '/__mock/health' }),
  Accept: field('Accept', '', { target: '/' }),
  Expect: field('Expect'),
  Cookie: field('Cookie'),
  Referer: field('Referer', 'http://a.test/?'),
  'a field of any name': field('X-Anything'),
  'a method': { bytes: FIELD_BYTES, request: (given) => ({ method: given }) },
  'a path': target('/', false),
  'a path, encoded': target('/'),
  'the host of a target': target('http://', false),
  'a petId': target('/v1/pets/'),
  'a query': target('/v1/pets?', false),
  'a query, encoded': target('/v1/pets?'),
  'a parameter': target('/v1/pets?limit='),
  'many parameters': {
    bytes: MAX_TARGET_BYTES / 8,
    request: (given) => ({ target: `/v1/pets?${encode([...given].join('&'))}`, fields: [KEY] }),
  },
  'a path of the control API': target('/__mock/', false),
  'an id of the control API': target('/__mock/pets/'),
  'a search': target('/__mock/pets?search='),
  'a sandbox': target('/__mock/state?sandbox='),
  'a body': created((given) => given),
  'a body that is a text': created((given) => quote(given, MAX_BODY_BYTES - REST_BYTES)),
  'a name': created(
    (given) => `{"categoryId":1,"name":${quote(given, MAX_BODY_BYTES - REST_BYTES)}}`,
  ),
  'a form': created((given) => given, ['Content-Type', 'application/x-www-form-urlencoded']),
  'YAML text': body(MAX_YAML_TEXT_BYTES, 'PUT', '/__mock/state', (given) =>
    JSON.stringify({ file: 'a.yaml', text: given }),
  ),
  'a YAML list': body(MAX_YAML_TEXT_BYTES, 'PUT', '/__mock/state', (given) =>
    JSON.stringify({ file: 'a.yaml', text: `pets: [${given}]` }),
  ),
}

/**
 * Documents of 16 MiB, which the same code reads. `bench` fills them with every unit, the fast
 * suite each with one.
 */
export const DOCUMENT_PLACES: Readonly<Record<string, Place>> = {
  'a document': sent('PUT', '/state', (given) => given),
  'a text of a document': sent('PUT', '/state', (given) => `{"description":${text(given)}}`),
  'a time': sent('PUT', '/clock', (given) => `{"now":${text(given)}}`),
  'a step of the clock': sent('PUT', '/clock', (given) => `{"advance":${text(given)}}`),
  'a fault': sent(
    'POST',
    '/faults',
    (given) => `{"operation":"*","status":500,"id":${text(given)}}`,
  ),
  'a latency': sent('PUT', '/latency', (given) => `{"latency":${text(given)}}`),
  'an animal': sent('POST', '/pets', (given) => `{"categoryId":1,"name":${text(given)}}`),
  'a name of a scenario': sent('PUT', '/state', (given) => `{"name":${text(given)}}`),
  'the name of a file': sent('PUT', '/state', (given) => `{"text":"","file":${text(given)}}`),
  'an API key': sent('PUT', '/state', (given) => `{"apiKeys":[${text(given)}]}`),
  'a scenario to extend': sent('PUT', '/state', (given) => `{"extends":${text(given)}}`),
}

/** Repeats a unit up to this many bytes. */
export function fill(unit: string, bytes: number): string {
  return unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)))
}
