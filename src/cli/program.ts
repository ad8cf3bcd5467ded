// The commands and flags as commander takes them, the variables that set flags, and how the help looks.
import { Command, Help, type HelpConfiguration, InvalidArgumentError, Option } from 'commander'
import { escapeUnsafe } from '../client/escape.ts'
import { UsageError } from '../contract/errors.ts'
import { version } from '../generated/version.ts'
import { type Flag, type FlagTable, nameVariable, parseSwitch, splitList } from '../settings/flag.ts'
import type { CliCommand } from './command.ts'
import { DEFAULT_COMMAND } from './commands/index.ts'
import { say } from './output.ts'

const NAME = 'animal-store-mock'
const PREFIX = 'ANIMAL_STORE_'
/** Variables that no flag has: of a kit's surprises, and the key that `calibrate` reads. */
const OTHER_VARIABLES = [`${PREFIX}SURPRISE_REPORT`, `${PREFIX}REAL_KEY`]

interface Named {
  readonly name: string
  readonly command: CliCommand
}

interface Program {
  readonly program: Command
  /** The help or the version that commander has written, in its parts. */
  readonly written: readonly string[]
}

/** A program of these commands. A lone one need not be named. */
export function createProgram(loaded: readonly Named[], [first, second = '-']: readonly string[]): Program {
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
  for (const { name, command } of loaded) {
    const hasWord = name === first && !second.startsWith('-')
    define(program.command(name, { isDefault: loaded.length === 1 }), command, hasWord)
    if (name === DEFAULT_COMMAND) program.addHelpText('after', toEnd(command))
  }
  return { program, written }
}

/** The command and all below it. */
export function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)]
}

function define(defined: Command, command: CliCommand, hasWord: boolean): void {
  defined.description(command.summary).addHelpText('after', toEnd(command))
  for (const [syntax, help, check] of command.arguments ?? []) defined.argument(syntax, help, check && toReader(check))
  for (const flag of Object.values(command.flags)) defined.addOption(toOption(flag))
  command.configure?.(defined)
  for (const [name, below] of Object.entries(command.commands ?? {})) define(defined.command(name), below, false)
  // A word that is not one of the commands below is a mistake; without an action, commander says so and suggests one.
  if (command.commands && hasWord) return
  defined.action(() => command.run(defined.optsWithGlobals() as never, defined.args))
}

/** The end of a help text: commands to copy, and what else there is to know. */
function toEnd({ examples, notes = [] }: CliCommand): string {
  const lines = examples.map((example) => `  ${NAME} ${example}`.trimEnd())
  return ['', 'Examples:', ...lines, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n')
}

/** The help of the program also shows the flags of the default command, and that of a command those of the command above it. */
function toHelpConfiguration(program: Command): HelpConfiguration {
  const help = new Help()
  return {
    visibleOptions(command) {
      const other = command === program ? program.commands.find((one) => one.name() === DEFAULT_COMMAND) : command.parent
      return [...(other && other !== program ? other.options : []), ...help.visibleOptions(command)]
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

/** A flag as commander takes it. */
export function toOption(flag: Flag): Option {
  const { syntax, help, group, parse = (text: string) => text, choices, default: preset, conflicts = [], sets } = flag
  const option = new Option(syntax, help)
  const read = toReader(parse)
  if (sets !== undefined) option.attributeName = () => sets
  if (group !== undefined) option.helpGroup(`${group}:`).env(PREFIX + nameVariable(flag))
  option.conflicts([...conflicts])
  if (choices) option.choices(choices)
  else if (option.variadic) {
    option.argParser((text, before) => {
      const parts = splitList(text)
      if (parts.length === 0) throw new InvalidArgumentError('Expected a value.')
      return [...(Array.isArray(before) ? before : []), ...parts.map(read)]
    })
  } else if (option.required) option.argParser(read)
  if (preset !== undefined) option.default(parse(preset), preset)
  return option
}

/** A parser as commander takes it, which names the flag, its variable or the argument along with what is wrong. */
function toReader(parse: (text: string) => unknown): (text: string) => unknown {
  return (text) => {
    if (text === '' || text.startsWith('--')) throw new InvalidArgumentError('Expected a value.')
    try {
      return parse(text)
    } catch (error) {
      throw error instanceof UsageError ? new InvalidArgumentError(error.message) : error
    }
  }
}

/** Commander takes any value of a switch's variable for "on", and an empty one for a value: here neither counts. */
export function tidyVariables(options: readonly Option[], environment: NodeJS.ProcessEnv): void {
  for (const { envVar = '', required } of options) {
    const value = environment[envVar]
    if (value === '' || (value !== undefined && !required && !readSwitch(envVar, value))) delete environment[envVar]
  }
}

function readSwitch(name: string, value: string): boolean {
  try {
    return parseSwitch(value)
  } catch (error) {
    throw new UsageError(`${name}: ${(error as Error).message}`)
  }
}

/** One line for each variable with our prefix that sets nothing. */
export function findUnknownVariables(tables: readonly FlagTable[], environment: NodeJS.ProcessEnv): string[] {
  const flags = tables.flatMap((table) => Object.values(table)).filter(({ group }) => group !== undefined)
  const known = [...OTHER_VARIABLES, ...flags.map((flag) => PREFIX + nameVariable(flag))]
  const unknown = Object.keys(environment).filter((name) => name.startsWith(PREFIX) && !known.includes(name))
  return unknown.map((name) => `Ignored unknown variable ${name}`)
}
