import { describe, expect, it } from 'vitest'
import { UsageError } from '../contract/errors.ts'
import { parseAssume, parseFail, parseInteger, parseLatency, parseSwitch, splitList } from './parse-settings.ts'

describe('a valid text', () => {
  for (const [parse, text, value] of [
    [parseInteger, '-7', -7],
    [parseInteger, '9007199254740991', 9_007_199_254_740_991],
    [parseLatency, '200', 200],
    [parseLatency, '200-800', [200, 800]],
    [parseLatency, '0', 0],
    [parseSwitch, '1', true],
    [parseSwitch, 'TRUE', true],
    [parseSwitch, 'yes', true],
    [parseSwitch, 'on', true],
    [parseSwitch, '0', false],
    [parseSwitch, 'false', false],
    [parseSwitch, 'No', false],
    [parseSwitch, 'off', false],
    [parseFail, 'createPet=503', { operation: 'createPet', status: 503 }],
    [parseFail, 'createPet=503:2', { operation: 'createPet', status: 503, times: 2 }],
    [parseFail, 'createPet=503:123456789', { operation: 'createPet', status: 503, times: 123_456_789 }],
    [parseFail, '*=500', { operation: '*', status: 500 }],
    [parseFail, '*=500@0.3', { operation: '*', status: 500, rate: 0.3 }],
    [parseFail, 'listPets=drop', { operation: 'listPets', drop: true }],
    [parseFail, 'listPets=drop:1@.5', { operation: 'listPets', drop: true, times: 1, rate: 0.5 }],
    [parseFail, 'listPets=200:truncated', { operation: 'listPets', status: 200, body: 'truncated' }],
    [parseFail, 'listPets=empty', { operation: 'listPets', body: 'empty' }],
    [
      parseFail,
      'getPet/9007199254740993=502:html:2',
      { operation: 'getPet', petId: 9007199254740993n, status: 502, body: 'html', times: 2 },
    ],
    [parseFail, 'listPets=503:200-800ms', { operation: 'listPets', status: 503, delay: [200, 800] }],
    [parseAssume, 'invalid-query=clamp', { 'invalid-query': 'clamp' }],
    [splitList, 'a,b  c, d,', ['a', 'b', 'c', 'd']],
  ] satisfies [(text: string) => unknown, string, unknown][]) {
    it(`${parse.name} takes "${text}"`, () => {
      expect(parse(text)).toEqual(value)
    })
  }
})

describe('an invalid text', () => {
  for (const [parse, texts] of [
    [parseInteger, ['1.5', '9007199254740992', 'seven', '', ' 7', '7 ']],
    [parseLatency, ['soon', '-5', '5-', ' 5', '5 ', '']],
    [parseSwitch, ['maybe', ' on']],
    [parseFail, ['=503', 'createPet', 'createPet=', 'createPet=503:0', 'createPet=503 ', 'createPet=503:', '']],
    [parseFail, ['pets=503', 'createPet=200', 'createPet=503:2:3', 'createPet=html:503:drop', 'createPet=500@2', 'createPet=500@x']],
    [parseFail, ['createPet/7=500', 'getPet/99999999999999999999=500', 'listPets=204:html', 'listPets=soon', 'listPets=drop@']],
    [parseAssume, ['invalid-query=', 'invalid-query', 'invalid-query=clamp=x', '=clamp', '']],
  ] satisfies [(text: string) => unknown, string[]][]) {
    it.each(texts)(`${parse.name} refuses %j`, (text) => {
      expect(() => parse(text)).toThrow(UsageError)
    })
  }
})
