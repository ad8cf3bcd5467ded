// The command line: finds the command that was typed; commander reads the rest.
import { CommanderError } from 'commander'
import { UsageError } from '../contract/errors.ts'
import { say } from '../contract/problem.ts'
import { findNear } from '../contract/suggest.ts'
import { serveCommand } from './commands/serve.ts'
import type { CliCommand } from './lib/command.ts'
import { failUnknown } from './lib/mistakes.ts'
import { complain, print, setQuiet } from './lib/output.ts'
import { createProgram, DEFAULT_COMMAND } from './lib/program.ts'
import { checkVariables } from './lib/variables.ts'

const BACK = 'seed <file>, undo or rewind <id>'
/** Other tools' names for our commands, and what people type. */
const OTHER_COMMANDS: Readonly<Record<string, string>> = {
  load: 'seed',
  logs: 'requests',
  start: 'serve',
  restore: BACK,
  replay: BACK,
}

type Commands = Readonly<Record<string, CliCommand>>

export async function run(argv: readonly string[]): Promise<void> {
  // `help clock` is `clock --help`.
  const words = argv[2] === 'help' ? [...argv.slice(3), '--help'] : argv.slice(2)
  const [first = DEFAULT_COMMAND] = words
  setQuiet(false)
  let commands: Commands = {}
  try {
    commands = await findCommands(first)
    await runProgram(commands, words)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    for (const problem of error.problems) complain(say(problem))
    if (mayHaveTakenCommand(words, commands[first])) complain('write -- before the command')
    process.exitCode = commands[first]?.mistakeCode ?? 2
  }
}

/** Those that the first word can mean: all of them for help. */
async function findCommands(first: string): Promise<Commands> {
  // Whatever the variables of the commands say.
  if (first === '-V' || first === '--version') return {}
  const isHelp = first === '-h' || first === '--help'
  const isDefault = first === DEFAULT_COMMAND || first.startsWith('-')
  // It starts sooner without the others.
  if (isDefault && !isHelp) return { [DEFAULT_COMMAND]: serveCommand }
  const commands = await loadAll()
  if (isHelp) return commands
  const command = commands[first]
  if (command) return { [first]: command }
  const [near = ''] = findNear(first, [...Object.keys(commands), ...Object.keys(OTHER_COMMANDS)])
  failUnknown(`command ${JSON.stringify(first)}`, OTHER_COMMANDS[near] ?? near)
}

async function loadAll(): Promise<Commands> {
  const { commands } = await import('./commands.ts')
  return commands
}

async function runProgram(commands: Commands, words: readonly string[]): Promise<void> {
  const { program, written } = createProgram(commands)
  program.hook('preAction', () => checkVariables(process.env, commands, loadAll))
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    // Help and the version end the program with an error too.
    const isHelp = error instanceof CommanderError && error.exitCode === 0
    if (!isHelp) throw error
    await print(written.join(''))
  }
}

/** A flag before the command may have taken the command for its value. */
function mayHaveTakenCommand(words: readonly string[], typed: CliCommand | undefined): boolean {
  const flags = words.filter((word) => word.startsWith('-'))
  if (flags.length === 0 || flags.includes('--')) return false
  const runners = [typed, ...Object.values(typed?.commands ?? {})]
  return runners.some((command) => command?.runsCommand)
}
