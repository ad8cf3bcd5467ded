import { describe, expect, it } from 'vitest'
import { describeKey } from '../contract/values.ts'
import { hideSecrets, redactBody, redactFault, redactMessage, redactTarget } from './redact.ts'

it('of a key the end is shown, but not all of it', () =>
  expect(['a-long-key', '12345', '1234', ''].map(describeKey)).toEqual([
    '…-key',
    '…2345',
    '…',
    '…',
  ]))

describe('redactTarget', () => {
  it.each([
    ['/v1/pets', '/v1/pets'],
    ['/v1/pets?', '/v1/pets?'],
    ['?key=s3cret', '?key=…'],
    ['/v1/pets?limit=5&status=sold', '/v1/pets?limit=5&status=sold'],
    ['/v1/pets?api_key=s3cret', '/v1/pets?api_key=…'],
    ['/v1/pets?accessToken=s3cret&x-api-key=a', '/v1/pets?accessToken=…&x-api-key=…'],
    ['/v1/pets?apikey=a&API-Key=b&apiKey=c', '/v1/pets?apikey=…&API-Key=…&apiKey=…'],
    [
      '/v1/pets?secretKey=a&private_key=b&AWSAccessKeyId=c',
      '/v1/pets?secretKey=…&private_key=…&AWSAccessKeyId=…',
    ],
    [
      '/v1/pets?X-Amz-Signature=a&X-Amz-Security-Token=b&X-Amz-Credential=c&X-Amz-Date=d',
      '/v1/pets?X-Amz-Signature=…&X-Amz-Security-Token=…&X-Amz-Credential=…&X-Amz-Date=d',
    ],
    ['/v1/pets?limit=5&access_token=s3cret&x=1', '/v1/pets?limit=5&access_token=…&x=1'],
    ['/v1/pets?api%5Fkey=s3cret', '/v1/pets?api%5Fkey=…'],
    ['/v1/pets?password=a=b', '/v1/pets?password=…'],
    ['/v1/pets?password=se;mi=x', '/v1/pets?password=…'],
    ['/v1/pets?%zz=1&token=s3cret', '/v1/pets?%zz=1&token=…'],
    [
      '/v1/pets?api_key[]=arr&user[password]=brk&token[0]=x&limit=1',
      '/v1/pets?api_key[]=…&user[password]=…&token[0]=…&limit=1',
    ],
    ['http://any.test/v1/pets?key=s3cret', 'http://any.test/v1/pets?key=…'],
    ['http://u:s3cret@any.test/v1/pets?limit=1', 'http://…@any.test/v1/pets?limit=1'],
    ['HTTPS://s3cret@a@any.test?key=s3cret', 'HTTPS://…@any.test?key=…'],
    ['u:s3cret@any.test:443', '…@any.test:443'],
    ['//u:s3cret@any.test/v1/pets', '//…@any.test/v1/pets'],
    [
      '/v1/pets?Ocp-Apim-Subscription-Key=a&x-functions-key=b',
      '/v1/pets?Ocp-Apim-Subscription-Key=…&x-functions-key=…',
    ],
    ['/v1/pets/a@b?name=a@b', '/v1/pets/a@b?name=a@b'],
    ['http://any.test/a@b?name=a@b', 'http://any.test/a@b?name=a@b'],
    [
      '/v1/pets?monkey=1&author=2&passage=3&assign=4&token',
      '/v1/pets?monkey=1&author=2&passage=3&assign=4&token',
    ],
    [
      '/v1/pets?token2=a&apiKeys=b&keys=c&tokenV2=d&auth0=e',
      '/v1/pets?token2=…&apiKeys=…&keys=…&tokenV2=…&auth0=…',
    ],
    [
      '/v1/pets?userPass=a&SESSION_ID=b&oauth_sig=c&accesstoken=d',
      '/v1/pets?userPass=…&SESSION_ID=…&oauth_sig=…&accesstoken=…',
    ],
    [
      '/v1/pets?JWT=a&bearer=b&pwd=c&user-passwd=d&passphrase=e',
      '/v1/pets?JWT=…&bearer=…&pwd=…&user-passwd=…&passphrase=…',
    ],
  ])('%s becomes %s', (target, shown) => expect(redactTarget(target)).toBe(shown))
})

describe('redactBody', () => {
  it.each([
    ['name=Rex&api_key=s3cret', 'application/x-www-form-urlencoded', 'name=Rex&api_key=…'],
    ['token=s3cret', 'Application/X-WWW-Form-Urlencoded; charset=utf-8', 'token=…'],
    [
      'user%5Bpassword%5D=a&p%61ssword=b',
      'application/x-www-form-urlencoded',
      'user%5Bpassword%5D=…&p%61ssword=…',
    ],
    [
      '{"api_key":"s3cret","name":"a&key=1"}',
      'application/x-www-form-urlencoded',
      '{"api_key":"…","name":"a&key=…',
    ],
    ['{"name":"a&key=1"}', 'application/json', '{"name":"a&key=1"}'],
    ['key=1', undefined, 'key=1'],
    ['{"apiKey":"s3cret","name":"Rex"}', 'application/json', '{"apiKey":"…","name":"Rex"}'],
    ['{ "x" : { "Access_Token" : "s3\\"cret" } }', undefined, '{ "x" : { "Access_Token" : "…" } }'],
    [
      '{"name":"token","tokens":"a","monkey":"b"}',
      'application/json',
      '{"name":"token","tokens":"…","monkey":"b"}',
    ],
    [
      '{"\\u0070assword":"s3cret","\\ud83d":1}',
      'application/json',
      '{"\\u0070assword":"…","\\ud83d":1}',
    ],
    ['{"token":5,"name":"Rex"}', 'application/json', '{"token":"…","name":"Rex"}'],
    ['["token","Rex"]', 'application/json', '["token","Rex"]'],
    ['{"token":{"password":"a"},"name":"Rex"}', 'application/json', '{"token":"…","name":"Rex"}'],
    ['{"token":null}', 'application/json', '{"token":"…"}'],
    [
      '{"api_key":["a",{"b":"c}"}] , "name":"Rex"}',
      'application/json',
      '{"api_key":"…" , "name":"Rex"}',
    ],
    [
      '{"credentials":{"v":["objsecret"]},"name":"Rex"}',
      'application/json',
      '{"credentials":"…","name":"Rex"}',
    ],
    ['{"password":{"v":"cut o', 'application/json', '{"password":"…"'],
    ['{"password":{"v":"cut", ', 'application/json', '{"password":"…"'],
    ['{"password":"s3cret that is cut o', 'application/json', '{"password":"…"'],
    ['[{"token":},{"name":"Rex"}]', 'application/json', '[{"token":},{"name":"Rex"}]'],
    ['{"token":"s3cret":"password":"s3cret"}', 'application/json', '{"token":"…""password":"…"}'],
  ])('%s of the type %s becomes %s', (body, contentType, shown) =>
    expect(redactBody(body, contentType)).toBe(shown),
  )

  const SECRET = [
    'auth',
    'bearer',
    'credential',
    'jwt',
    'key',
    'pass',
    'passwd',
    'pwd',
    'secret',
    'session',
    'signature',
    'token',
  ]
  const ODD = [
    'sid',
    'connect.sid',
    'sessionid',
    'PHPSESSID',
    'JSESSIONID',
    'X-Otp',
    'authentication',
    'csrf',
    'X-XSRF-Token',
    'csrfmiddlewaretoken',
    'pin',
    'userPin',
    'pin_code',
    'encryption_key',
    'decryptionKey',
  ]
  it.each([...SECRET, ...ODD])('shows no value of a field %s', (name) => {
    expect(redactBody(`{"${name}":"s3cret"}`)).toBe(`{"${name}":"…"}`)
    expect(redactTarget(`/v1/pets?${name}=s3cret`)).toBe(`/v1/pets?${name}=…`)
  })

  it('shows the values of fields with other names', () => {
    const body = '{"shipping":"1","residence":"2","inside":"3","potpourri":"4","authenticated":"5"}'
    expect(redactBody(body)).toBe(body)
  })

  it.each(['A', 'token1', 'aA', '-', 'password-', '\\u0070'])(
    'reads a name of 100,000 characters like %s in linear time',
    (part) => {
      const startedAt = performance.now()
      redactBody(`{"${part.repeat(100_000 / part.length)}x":1,"token":1}`)
      expect(performance.now() - startedAt).toBeLessThan(1_000)
    },
  )
})

it('a fault is shown without the secrets of its response', () => {
  const response = { status: 400, headers: { 'X-Api-Key': 'a' }, body: { token: 'b', id: 1 } }
  expect(redactFault({ response })).toEqual({
    response: { status: 400, headers: { 'X-Api-Key': '...' }, body: { token: '…', id: 1 } },
  })
  expect(redactFault({ response: { status: 400 } })).toStrictEqual({ response: { status: 400 } })
  const form = { status: 200, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  const redacted = ['y=1&token=abc', { x: 'y=1&token=abc', token: 1 }].map(
    (body) => redactFault({ response: { ...form, body } }).response.body,
  )
  expect(redacted).toEqual(['y=1&token=…', { x: 'y=1&token=abc', token: '…' }])
})

describe('header fields', () => {
  it.each<[headers: Record<string, string>, shown: Record<string, string>]>([
    [
      { Accept: '*/*', Authorization: 'Bearer …cret' },
      { Accept: '*/*', Authorization: 'Bearer …cret' },
    ],
    [
      { 'X-Api-Key': 'another-secret', 'x-auth-token': 'abc' },
      { 'X-Api-Key': '…', 'x-auth-token': '…' },
    ],
    [
      { Referer: 'http://a/?x=1, http://u:p@b/?token=a, b' },
      { Referer: 'http://a/?x=1, http://…@b/?token=…' },
    ],
    [{ 'X-Link': 'http://a.test/?token=abcd' }, { 'X-Link': 'http://a.test/?token=abcd' }],
    [
      { 'idempotency-key': 'a', 'x-session-id': 'b', author: 'c' },
      { 'idempotency-key': 'a', 'x-session-id': '…', author: 'c' },
    ],
    [JSON.parse('{"__proto__":"x"}'), JSON.parse('{"__proto__":"x"}')],
  ])('show no secrets: %j', (headers, shown) =>
    expect(redactMessage(headers, '').headers).toStrictEqual(shown),
  )

  it.each<[name: string, value: string, stored: string | undefined]>([
    ['Accept', '*/*', '*/*'],
    ['Upgrade', 'websocket', 'websocket'],
    ['Authorization', 'Bearer a-long-secret', 'Bearer …cret'],
    ['authorization', 'a-long-secret', '…cret'],
    ['authorization', 'no-scheme', '…'],
    ['authorization', 'sup3rs3cret part2', '…'],
    ['authorization', 'TOKEN sup3rs3cret', 'TOKEN …'],
    ['Authorization', 'Basic dXNlcjpwYXNz', 'Basic …'],
    ['Proxy-Authorization', 'Basic dXNlcjpwYXNz', 'Basic …'],
    ['Cookie', 'session=1', undefined],
    ['Cookie2', 'x', undefined],
    ['Set-Cookie', 'y', undefined],
  ])('are stored without credentials: %s: %s', (name, value, stored) => {
    const headers = { [name]: value, x: value }
    hideSecrets(headers, 'a-long-secret')
    expect(headers).toEqual({ ...(stored && { [name]: stored }), x: value })
  })
})
