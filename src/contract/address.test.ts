import { expect, it } from 'vitest'
import { isLoopback, splitQuery, splitTarget, staysHere } from './address.ts'

it.each([
  ['localhost', true],
  ['mock.localhost', true],
  ['my_app.a.localhost', true],
  ['::1', true],
  ['[::1]', true],
  ['::ffff:127.0.0.1', true],
  ['127.0.0.1', true],
  ['127.255.0.99', true],
  ['127.0.0', false],
  ['127.0.0.1.2', false],
  ['1127.0.0.1', false],
  ['0.0.0.0', false],
  ['::', false],
  ['::11', false],
  ['localhost.example.com', false],
  ['notlocalhost', false],
  ['example.com/a.localhost', false],
  ['example.com\n.localhost', false],
  ['', false],
])('%s is loopback: %j', (host, expected) => expect(isLoopback(host)).toBe(expected))

it.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['mock.localhost', false],
  ['example.com', false],
])('a connection to %s stays here: %j', (host, expected) => expect(staysHere(host)).toBe(expected))

it.each([
  ['/v1/pets?a', undefined, '/v1/pets?a'],
  ['/http://a/b', undefined, '/http://a/b'],
  ['http://a:80/v1', 'a:80', '/v1'],
  ['HTTPS://user@a?b', 'a', '?b'],
  ['http://a/@b', 'a', '/@b'],
  ['http://a#@b/c', 'a', '#@b/c'],
  ['http://', '', ''],
  ['http://me@:80/', ':80', '/'],
  ['*', undefined, '*'],
  ['', undefined, ''],
])('%j names the host %j, and then %j', (target, host, rest) =>
  expect(splitTarget(target)).toEqual({ host, rest }),
)

it.each([
  ['/v1/pets', '/v1/pets', ''],
  ['/v1/pets?', '/v1/pets', ''],
  ['/v1/pets?a?b', '/v1/pets', 'a?b'],
  ['?b', '', 'b'],
  ['', '', ''],
])('%j is the path %j and the query %j', (target, path, query) =>
  expect(splitQuery(target)).toEqual({ path, query }),
)
