import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { commands } from './commands.ts'
import { createProgram } from './lib/program.ts'

const paths = Object.entries(commands).flatMap(([name, command]) => [
  name,
  ...Object.keys(command.commands ?? {}).map((below) => `${name} ${below}`),
])

/** The command and all below it. */
const allCommands = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap(allCommands),
]

async function readHelp(words: readonly string[]): Promise<string> {
  const { program, written } = createProgram(commands)
  for (const command of allCommands(program))
    command.configureOutput({ getOutHelpWidth: () => 100, getOutHasColors: () => false })
  await program.parseAsync([...words, '--help'], { from: 'user' }).catch(() => {})
  return written.join('')
}

it('the help of the program equals help.golden.txt', async () => {
  await expect(await readHelp([])).toMatchFileSnapshot('help.golden.txt')
})

it.each(paths)('the help of %s has examples', async (path) => {
  expect(await readHelp(path.split(' '))).toContain('Examples:')
})

it('every flag has a line of help', () => {
  const options = allCommands(createProgram(commands).program).flatMap((command) => command.options)
  expect(options.filter(({ description }) => description === '').map(({ flags }) => flags)).toEqual(
    [],
  )
})

it('every command that prints a result can print it as JSON', () => {
  const withoutJson = allCommands(createProgram(commands).program).filter((command) => {
    const options = [...command.options, ...(command.parent?.options ?? [])]
    return !options.some(({ long }) => long === '--json')
  })
  // They serve, or print a text for a file; a recording is lines of JSON.
  expect(withoutJson.map((command) => command.name()).sort()).toEqual([
    'agents',
    'animal-store-mock',
    'completion',
    'mcp',
    'open',
    'record',
    'serve',
  ])
})
