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

it('the help of the program is what it was', async () => {
  await expect(await readHelp([])).toMatchFileSnapshot('help.golden.txt')
})

it.each(paths)('the help of %s has examples', async (path) => {
  expect(await readHelp(path.split(' '))).toContain('Examples:')
})

describe('every flag', () => {
  const { program } = createProgram(loaded, [])
  const options = allCommands(program).flatMap((command) => command.options)

  it('has a line of help', () => {
    expect(options.filter(({ description }) => description === '').map(({ flags }) => flags)).toEqual([])
  })
})
