import { describe, expect, it } from 'vitest'
import type { CliCommand } from './command.ts'
import { type CommandName, commands } from './commands/index.ts'
import { allCommands, createProgram } from './program.ts'

const names = Object.keys(commands) as CommandName[]
const loaded = await Promise.all(names.map(async (name) => ({ name, command: (await commands[name]()) as CliCommand })))
const paths = loaded.flatMap(({ name, command }) => [name, ...Object.keys(command.commands ?? {}).map((below) => `${name} ${below}`)])

async function readHelp(words: readonly string[]): Promise<string> {
  const { program } = createProgram(loaded, words)
  let text = ''
  for (const command of allCommands(program)) {
    command.configureOutput({
      writeOut: (part) => {
        text += part
      },
      getOutHelpWidth: () => 100,
      getOutHasColors: () => false,
    })
  }
  await program.parseAsync([...words, '--help'], { from: 'user' }).catch(() => {})
  return text
}

describe('the help', () => {
  it.each(['', ...paths])('of "%s" is what it was', async (path) => {
    const help = await readHelp(path.split(' ').filter((word) => word !== ''))
    expect(help).toContain('Examples:')
    expect(help).toMatchSnapshot()
  })
})

describe('every flag', () => {
  const rows = loaded.flatMap(({ name, command }) =>
    [command, ...Object.values(command.commands ?? {})].flatMap(({ flags }) =>
      Object.entries(flags).map(([key, flag]) => ({ name, key, flag })),
    ),
  )
  const { program } = createProgram(loaded, [])
  const options = allCommands(program).flatMap((command) => command.options)

  it.each(rows.filter(({ flag }) => flag.sets === undefined))('of $name goes by the name of its value: $key', ({ key, flag }) => {
    const option = options.find(({ flags }) => flags === flag.syntax)
    expect(option?.attributeName()).toBe(key)
  })

  it.each(options.filter(({ long }) => long !== '--version'))(
    'has a line of help, and a variable or another flag to set: $flags',
    (option) => {
      const { envVar, description } = option
      if (option.attributeName() !== 'url') expect(envVar).toMatch(/^ANIMAL_STORE_[A-Z_]+$/)
      expect(description).not.toBe('')
    },
  )
})
