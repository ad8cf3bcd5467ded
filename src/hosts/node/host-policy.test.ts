import { expect, it } from 'vitest'
import { findViolations } from '../../contract/schema.ts'
import { hostSchema } from '../../scenario/settings/access.ts'
import { createHostPolicy } from './host-policy.ts'

const ask = (
  check: ReturnType<typeof createHostPolicy>,
  host: string | undefined,
  httpVersion = '1.1',
  url = '/v1/pets',
) => check({ headers: { host }, httpVersion, url } as never)

it.each<[host: string, status: number | undefined]>([
  ['mock.internal', undefined],
  ['MOCK.internal:7387', undefined],
  ['also.example', undefined],
  ['10.1.2.3', undefined],
  ['[fe80::1]:80', undefined],
  ['localhost', undefined],
  ['a.b.localhost:65535', undefined],
  ['internal', 403],
  ['evil.mock.internal', 403],
  ['localhost.evil.example', 403],
  ['999.1.2.3', 403],
  ['localhost:65536', 400],
  ['localhost:', undefined],
  ['[::1]:', undefined],
  ['[localhost]', 400],
  ['[::1', 400],
  ['::1', 400],
  ['evil.com#.localhost', 400],
  ['evil.com\\.localhost', 400],
  ['evil.com?.localhost', 400],
  ['evil.com,localhost', 400],
  ['.localhost', 400],
])('a mock that is bound to a name checks the host %s (refused with: %s)', (host, status) => {
  const check = createHostPolicy(['mock.internal', 'Also.Example'])
  expect(ask(check, host)?.status).toBe(status)
  // The second time too, since the last accepted one is remembered.
  expect(ask(check, host)?.status).toBe(status)
})

it.each([undefined, ''])(
  'a request with the Host field %j is refused, unless it is HTTP/1.0',
  (host) => {
    const check = createHostPolicy([])
    expect(ask(check, host)?.status).toBe(400)
    expect(ask(check, host, '1.0')).toBeUndefined()
  },
)

it.each([
  ['http://evil.example/v1/pets', 'localhost', 403],
  ['HTTPS://user:password@evil.example?x', 'localhost', 403],
  ['http://localhost:7387/v1/pets', 'localhost', undefined],
  ['http://user@localhost/v1/pets', 'evil.example', undefined],
  ['http://[::1', 'localhost', 400],
  ['http://localhost/', undefined, 400],
  ['http://', 'localhost', undefined],
  ['*', 'localhost', undefined],
  ['*', 'evil.example', 403],
])(
  'of the target %s and the Host %s, the host that counts is that of the target, if it names one',
  (url, host, status) => {
    const check = createHostPolicy([])
    for (let time = 1; time <= 2; time++) expect(ask(check, host, '1.1', url)?.status).toBe(status)
  },
)

it('a refusal says what is wrong with the Host field, and what to do', () => {
  const check = createHostPolicy([])
  expect(ask(check, undefined)?.message).toBe('A Host field is required (RFC 9112)')
  expect(ask(check, 'a b')?.message).toBe('The request does not name a valid host and port')
  expect(ask(check, 'Evil.example:80')?.message).toMatch(
    /evil[.]example.*--allowed-host evil[.]example/,
  )
})

it.each([
  ['mock.example', true],
  ['a', true],
  ['_a-b_', true],
  ['a:80', false],
  ['-a', false],
  ['a-', false],
  ['a b', false],
  ['', false],
  ['[::1]', false],
])('%j can be the name of a host: %j', (text, expected) =>
  expect(findViolations(hostSchema, text).length === 0).toBe(expected),
)
