// The command line: finds the command that was typed, loads it, and lets commander read the rest. Importing this starts nothing.
import { CommanderError } from 'commander'
import { UsageError } from '../contract/errors.ts'
import { say } from '../contract/problem.ts'
import { type CommandName, commands, DEFAULT_COMMAND } from './commands/index.ts'
import { notify, print } from './output.ts'
import { createProgram, findUnknownVariables, unknown } from './program.ts'

const USAGE_EXIT_CODE = 2

/** Runs the command line; a mistake in it is one clear line and exit code 2. */
export async function run(argv: readonly string[]): Promise<void> {
  const words = argv.slice(2)
  try {
    // `help clock` is `clock --help`.
    await runCommand(words[0] === 'help' ? [...words.slice(1), '--help'] : words)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    for (const problem of error.problems) notify(say(problem))
    process.exitCode = USAGE_EXIT_CODE
  }
}

async function runCommand(args: readonly string[]): Promise<void> {
  const names = findNeeded(args[0])
  for (const variable of findUnknownVariables()) notify(`Ignored unknown variable ${variable}`)
  const loaded = await Promise.all(names.map(async (name) => [name, await commands[name]()] as const))
  const { program, written } = createProgram(Object.fromEntries(loaded))
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error
    // Help or the version: commander's mistakes are UsageErrors here.
    await print(written.join(''))
  }
}

/** The commands that are needed to read what was typed: one of them if possible, since each takes time to load. */
function findNeeded(first = '--'): CommandName[] {
  const names = Object.keys(commands) as CommandName[]
  if (!first.startsWith('-')) {
    if (!Object.hasOwn(commands, first)) throw unknown('command', first, names)
    return [first as CommandName]
  }
  if (first === '-V' || first === '--version') return []
  return first === '-h' || first === '--help' ? names : [DEFAULT_COMMAND]
}
