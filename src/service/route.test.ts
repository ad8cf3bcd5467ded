import { expect, it } from 'vitest'
import { allowAnywhere, decode } from './route.ts'

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
