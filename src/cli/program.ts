// The command line as a whole: what there is to type, and what becomes of a mistake.
import { Command, CommanderError } from 'commander'
import { UsageError } from '../contract/errors.ts'
import { version } from '../generated/version.ts'
import { addExec, addServe } from './define-mock-commands.ts'
import { addRemoteCommands } from './define-remote-commands.ts'
import { addAssumptions, addGenerate, addScenarios } from './define-scenario-commands.ts'
import { escapeUnsafe } from './escape.ts'
import { tidyVariables } from './flag.ts'
import { NAME, toHelpConfiguration } from './help.ts'
import { note } from './note.ts'

const MISUSE = 2

/** Runs the command line; a mistake in it is told in one line, with exit code 2. */
export async function run(argv: readonly string[]): Promise<void> {
  // That nobody listens to what is said is no reason to fall over.
  process.stderr.on('error', () => {})
  try {
    const program = createProgram()
    tidyVariables(
      allCommands(program).flatMap(({ options }) => options),
      process.env,
    )
    await program.parseAsync(argv)
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : MISUSE
    else if (error instanceof UsageError) {
      for (const problem of error.problems) note(escapeUnsafe(problem))
      process.exitCode = MISUSE
    } else throw error
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
    .configureOutput({ outputError: (text, write) => write(toOneLine(text)) })
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
