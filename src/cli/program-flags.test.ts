import { Command } from 'commander'
import { afterEach, describe, expect, it } from 'vitest'
import { UsageError } from '../contract/errors.ts'
import { type Flag, parseInteger } from '../settings/flag.ts'
import { findUnknownVariables, tidyVariables, toOption } from './program.ts'

const toFlag = (syntax: string, more: Partial<Flag> = {}) => toOption({ syntax, help: '', group: 'Server', ...more })
const options = [toFlag('--sandbox'), toFlag('--no-control'), toFlag('-p, --port <n>', { parse: parseInteger })]

function parse(args: readonly string[]): unknown {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => {} })
  for (const option of [...options, toFlag('--cors-origin <origin...>', { parse: (text) => `<${text}>` })]) command.addOption(option)
  return command.parse(args, { from: 'user' }).opts()
}

afterEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('ANIMAL_STORE_')) delete process.env[name]
})

describe('a flag', () => {
  it.each([
    [toFlag('--cors-origin <origin...>'), 'ANIMAL_STORE_CORS_ORIGIN'],
    [toFlag('-p, --port <n>'), 'ANIMAL_STORE_PORT'],
    [toFlag('--no-control'), 'ANIMAL_STORE_NO_CONTROL'],
    [toOption({ syntax: '--format <format>', help: '' }), undefined],
  ])('has a variable if it is in a group', (option, variable) => {
    expect(option.envVar).toBe(variable)
  })

  it('overrides its variable', () => {
    process.env.ANIMAL_STORE_PORT = '1'
    expect([parse([]), parse(['--port', '2'])]).toEqual([
      { port: 1, control: true },
      { port: 2, control: true },
    ])
  })

  it.each([
    [
      ['--cors-origin', 'a', 'b'],
      ['<a>', '<b>'],
    ],
    [
      ['--cors-origin', 'a', '--cors-origin', 'b'],
      ['<a>', '<b>'],
    ],
    [
      ['--cors-origin', 'a,b'],
      ['<a>', '<b>'],
    ],
  ])('takes several values as in %j', (args, corsOrigin) => {
    expect(parse(args)).toEqual({ corsOrigin, control: true })
  })

  it.each([
    ['--cors-origin', '--port', '1'],
    ['--port', '--sandbox'],
  ])('does not take another flag for its value: %s %s', (...args) => {
    expect(() => parse(args)).toThrow(UsageError)
  })

  it('takes no list without a value', () => {
    expect(() => parse(['--cors-origin', ' , '])).toThrow(UsageError)
  })

  it('takes several values from its variable', () => {
    process.env.ANIMAL_STORE_CORS_ORIGIN = 'a, b'
    expect(parse([])).toEqual({ corsOrigin: ['<a>', '<b>'], control: true })
  })

  it('has its default read as if it were typed, and shown as it is typed', () => {
    const option = toFlag('--port <n>', { parse: parseInteger, default: '7387' })
    expect([option.defaultValue, option.defaultValueDescription]).toEqual([7387, '7387'])
  })

  it('is in its group', () => {
    expect(toFlag('--port <n>').helpGroupHeading).toBe('Server:')
  })

  it('names itself, or its variable, when its value is wrong', () => {
    expect(() => parse(['--port', 'x'])).toThrow(/^--port x: /)
    process.env.ANIMAL_STORE_PORT = 'x'
    expect(() => parse([])).toThrow(/^ANIMAL_STORE_PORT=x: /)
  })
})

describe('tidyVariables', () => {
  it.each(['1', 'true', 'YES', 'on'])('lets a switch be on with %s', (value) => {
    const environment = { ANIMAL_STORE_SANDBOX: value, ANIMAL_STORE_NO_CONTROL: value }
    tidyVariables(options, environment)
    expect(environment).toEqual({ ANIMAL_STORE_SANDBOX: value, ANIMAL_STORE_NO_CONTROL: value })
  })

  it.each(['0', 'false', 'No', 'off', ''])('lets a switch be off with "%s"', (value) => {
    const environment = { ANIMAL_STORE_SANDBOX: value, ANIMAL_STORE_PORT: '0', OTHER: '' }
    tidyVariables(options, environment)
    expect(environment).toEqual({ ANIMAL_STORE_PORT: '0', OTHER: '' })
  })

  it('takes an empty variable for none', () => {
    const environment = { ANIMAL_STORE_PORT: '' }
    tidyVariables(options, environment)
    expect(environment).toEqual({})
  })

  it('refuses what is neither on nor off', () => {
    expect(() => tidyVariables(options, { ANIMAL_STORE_SANDBOX: 'maybe' })).toThrow(
      new UsageError('ANIMAL_STORE_SANDBOX: expected 1 or 0, got "maybe"'),
    )
  })
})

describe('findUnknownVariables', () => {
  const table = { latency: { syntax: '--latency <ms>', help: '', group: 'Behaviour' }, json: { syntax: '--json', help: '' } }

  it('names variables that set nothing', () => {
    expect(findUnknownVariables([table], { ANIMAL_STORE_LATENCE: '5', ANIMAL_STORE_JSON: '1' })).toEqual([
      'Ignored unknown variable ANIMAL_STORE_LATENCE',
      'Ignored unknown variable ANIMAL_STORE_JSON',
    ])
  })

  it('knows those of flags, and others have other names', () => {
    const environment = { ANIMAL_STORE_LATENCY: '5', ANIMAL_STORE_REAL_KEY: 'x', OTHER: 'x' }
    expect(findUnknownVariables([table], environment)).toEqual([])
  })
})
