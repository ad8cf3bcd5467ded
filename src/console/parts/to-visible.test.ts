import { expect, it } from 'vitest'
import { toVisible } from './to-visible.ts'

it.each([
  ['{"name":"\u202egnp.exe\u202c"}', '{"name":"\\u202egnp.exe\\u202c"}'],
  ['\u2066isolated\u2069 \u200e\u200f\u061c', '\\u2066isolated\\u2069 \\u200e\\u200f\\u061c'],
  ['nul\0 escape\u001b[31m C1\u009b delete\u007f', 'nul\\u0000 escape\\u001b[31m C1\\u009b delete\\u007f'],
  ['zero\u200bwidth \ufeffmark soft\u00adhyphen', 'zero\\u200bwidth \\ufeffmark soft\\u00adhyphen'],
  ['line\u2028separator\u2029', 'line\\u2028separator\\u2029'],
  ['a carriage\rreturn', 'a carriage\\u000dreturn'],
  ['hidden tag \u{e0041}', 'hidden tag \\udb40\\udc41'],
  ['half \ud83d', 'half \\ud83d'],
  ['line\nfeed\ttab', 'line\nfeed\ttab'],
  ['👩‍👩‍👧‍👦 שלום ünï', '👩‍👩‍👧‍👦 שלום ünï'],
])('%j is shown as %j', (text, shown) => {
  expect(toVisible(text)).toBe(shown)
})
