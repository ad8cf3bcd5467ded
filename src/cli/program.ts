// The commands and flags as commander takes them, the variables that set flags, and how the help looks.
import { Command, Help, type HelpConfiguration, InvalidArgumentError, Option } from 'commander'
import { escapeUnsafe } from '../client/escape.ts'
import { isUsageError, UsageError } from '../contract/errors.ts'
import { version } from '../generated/version.ts'
import { parseSwitch, splitList } from '../hosts/parse-settings.ts'
import type { CliCommand, Flag, FlagTable } from './command.ts'
import { commands, DEFAULT_COMMAND } from './commands/index.ts'
import { say } from './say.ts'

const NAME = 'animal-store-mock'
const PREFIX = 'ANIMAL_STORE_'
/** Variables that no flag has: of `exec` for batch files on Windows, of a kit's surprises, and the key that `calibrate` reads. */
const OTHER_VARIABLES = [`${PREFIX}COMMAND_LINE`, `${PREFIX}SURPRISE_REPORT`, `${PREFIX}REAL_KEY`]
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
  for (const flag of Object.values(flags)) defined.addOption(toOption(flag, (word) => Object.hasOwn(commands, word)))
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

/** A flag as commander takes it. A list takes in every word that follows, so it has to know which words are commands. */
export function toOption(flag: Flag, isCommand: (word: string) => boolean = () => false): Option {
  const { syntax, help, group, parse = (text: string) => text, choices, default: preset, variable, sets, isSecret, isInternal } = flag
  const option = new Option(syntax, variable === undefined ? help : `${help} (variable: ${PREFIX}${variable})`)
  const name = option.long as string
  const envName = toVariable(flag)
  const read = (text: string) => {
    if (text.startsWith('--')) throw new InvalidArgumentError('Expected a value, got an option.')
    return attempt(() => parse(text), isSecret ? `${name} or ${envName}` : undefined)
  }
  if (sets === undefined) option.env(envName)
  else option.attributeName = () => sets
  if (group !== undefined) option.helpGroup(`${group}:`)
  if (choices) option.choices(choices)
  else if (option.variadic) {
    option.argParser((text, before) => {
      if (isCommand(text)) throw new InvalidArgumentError('This is a command, which goes before the options.')
      const parts = splitList(text)
      if (parts.length === 0) throw new InvalidArgumentError('Expected at least one value.')
      return [...(Array.isArray(before) ? before : []), ...parts.map(read)]
    })
  } else if (option.required) option.argParser(read)
  if (preset !== undefined) option.default(parse(preset), preset)
  return option.hideHelp(isInternal === true)
}

function toVariable({ syntax, variable }: Flag): string {
  const [, long = ''] = /--([a-z-]+)/.exec(syntax) ?? []
  return PREFIX + (variable ?? long.replaceAll('-', '_').toUpperCase())
}

/** Lets commander name the flag, or its variable, and the value along with what is wrong; a secret is only named. */
function attempt<T>(parse: () => T, secret?: string): T {
  try {
    return parse()
  } catch (error) {
    if (!isUsageError(error)) throw error
    throw secret === undefined ? new InvalidArgumentError(error.message) : new UsageError(`${secret}: ${error.message}`)
  }
}

/** Commander takes any value of a switch's variable for "on", and an empty one for a value: here neither counts. */
export function tidyVariables(options: readonly Option[], environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(environment)) if (name.startsWith(PREFIX) && environment[name] === '') delete environment[name]
  for (const { envVar, required, optional } of options) {
    const value = envVar === undefined ? undefined : environment[envVar]
    if (envVar === undefined || value === undefined || required || optional) continue
    if (!readSwitch(envVar, value)) delete environment[envVar]
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
  const known = [...OTHER_VARIABLES, ...tables.flatMap((table) => Object.values(table).map(toVariable))]
  const unknown = Object.keys(environment).filter((name) => name.startsWith(PREFIX) && !known.includes(name))
  return unknown.map((name) => `${name} is not a variable of this program, and was ignored`)
}
