import { expect, it } from 'vitest'
import { UsageError } from '../contract/errors.ts'
import { say } from '../contract/problem.ts'
import { BOOLEAN, integerBetween, matching, type OptionRules, objectLike, readOptions, stringLike } from './options.ts'

interface Options {
  isOn?: boolean
  size?: number
  name?: string
  keys?: string[]
  base?: object
}
const rules: OptionRules<Options> = {
  isOn: BOOLEAN,
  size: integerBetween(1, 9),
  name: stringLike('a'),
  keys: matching('keys', { type: 'array', items: { type: 'string' } }),
  base: objectLike('{}'),
}
const read = (given: unknown) => readOptions('open()', rules, given)
const problemsOf = (given: unknown): readonly string[] => {
  try {
    read(given)
  } catch (error) {
    if (error instanceof UsageError) return error.problems.map(say)
  }
  throw new Error('it was accepted')
}

it('gives a copy of what is right, without what is undefined', () => {
  const given = { isOn: false, size: 9, name: '', keys: [], base: {} }
  expect(read({ ...given, size: undefined })).toEqual({ isOn: false, name: '', keys: [], base: {} })
  expect(read(given)).toEqual(given)
  expect(read({ size: 1 })).toEqual({ size: 1 })
  expect(read(given)).not.toBe(given)
  expect(read(undefined)).toEqual({})
})

it('names every option that is wrong or unknown, in one error', () => {
  expect(problemsOf({ isOn: 'yes', size: 10, keys: ['a', 1], sise: 1 })).toEqual([
    'open(): isOn must be true or false, got "yes"',
    'open(): size must be an integer from 1 to 9, got 10',
    'open(): keys[1]: expected a string, got 1',
    expect.stringMatching(/^open\(\): unknown option "?sise"?; .*size/),
  ])
})

it.each([
  ['Sizes', 'did you mean size?'],
  ['is_on', 'did you mean isOn?'],
  ['key', 'did you mean keys?'],
  ['siez', 'did you mean size?'],
  ['colour', 'the options are isOn, size, name, keys and base'],
  ['toString', 'the options are isOn, size, name, keys and base'],
])('names the known options for the unknown %s', (name, told) => {
  expect(problemsOf({ [name]: 1 })).toEqual([`open(): unknown option "${name}"; ${told}`])
})

it('takes the line of a rule or a door for what it explains better', () => {
  const explained = { ...rules, isOn: { ...BOOLEAN, explain: (value: unknown) => (value === 'on' ? 'isOn is no text' : undefined) } }
  const line = (given: object) => () =>
    readOptions('open()', explained, given, (name) => (name === 'port' ? 'port belongs to listen()' : undefined))
  expect(line({ isOn: 'on' })).toThrow('open(): isOn is no text')
  expect(line({ isOn: 'off' })).toThrow('open(): isOn must be true or false, got "off"')
  expect(line({ port: 1 })).toThrow('open(): unknown option "port"; port belongs to listen()')
})

it('reads own fields alone', () => {
  expect(read(Object.create({ size: 3 }, {}))).toEqual({})
})
