import { Ajv } from 'ajv'
// @ts-expect-error: it has no types
import schemas from 'har-schema'
import { expect, it } from 'vitest'
import { createMock } from '../../index.ts'
import type { ChangeRow, RequestRow } from '../../world/row.ts'
import { toHar } from './to-har.ts'

const source = { version: '1.2.3', mockUrl: 'http://127.0.0.1:7387' }
const ajv = new Ajv({
  strict: false,
  formats: { 'date-time': isDateTime, uri: URL.canParse, ipv4: true, ipv6: true },
})
// They name a draft that Ajv has not at hand; what they use of it has not changed since.
for (const { $schema: _, ...schema } of Object.values<Record<string, unknown>>(schemas))
  ajv.addSchema(schema)

function isDateTime(text: string): boolean {
  return new Date(text).toISOString() === text
}

/** What is wrong with it by the schema of HAR 1.2. */
function findProblems(har: unknown): unknown {
  const validate = ajv.getSchema('har.json')
  return validate?.(JSON.parse(JSON.stringify(har))) === true ? [] : validate?.errors
}

function record(): RequestRow[] {
  const mock = createMock({
    pets: [],
    now: '2031-01-01',
    frozen: true,
    faults: [{ operation: 'listPets', drop: true, after: 1 }],
  })
  const signed = { host: 'api.test:80', authorization: 'Bearer a-long-secret', cookie: 'a=b' }
  const headers = { ...signed, 'content-type': 'application/json' }
  const ask = (method: string, target: string, body?: string) =>
    mock.answer({
      method,
      target,
      headers,
      ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
    })
  ask('POST', '/v1/pets', '{"name":"Pip","categoryId":9223372036854775807}')
  ask('POST', '/v1/pets?x=1', '{}')
  ask('GET', '/v1/pets?status=sold&limit=2')
  ask('GET', '/v1/pets')
  ask('OPTIONS', '*')
  ask('GET', 'http://else.test/v1/pets/1?a=%zz')
  ask('GET', 'no address')
  return mock.control.requests()
}

it('an archive of the traffic is valid HAR 1.2 for all kinds of requests', () => {
  expect(findProblems(toHar(record(), source))).toEqual([])
  expect(findProblems(toHar([], source))).toEqual([])
  expect(findProblems({ log: { version: '1.2' } })).not.toEqual([])
})

it('an archive of the traffic writes the exchanges as HAR entries', () => {
  const [entry] = record()
  expect(toHar([entry as RequestRow], source)).toEqual({
    log: {
      version: '1.2',
      creator: { name: 'animal-store-mock', version: '1.2.3' },
      entries: [
        {
          startedDateTime: entry?.realAt,
          time: entry?.durationMs,
          request: {
            method: 'POST',
            url: 'http://api.test/v1/pets',
            httpVersion: 'HTTP/1.1',
            cookies: [],
            headers: [
              { name: 'host', value: 'api.test:80' },
              { name: 'authorization', value: 'Bearer …cret' },
              { name: 'content-type', value: 'application/json' },
            ],
            queryString: [],
            postData: {
              mimeType: 'application/json',
              text: '{"name":"Pip","categoryId":9223372036854775807}',
            },
            headersSize: -1,
            bodySize: 47,
          },
          response: {
            status: 201,
            statusText: '',
            httpVersion: 'HTTP/1.1',
            cookies: [],
            headers: expect.arrayContaining([{ name: 'Cache-Control', value: 'no-store' }]),
            content: {
              size: 54,
              mimeType: 'application/json',
              text: '{"id":1,"name":"Pip","categoryId":9223372036854775807}',
            },
            redirectURL: '',
            headersSize: -1,
            bodySize: 54,
          },
          cache: {},
          timings: { send: 0, wait: entry?.durationMs, receive: 0 },
          comment: 'assumes default-status',
        },
      ],
    },
  })
})

it('an archive of the traffic has the reason of a refusal, the query, and status 0 for a dropped connection', () => {
  const { entries } = toHar(record(), source).log
  expect(entries[1]?.comment).toMatch(/name.*; "x" /)
  expect(entries[2]?.request.queryString).toMatchObject([
    { name: 'status', value: 'sold' },
    { value: '2' },
  ])
  expect(entries[3]).toMatchObject({
    comment: 'dropped; listPets drops the connection, skipping 1 call first',
    response: { status: 0 },
  })
  expect(entries[3]?.response.content).toEqual({ size: 0, mimeType: 'x-unknown' })
  expect(entries[3]?.request).not.toHaveProperty('postData')
  expect(entries.map(({ request }) => request.url).slice(4)).toEqual([
    'http://127.0.0.1:7387/',
    'http://else.test/v1/pets/1?a=%zz',
    'http://127.0.0.1:7387/',
  ])
  expect(JSON.stringify(entries)).not.toMatch(/a-long|a=b/)
  const mounted = toHar(record(), { ...source, mockUrl: 'http://127.0.0.1:7387/shop' }).log.entries
  expect(mounted[0]?.request.url).toBe('http://api.test/shop/v1/pets')
})

it('an archive of the traffic leaves changes out', () => {
  const [entry] = record() as [RequestRow]
  const request = { headers: {}, body: 'x' }
  const { entries } = toHar(
    [{ ...entry, request }, { type: 'change', id: 3 } as ChangeRow],
    source,
  ).log
  expect(entries).toMatchObject([
    { request: { url: 'http://127.0.0.1:7387/v1/pets', postData: { mimeType: '' } } },
  ])
})
