import { describe, expect, it } from 'vitest'
import { UsageError } from '../../contract/errors.ts'
import { createMock, type MockOptions } from '../../mock/mock.ts'
import { parseNumberBy, parseSwitch, splitList } from './flag.ts'
import { parseAssume } from './parse-choices.ts'
import { settingTexts } from './texts.ts'

const parseInteger = parseNumberBy({ type: 'integer', maximum: Number.MAX_SAFE_INTEGER })

describe('a valid text', () => {
  for (const [parse, text, value] of [
    [parseInteger, '-7', -7],
    [parseInteger, '9007199254740991', 9_007_199_254_740_991],
    [parseSwitch, '1', true],
    [parseSwitch, 'TRUE', true],
    [parseSwitch, 'yes', true],
    [parseSwitch, 'on', true],
    [parseSwitch, '0', false],
    [parseSwitch, 'false', false],
    [parseSwitch, 'No', false],
    [parseSwitch, 'off', false],
    [parseAssume, 'invalid-query=clamp', { 'invalid-query': 'clamp' }],
    [splitList, 'a,b  c, d,', ['a', 'b', 'c', 'd']],
  ] satisfies [(text: string) => unknown, string, unknown][]) {
    it(`"${text}" is accepted by ${parse.name}`, () => {
      expect(parse(text)).toEqual(value)
    })
  }
})

describe('an invalid text', () => {
  for (const [parse, texts] of [
    [parseInteger, ['1.5', '9007199254740992', 'seven', '', ' 7', '7 ']],
    [parseSwitch, ['maybe', ' on']],
    [
      parseAssume,
      [
        'invalid-query=',
        'invalid-query',
        'invalid-query=clamp=x',
        '=clamp',
        '',
        'invalid-query=shrug',
        'pagination=none',
      ],
    ],
  ] satisfies [(text: string) => unknown, string[]][]) {
    it.each(texts)(`%j is refused by ${parse.name}`, (text) => {
      expect(() => parse(text)).toThrow(UsageError)
    })
  }

  it.each([
    ['invalid-qurey=clamp', 'invalid-query'],
    ['invalid-query=clmap', 'clamp'],
  ])('%s is refused with the suggestion %s', (text, near) =>
    expect(() => parseAssume(text)).toThrow(`did you mean ${near}?`),
  )
})

describe('the state of a mock', () => {
  it('shows no setting that has its default', () => {
    for (const { show } of Object.values(settingTexts)) expect(show({})).toEqual([])
  })

  it('counts the listed keys without showing them', () => {
    expect(settingTexts.apiKeys.show({ apiKeys: ['secret-key', 'b'] }).join()).not.toContain(
      'secret',
    )
  })

  it.each<MockOptions>([
    {},
    {
      pets: [],
      apiKeys: ['a'],
      assume: { 'list-order': 'newest-first' },
      now: '2030-12-06',
      frozen: true,
      latency: '1-2s',
    },
    {
      apiKeys: ['a'],
      assume: { 'valid-keys': 'any' },
      faults: [{ operation: '*', status: 503, rate: 0.5 }],
    },
    {
      scenario: {
        pets: [{ id: 7, name: 'Rex', categoryId: 1 }],
        nextId: 100,
        faults: [{ operation: '*', status: 503, seen: 2, applied: 1 }],
      },
    },
  ])('has no defaults, and is the same after it is loaded again: %j', (options) => {
    const { control } = createMock({ frozen: true, ...options })
    const [state, assumptions] = [control.state(), control.assumptions()]
    expect(state).not.toHaveProperty('random')
    expect(Object.entries(state.assume ?? {})).toEqual(Object.entries(options.assume ?? {}))
    control.load(state)
    expect([control.state(), control.assumptions()]).toEqual([state, assumptions])
  })
})
