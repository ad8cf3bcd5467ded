import { expect, it } from 'vitest'
import { escapeInJson } from './escape.ts'

it('a document keeps its line feeds, and escapes other control characters', () => {
  expect(escapeInJson('{\n"a":"\u202e\r"}')).toBe('{\n"a":"\\u202e\\u000d"}')
})
