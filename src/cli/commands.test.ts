import { describe, expect, it } from 'vitest'
import { UsageError } from '../contract/errors.ts'
import { allCommands, createProgram } from './commands.ts'
import { toClockChange } from './define-remote-commands.ts'

const names = allCommands(createProgram()).map((command) => [...parentsOf(command), command.name()].slice(1).join(' '))

function parentsOf({ parent }: { parent: ReturnType<typeof createProgram> | null }): string[] {
  return parent ? [...parentsOf(parent), parent.name()] : []
}

async function readHelp(words: readonly string[]): Promise<string> {
  const program = createProgram()
  let text = ''
  const add = (part: string) => {
    text += part
  }
  for (const command of allCommands(program)) {
    command.configureOutput({ writeOut: add, getOutHelpWidth: () => 100, getOutHasColors: () => false })
  }
  await program.parseAsync([...words, '--help'], { from: 'user' }).catch(() => {})
  return text
}

describe('the help', () => {
  it.each(names)('of "%s" is what it was', async (name) => {
    const help = await readHelp(name.split(' ').filter((word) => word !== ''))
    expect(help).toContain('Examples:')
    expect(help).toMatchSnapshot()
  })
})

describe('every flag', () => {
  const options = allCommands(createProgram()).flatMap((command) =>
    command.options.map((option) => [command.name(), option.long, option] as const),
  )

  it.each(options.filter(([, long]) => long !== '--version'))('of %s has a variable: %s', (_name, _long, { envVar, description }) => {
    expect(envVar).toMatch(/^ANIMAL_STORE_[A-Z_]+$/)
    expect(description).not.toBe('')
  })
})

describe('the words after clock', () => {
  it.each([
    [undefined, undefined, undefined],
    ['set', '2030-12-06', { now: '2030-12-06' }],
    ['advance', 'P1D', { advance: 'P1D' }],
    ['freeze', undefined, { frozen: true }],
    ['unfreeze', undefined, { frozen: false }],
  ])('%s %s', (action, value, change) => {
    expect(toClockChange(action, value)).toEqual(change)
  })

  it.each([
    ['set', undefined, 'clock set: expected a date like 2030-12-06 after it'],
    ['advance', undefined, 'clock advance: expected an ISO 8601 duration like P1D after it'],
    ['freeze', 'now', 'clock freeze: expected nothing after it, got "now"'],
    ['stop', undefined, 'clock: expected set, advance, freeze or unfreeze, got "stop"'],
  ])('%s %s are refused', (action, value, message) => {
    expect(() => toClockChange(action, value)).toThrow(new UsageError(message))
  })
})
