import { describe, expect, it } from 'vitest'
import { redact, redactBody, redactTarget } from './redact.ts'

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
  ])('%s of the type %s becomes %s', (body, contentType, shown) => expect(redactBody(body, contentType)).toBe(shown))
})
