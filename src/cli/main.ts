// The command line: finds the command that was typed, loads it, and lets commander read the rest. Importing this starts nothing.
import { CommanderError } from 'commander'
import { UsageError } from '../contract/errors.ts'
import { say } from '../contract/problem.ts'
import { type CommandName, commands, DEFAULT_COMMAND } from './commands/index.ts'
import { flagTables } from './flags.ts'
import { notify, print } from './output.ts'
import { allCommands, createProgram, findUnknownVariables, tidyVariables, unknownCommand } from './program.ts'

const USAGE_EXIT_CODE = 2

/** Runs the command line; a mistake in it is one clear line and exit code 2. */
export async function run(argv: readonly string[]): Promise<void> {
  try {
    await runCommand(readWords(argv.slice(2)))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    for (const problem of error.problems) notify(say(problem))
    process.exitCode = USAGE_EXIT_CODE
  }
}

/** `help clock` is `clock --help`. */
function readWords(words: readonly string[]): readonly string[] {
  const args = words[0] === 'help' ? [...words.slice(1), '--help'] : words
  const [first = '-'] = args
  if (!first.startsWith('-') && !Object.hasOwn(commands, first)) throw unknownCommand(first, Object.keys(commands))
  return args
}

async function runCommand(args: readonly string[]): Promise<void> {
  for (const problem of findUnknownVariables(Object.values(flagTables), process.env)) notify(problem)
  const { program, written } = createProgram(await loadFor(args[0]), args)
  tidyVariables(
    allCommands(program).flatMap(({ options }) => options),
    process.env,
  )
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error
    // Help or the version: commander's mistakes are UsageErrors here.
    await print(written.join(''))
  }
}

/** The commands that are needed to read what was typed: one of them if possible, since each takes time to load. */
async function loadFor(first = '--'): Promise<Awaited<ReturnType<typeof load>>> {
  if (Object.hasOwn(commands, first)) return load([first as CommandName])
  if (first === '-V' || first === '--version') return load([])
  const isFlag = first.startsWith('-') && first !== '-h' && first !== '--help'
  return load(isFlag ? [DEFAULT_COMMAND] : (Object.keys(commands) as CommandName[]))
}

async function load(names: readonly CommandName[]) {
  return Promise.all(names.map(async (name) => ({ name, command: await commands[name]() })))
}
