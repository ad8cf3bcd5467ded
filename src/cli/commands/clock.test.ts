import { describe, expect, it } from 'vitest'
import { UsageError } from '../../contract/errors.ts'
import { putDurationsLast, toClockChange } from './clock.ts'

describe('the words after clock', () => {
  it.each([
    ['set', '2030-12-06', ['set', '2030-12-06']],
    ['advance', 'P1D', ['advance', 'P1D']],
    ['freeze', undefined, ['freeze', true]],
    ['unfreeze', undefined, ['freeze', false]],
  ])('%s %s', (action, value, call) => {
    const clock = new Proxy({}, { get: (_, name) => (argument: unknown) => [name, argument] })
    expect(toClockChange(action, value)?.(clock as never)).toEqual(call)
    expect(toClockChange(undefined, undefined)).toBeUndefined()
  })

  it.each([
    ['set', undefined, 'clock set: a date is required, e.g. 2030-12-06'],
    ['advance', undefined, 'clock advance: an ISO 8601 duration is required, e.g. P1D'],
    ['freeze', 'now', 'clock freeze: unexpected "now"'],
    ['real', 'now', 'clock real: unexpected "now"'],
    ['stop', undefined, 'clock: expected set, advance, freeze, unfreeze or real, got "stop"'],
  ])('%s %s are refused', (action, value, message) => {
    expect(() => toClockChange(action, value)).toThrow(new UsageError(message))
  })
})

describe('a negative duration', () => {
  it.each([
    [
      ['advance', '-P1D', '--url', 'x'],
      ['advance', '--url', 'x', '--', '-P1D'],
    ],
    [
      ['advance', '--', '-P1D'],
      ['advance', '--', '-P1D'],
    ],
    [
      ['advance', 'P1D', '-h'],
      ['advance', 'P1D', '-h'],
    ],
    [[], []],
  ])('is no flag in %j', (args, arranged) => {
    expect(putDurationsLast(args)).toEqual(arranged)
  })
})
