// All commands, read by commander. It takes longer to load than the mock itself, so an ordinary start does without it
// (plain-flags.ts).
import { Command, CommanderError } from 'commander'
import { version } from '../generated/version.ts'
import { addExec, addServe } from './define-mock-commands.ts'
import { addRemoteCommands } from './define-remote-commands.ts'
import { addAssumptions, addGenerate, addScenarios } from './define-scenario-commands.ts'
import { escapeUnsafe } from './escape.ts'
import { tidyVariables } from './flag.ts'
import { NAME, toHelpConfiguration } from './help.ts'
import { say } from './say.ts'

/** Runs what was typed; commander tells of mistakes itself, and `misuse` is their exit code. */
export async function runCommand(argv: readonly string[], misuse: number): Promise<void> {
  const program = createProgram()
  tidyVariables(
    allCommands(program).flatMap(({ options }) => options),
    process.env,
  )
  try {
    await program.parseAsync(argv)
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    process.exitCode = error.exitCode === 0 ? 0 : misuse
  }
}

export function createProgram(): Command {
  const program = new Command(NAME)
    .description('A stateful mock of the Animal Store service.')
    .usage('[command] [flags]')
    .optionsGroup('Further flags:')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({ writeErr: say, outputError: (text, write) => write(toOneLine(text)) })
  program.configureHelp(toHelpConfiguration(program))
  addServe(program)
  addRemoteCommands(program)
  addScenarios(program)
  addGenerate(program)
  addAssumptions(program)
  addExec(program)
  return program
}

/** The command and all below it. */
export function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)]
}

function toOneLine(text: string): string {
  const [line = '', hint = ''] = text.trim().split('\n')
  return `${NAME}: ${escapeUnsafe(line.replace(/^error: /, ''))}${hint === '' ? '' : ` ${escapeUnsafe(hint.toLowerCase())}`}\n`
}
