import { expect, it } from 'vitest'
import { toShort } from './to-short.ts'

it.each([
  ['any-key', 7, 'any-key'],
  ['a-longer-key', 7, 'a-l…key'],
  ['a-longer-key', 8, 'a-lo…key'],
  ['🐶🐱🐭🐹🐰', 3, '🐶…🐰'],
])('%s in %i characters is %s', (text, maxCharacters, short) => {
  expect(toShort(text, maxCharacters)).toBe(short)
})
