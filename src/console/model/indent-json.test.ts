import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indentJson } from './indent-json.ts'

describe('indentJson', () => {
  it.each([
    ['{}', '{}'],
    ['[ ]', '[]'],
    [
      '{"a":[1,{"b":null}],"c":{}}',
      '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "c": {}\n}',
    ],
    ['{"a":1.0,"a":9223372036854775807}', '{\n  "a": 1.0,\n  "a": 9223372036854775807\n}'],
    ['{"quo\\"te{[,:":"}]"}', '{\n  "quo\\"te{[,:": "}]"\n}'],
    ['{"cut":"in the mid…', '{\n  "cut": "in the mid…'],
    ['not JSON, but {"has":"some"}', 'not JSON, but {"has":"some"}'],
    ['', ''],
  ])('turns %j into %j', (text, indented) => {
    expect(indentJson(text)).toBe(indented)
  })

  it('indents every JSON value as JSON.stringify does', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())),
        (value) => {
          expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
        },
      ),
    )
  })
})

it.each([
  ['quotes', '"'],
  ['backslashes', '\\'],
  ['brackets', '['],
  ['spaces', ' '],
  ['escaped quotes', '\\"'],
])('indentJson takes less than two seconds for 100,000 %s', (_, mark) => {
  // Processor time, which other processes do not add to.
  const start = process.cpuUsage()
  expect(indentJson(`[${mark.repeat(100_000)}`).length).toBeLessThan(10_000_000)
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(2_000)
})
