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

/** The help of every command; a part that an earlier one has, too, is only named. */
async function readAllHelp(): Promise<string> {
  const seen = new Map<string, string>()
  const texts: string[] = []
  for (const path of ['', ...paths]) {
    const help = await readHelp(path.split(' ').filter((word) => word !== ''))
    const parts = help.trimEnd().split('\n\n')
    texts.push(
      parts.map((part) => (seen.has(part) ? `${part.split('\n')[0]} (as in ${seen.get(part) || 'the first'})` : part)).join('\n\n'),
    )
    for (const part of parts) if (!seen.has(part)) seen.set(part, path)
  }
  return `${texts.join(`\n${'-'.repeat(100)}\n`)}\n`
}

it('the help of every command is what it was, and has examples', async () => {
  await expect(await readAllHelp()).toMatchFileSnapshot('help.golden.txt')
  for (const path of ['', ...paths]) expect(await readHelp(path.split(' ').filter(Boolean))).toContain('Examples:')
})

describe('every flag', () => {
  const { program } = createProgram(loaded, [])
  const options = allCommands(program).flatMap((command) => command.options)

  it.each(options)('has a line of help: $flags', ({ description }) => {
    expect(description).not.toBe('')
  })
})
