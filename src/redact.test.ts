import { describe, expect, it } from 'vitest'
import { createRedactor, redact, redactBody, redactHeaders, redactTarget } from './redact.ts'

describe('redact', () => {
  it.each([
    ['a-long-key', '…-key'],
    ['12345', '…2345'],
    ['1234', '…'],
    ['', '…'],
  ])('%j becomes %j', (key, shown) => expect(redact(key)).toBe(shown))
})

describe('redactTarget', () => {
  it.each([
    ['/v1/pets', '/v1/pets'],
    ['/v1/pets?', '/v1/pets?'],
    ['/v1/pets?limit=5&status=sold', '/v1/pets?limit=5&status=sold'],
    ['/v1/pets?api_key=s3cret', '/v1/pets?api_key=…'],
    ['/v1/pets?accessToken=s3cret&x-api-key=a', '/v1/pets?accessToken=…&x-api-key=…'],
    ['/v1/pets?apikey=a&API-Key=b&apiKey=c', '/v1/pets?apikey=…&API-Key=…&apiKey=…'],
    ['/v1/pets?limit=5&access_token=s3cret&x=1', '/v1/pets?limit=5&access_token=…&x=1'],
    ['/v1/pets?api%5Fkey=s3cret', '/v1/pets?api%5Fkey=…'],
    ['/v1/pets?X-Amz-Signature=s3cret', '/v1/pets?X-Amz-Signature=…'],
    ['/v1/pets?password=a=b', '/v1/pets?password=…'],
    ['/v1/pets?%zz=1&token=s3cret', '/v1/pets?%zz=1&token=…'],
    ['/v1/pets?api_key[]=arr&user[password]=brk&token[0]=x&limit=1', '/v1/pets?api_key[]=…&user[password]=…&token[0]=…&limit=1'],
    ['/v1/pets?p=1;password=semi&q=1;2', '/v1/pets?p=1;password=…&q=1;2'],
    ['/v1/pets?password=se;mi=x', '/v1/pets?password=…'],
    ['http://any.test/v1/pets?key=s3cret', 'http://any.test/v1/pets?key=…'],
    ['http://u:s3cret@any.test/v1/pets?limit=1', 'http://…@any.test/v1/pets?limit=1'],
    ['HTTPS://s3cret@a@any.test?key=s3cret', 'HTTPS://…@any.test?key=…'],
    ['u:s3cret@any.test:443', '…@any.test:443'],
    ['/v1/pets/a@b?name=a@b', '/v1/pets/a@b?name=a@b'],
    ['http://any.test/a@b?name=a@b', 'http://any.test/a@b?name=a@b'],
    ['/v1/pets?monkey=1&keys=2&token', '/v1/pets?monkey=1&keys=2&token'],
  ])('%s becomes %s', (target, shown) => expect(redactTarget(target)).toBe(shown))
})

describe('redactBody', () => {
  it.each([
    ['name=Rex&api_key=s3cret', 'application/x-www-form-urlencoded', 'name=Rex&api_key=…'],
    ['token=s3cret', 'Application/X-WWW-Form-Urlencoded; charset=utf-8', 'token=…'],
    ['{"name":"a&key=1"}', 'application/json', '{"name":"a&key=1"}'],
    ['key=1', undefined, 'key=1'],
    ['{"apiKey":"s3cret","name":"Rex"}', 'application/json', '{"apiKey":"…","name":"Rex"}'],
    ['{ "x" : { "Access_Token" : "s3\\"cret" } }', undefined, '{ "x" : { "Access_Token" : "…" } }'],
    ['{"name":"token","tokens":"a","monkey":"b"}', 'application/json', '{"name":"token","tokens":"a","monkey":"b"}'],
    ['{"token":5,"name":"Rex"}', 'application/json', '{"token":"…","name":"Rex"}'],
    ['{"token":null}', 'application/json', '{"token":"…"}'],
    ['{"api_key":["a",{"b":"c}"}] , "name":"Rex"}', 'application/json', '{"api_key":"…" , "name":"Rex"}'],
    ['{"accessToken":{"v":["objsecret"]},"name":"Rex"}', 'application/json', '{"accessToken":"…","name":"Rex"}'],
    ['{"password":{"v":"cut o', 'application/json', '{"password":"…"'],
    ['{"pass\\u0077ord":"escname","name":"Rex"}', 'application/json', '{"pass\\u0077ord":"…","name":"Rex"}'],
    ['[{"token":},{"name":"Rex"}]', 'application/json', '[{"token":},{"name":"Rex"}]'],
    ['user%5Bpassword%5D=a&p%61ssword=b', 'application/x-www-form-urlencoded', 'user%5Bpassword%5D=…&p%61ssword=…'],
    ['{"password":"s3cret that is cut o', 'application/json', '{"password":"…"'],
  ])('%s of the type %s becomes %s', (body, contentType, shown) => expect(redactBody(body, contentType)).toBe(shown))
})

it('takes linear time for a body of quotes', () => {
  for (const part of ['"key":{', '[', ' ', 'x', '%61', '"', '\\"', '"key":', '" ', '"key"\\']) {
    const start = process.cpuUsage()
    redactBody(`{"key":"x",${part.repeat(50_000)}`, 'application/json')
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(1_000)
  }
})

describe('createRedactor', () => {
  const hide = createRedactor(['s3cret/key+1=', 's3cret/k', 'short', 'a-second-secret'])
  it.each([
    ['/v1/pets/s3cret/key+1=', '/v1/pets/…y+1='],
    ['?q=s3cret%2Fkey%2B1%3D&r=a-second-secret', '?q=…y+1=&r=…cret'],
    ['?q=a%252dsecond%252Dsecret&r=%25253f%2525', '?q=…cret&r=%25253f%2525'],
    ['{"text":"{\\"name\\":\\"\\\\u0061-second-secret\\"}"}', '{"text":"{\\"name\\":\\"…cret\\"}"}'],
    ['%zz%ff%c3%28 a%2dsecond-secret', '%zz%ff%c3%28 …cret'],
    ['/a%2dsecond%2Dsecret/x%20y', '/…cret/x%20y'],
    ['{"name":"s3cret\\/key+1=","a":"\\u0061-second-secret\\n"}', '{"name":"…y+1=","a":"…cret\\n"}'],
    ['s3cret\\/key\\u002b1\\u003D s3cret/k a-second-secret', '…y+1= …et/k …cret'],
    ['s3cret/k s3cret/key+1= s3cret/k', '…et/k …y+1= …et/k'],
    ['a body that is cut in a-second-sec…', 'a body that is cut in …'],
    ['expected a status, got "a-second…; and a-second-se…', 'expected a status, got "…; and …'],
    [
      'a-secon… is too short to be searched for, and … the-second-secre',
      'a-secon… is too short to be searched for, and … the-second-secre',
    ],
    ['…a-second-…', '……'],
    ['short', 'short'],
    ['', ''],
  ])('%j becomes %j', (text, shown) => expect(hide(text)).toBe(shown))
})

it('finds a secret with characters that mean something to a pattern, or are beyond ASCII', () => {
  const hide = createRedactor(['a.b*c(d)$^|\\', 'schlüssel', 'back\\slash'])
  expect(hide('a.b*c(d)$^|\\ axb*c(d)$^|\\ %61.b*c(d)$^|\\\\')).toBe('…$^|\\ axb*c(d)$^|\\ …$^|\\')
  expect(hide('schl\\u00fcssel schl\\u00FCsse%6c schl%25C3%25BCssel')).toBe('…ssel …ssel …ssel')
  expect(hide('schl%C3%BCssel schlüsse%6c back\\slash b%61ck\\slash')).toBe('…ssel …ssel …lash …lash')
})

describe('headers', () => {
  it.each<[fields: string[], headers: Record<string, string>]>([
    [['Accept', '*/*', 'X-Trace', 'a', 'x-trace', 'b'], { accept: '*/*', 'x-trace': 'a, b' }],
    [['Authorization', 'Bearer a-long-secret'], { authorization: 'Bearer …cret' }],
    [['authorization', 'a-long-secret'], { authorization: '…cret' }],
    [['authorization', 'no-scheme'], { authorization: '…' }],
    [['Authorization', 'Bearer one-key', 'Authorization', 'Basic dXNlcjpwYXNz'], { authorization: 'Bearer …, Basic …' }],
    [['Proxy-Authorization', 'Basic dXNlcjpwYXNz'], { 'proxy-authorization': 'Basic …' }],
    [['X-Api-Key', 'another-secret', 'x-auth-token', 'abc'], { 'x-api-key': '…', 'x-auth-token': '…' }],
    [['Cookie', 'session=1', 'Cookie2', 'x', 'Set-Cookie', 'y', 'Host', 'a.test'], { host: 'a.test' }],
    [['Referer', 'http://a.test/?token=abcdefgh'], { referer: 'http://a.test/?token=…' }],
    [['X-Debug', 'sent with a-long-secret!'], { 'x-debug': 'sent with …cret!' }],
    [['__proto__', 'x'], JSON.parse('{"__proto__":"x"}')],
    [['constructor', 'x'], { constructor: 'x' } as never],
    [['lonely'], {}],
  ])('%j', (fields, headers) => {
    expect(redactHeaders(fields, 'a-long-secret')).toEqual(headers)
  })

  it('are left alone where the key is a word that may stand there for another reason', () => {
    expect(redactHeaders(['Connection', 'close'], 'close')).toEqual({ connection: 'close' })
  })
})
