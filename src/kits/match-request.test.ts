import { expect, it } from 'vitest'
import { showValue } from './match-request.ts'

it.each([
  [5n, '5'],
  ['5n', '"5n"'],
  [{ id: 9007199254740993n, name: '7n' }, '{"id":9007199254740993,"name":"7n"}'],
])('shows %o as %s: an exact id is a number, a text stays one', (value, text) => {
  expect(showValue(value)).toBe(text)
})
