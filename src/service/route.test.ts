import { expect, it } from 'vitest'
import { allowAnywhere, decode, parseTarget } from './route.ts'

it('allows on the server as a whole what some path allows', () => {
  expect(allowAnywhere).toBe('GET, HEAD, POST, OPTIONS')
})

it.each([
  ['a', 'a'],
  ['%41%20', 'A '],
  ['%C3%A4', 'ä'],
])('decodes %s', (text, decoded) => {
  expect(decode(text)).toBe(decoded)
})

it.each([['%'], ['%zz'], ['%C3']])('refuses %s', (text) => {
  expect(() => decode(text)).toThrow('The request target contains invalid percent-encoding')
})

it.each([
  ['/v1/pets?limit=1', '/v1/pets', 'limit=1'],
  ['/', '/', ''],
  ['/a?b?c', '/a', 'b?c'],
  ['http://mock', '/', ''],
  ['http://mock?a', '/', 'a'],
  ['HTTPS://user@mock:1/a/?b', '/a/', 'b'],
  ['//v1', '//v1', ''],
])('splits the target %s', (target, path, query) => {
  expect(parseTarget(target)).toEqual({ path, query })
})
