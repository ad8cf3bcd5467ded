// The commands as commander takes them, and how their help looks.
import { Command, Help, type HelpConfiguration } from 'commander'
import { UsageError } from '../contract/errors.ts'
import { escapeUnsafe } from '../contract/escape.ts'
import { version } from '../generated/version.ts'
import type { CliCommand } from './command.ts'
import { commands, DEFAULT_COMMAND } from './commands/index.ts'
import { addFlags } from './options.ts'
import { say } from './say.ts'

const NAME = 'animal-store-mock'
/** Commands that other tools have under these names. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  load: 'seed',
  restore: 'seed',
  validate: 'scenarios check',
  logs: 'requests',
  start: 'serve',
}

interface Named {
  readonly name: string
  readonly command: CliCommand
}

export interface Program {
  readonly program: Command
  /** What was typed, as the program should read it. */
  readonly arranged: readonly string[]
  /** The help or the version that commander has written, in its parts. */
  readonly written: readonly string[]
}

/** A program of these commands. A lone default command need not be named. */
export function createProgram(loaded: readonly Named[], args: readonly string[]): Program {
  const written: string[] = []
  const program = new Command(NAME)
    .description('A stateful mock of the Animal Store service.')
    .usage('[command] [options]')
    .optionsGroup('Global options:')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => void written.push(text),
      writeErr: say,
      outputError: (text, write) => write(`${NAME}: ${text.trim().split('\n').map(escapeUnsafe).join(' ')}\n`),
    })
  program.configureHelp(toHelpConfiguration(program))
  let arranged = args
  for (const { name, command } of loaded) {
    const isNamed = args[0] === name
    const rest = isNamed ? args.slice(1) : args
    define(program, name, command, rest, loaded.length === 1 && !isNamed)
    if (isNamed && command.arrange) arranged = [name, ...command.arrange(rest)]
    if (name === DEFAULT_COMMAND) program.addHelpText('after', toEnd(command))
  }
  const unknown = findUnknownCommand(loaded, args)
  if (unknown !== undefined && Object.hasOwn(OTHER_NAMES, unknown)) {
    throw new UsageError(`unknown command '${unknown}': use ${NAME} ${OTHER_NAMES[unknown]}`)
  }
  // Commander takes `help help` for a mistake.
  if (args[0] === 'help' && isHelp(args[1])) arranged = ['help']
  return { program, arranged: unknown === undefined ? arranged : [unknown], written }
}

function isHelp(word = ''): boolean {
  return ['help', '-h', '--help'].includes(word)
}

/** The first word if it is not a command. Passed alone, so that commander's error names it. */
function findUnknownCommand(loaded: readonly Named[], args: readonly string[]): string | undefined {
  const word = args[0] === 'help' ? args[1] : args[0]
  if (word === undefined || word === 'help' || word.startsWith('-')) return undefined
  return loaded.some(({ name }) => name === word) ? undefined : word
}

/** The command and all below it. */
export function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)]
}

function define(parent: Command, name: string, command: CliCommand, rest: readonly string[], isDefault: boolean): void {
  const { summary, arguments: parameters = [], flags, commands: below = {}, configure } = command
  const defined = parent.command(name, { isDefault }).description(summary).addHelpText('after', toEnd(command))
  for (const [syntax, help] of parameters) defined.argument(syntax, help)
  addFlags(defined, flags, (word) => Object.hasOwn(commands, word))
  configure?.(defined)
  for (const [inner, one] of Object.entries(below)) define(defined, inner, one, [], false)
  // A word that is not one of the commands below is a mistake; without an action, commander says so and suggests one.
  const isWord = rest[0] !== undefined && !rest[0].startsWith('-')
  if (Object.keys(below).length > 0 && isWord) return
  const isOpen = parameters.at(-1)?.[0].includes('...')
  defined.allowExcessArguments().action(() => {
    const extra = isOpen ? undefined : defined.args[parameters.length]
    if (extra !== undefined) throw new UsageError(`${name}: unexpected argument ${JSON.stringify(extra)}`)
    return command.run(defined.opts() as never, defined.args)
  })
}

/** The end of a help text: commands to copy, and what else there is to know. */
function toEnd({ examples, notes = [] }: CliCommand): string {
  const lines = examples.map((example) => `  ${NAME} ${example}`.trimEnd())
  return ['', 'Examples:', ...lines, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n')
}

/** The help of the program shows the flags of the default command too: they are what most people look for. */
function toHelpConfiguration(program: Command): HelpConfiguration {
  const help = new Help()
  return {
    visibleOptions(command) {
      const shown = command === program ? program.commands.find((one) => one.name() === DEFAULT_COMMAND) : undefined
      return [...(shown ? shown.options.filter(({ hidden }) => !hidden) : []), ...help.visibleOptions(command)]
    },
    // In the order of what is shown, so that those of the default command come first.
    groupItems: (_all, visible, groupOf) => help.groupItems(visible, visible, groupOf),
    // Flags without a short name line up with the others.
    optionTerm: ({ short, flags }) => (short === undefined ? `    ${flags}` : flags),
    // The variables follow one rule, which is told once.
    optionDescription: ({ description, defaultValueDescription: preset }) =>
      preset === undefined ? description : `${description} (default: ${preset})`,
    subcommandTerm: (command) => help.subcommandTerm(command).replace(' [options]', ''),
  }
}
