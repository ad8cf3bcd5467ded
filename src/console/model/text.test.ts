import { describe, expect, it } from 'vitest'
import { isMoved } from '../../control/text/copy-logged.ts'
import { shorten, showHidden } from './text.ts'

describe('showHidden', () => {
  it.each([
    ['Rex', 'Rex'],
    ['Rex \u202egnp.exe\u202c', 'Rex \\u202egnp.exe\\u202c'],
    ['a\u0000b\u001b[31m', 'a\\u0000b\\u001b[31m'],
    ['line\u2028separator', 'line\\u2028separator'],
    ['\ud83d', '\\ud83d'],
    ['👩‍👩‍👧 two\nlines\tand a tab', '👩‍👩‍👧 two\nlines\tand a tab'],
  ])('%j becomes %j', (text, shown) => {
    expect(showHidden(text)).toBe(shown)
  })
})

it('shorten cuts a long text in the middle', () => {
  expect(shorten('short')).toBe('short')
  expect(shorten('a-very-long-key-of-somebody-else', 11)).toBe('a-ver…-else')
})

it('isMoved finds a clock that is off by more than a minute', () => {
  const isOff = (realAt: string) => isMoved({ at: '2026-03-01T10:00:00Z', realAt })
  expect(
    ['2026-03-01T10:00:59Z', '2026-03-01T10:01:01Z', '2026-03-01T09:59:21Z'].map(isOff),
  ).toEqual([false, true, false])
})
