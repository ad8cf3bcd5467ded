import { expect, it } from 'vitest'
import { UsageError } from './errors.ts'
import { BOOLEAN, integerBetween, listOf, type OptionRules, objectLike, readOptions, stringLike } from './options.ts'

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
  name: stringLike('"a"'),
  keys: listOf('names'),
  base: objectLike('{}'),
}
const read = (given: unknown) => readOptions('open()', rules, given)
const problemsOf = (given: unknown): readonly string[] => {
  try {
    read(given)
  } catch (error) {
    if (error instanceof UsageError) return error.problems
  }
  throw new Error('it was accepted')
}

it('gives a copy of what is right, without what is undefined', () => {
  const given = { isOn: false, size: 9, name: '', keys: [], base: {} }
  expect(read({ ...given, size: undefined })).toEqual({ isOn: false, name: '', keys: [], base: {} })
  expect(read(given)).toEqual(given)
  expect(read(given)).not.toBe(given)
  expect(read(undefined)).toEqual({})
})

it('names every option that is wrong or unknown, in one error', () => {
  expect(problemsOf({ isOn: 'yes', size: 10, sise: 1 })).toEqual([
    'open(): isOn must be true or false, got "yes"',
    'open(): size must be an integer from 1 to 9, got 10',
    expect.stringMatching(/^open\(\): unknown option "?sise"?; .*size/),
  ])
})

it.each([
  ['size', 0],
  ['size', 1.5],
  ['name', 1],
  ['keys', 'a'],
  ['base', 'a'],
])('refuses %s: %j', (name, value) => {
  expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(new RegExp(`^open\\(\\): ${name} must be `))])
})

it.each([[null], [[]], ['text'], [new Date(0)]])('refuses options that are no plain object: %j', (given) => {
  expect(problemsOf(given)).toEqual([expect.stringMatching(/^open\(\): options must be an? (?:plain )?object, got /)])
})
