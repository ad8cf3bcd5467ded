// The commands and flags as commander takes them, the variables that set flags, and how the help looks.
import { Command, Help, type HelpConfiguration, Option } from 'commander'
import { UsageError } from '../contract/errors.ts'
import { say } from '../contract/problem.ts'
import { version } from '../generated/version.ts'
import { findNear, suggest } from '../near-names.ts'
import { type Flag, type FlagTable, nameVariable, parseSwitch, splitList } from '../settings/flag.ts'
import type { CliCommand } from './command.ts'
import { DEFAULT_COMMAND } from './commands/index.ts'

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
    .configureOutput({ writeOut: (text) => void written.push(text) })
  program.configureHelp(toHelpConfiguration(program))
  for (const { name, command } of loaded) {
    const hasWord = name === first && !second.startsWith('-')
    define(program.command(name, { isDefault: loaded.length === 1 }), name, command, hasWord)
    if (name === DEFAULT_COMMAND) program.addHelpText('after', toEnd(command))
  }
  return { program, written }
}

/** The command and all below it. */
export function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)]
}

function define(defined: Command, name: string, command: CliCommand, hasWord: boolean): void {
  defined.description(command.summary).addHelpText('after', toEnd(command))
  Object.assign(defined, createRefusals(defined, name, command))
  for (const [syntax, help, check] of command.arguments ?? [])
    defined.argument(syntax, help, check && toReader(check, (text) => `${name} ${text}`))
  for (const flag of Object.values(command.flags)) defined.addOption(toOption(flag))
  command.configure?.(defined)
  for (const [word, below] of Object.entries(command.commands ?? {})) define(defined.command(word), `${name} ${word}`, below, false)
  // A word that is not one of the commands below is a mistake; without an action, commander finds it.
  if (command.commands && hasWord) return
  defined.action(() => command.run(defined.optsWithGlobals() as never, defined.args))
}

/** Other tools' names for our commands. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  load: 'seed',
  logs: 'requests',
  start: 'serve',
  validate: 'scenarios check',
}

/** The mistake of a word that is not one of these commands, which are those below `above`. */
export function unknownCommand(word: string, names: readonly string[], above = ''): UsageError {
  const others = Object.keys(OTHER_NAMES).filter((name) => OTHER_NAMES[name]?.startsWith(above))
  const [near = ''] = findNear(word, [...names, ...others])
  return toUsageError(`unknown command ${JSON.stringify(word)}`, others.includes(near) ? OTHER_NAMES[near] : near, above)
}

function toUsageError(problem: string, meant: string | undefined, name: string): UsageError {
  return new UsageError(`${problem}; ${meant ? `did you mean ${meant}?` : `see ${`${NAME} ${name}`.trim()} --help`}`)
}

/** What commander calls for each kind of mistake. They replace its own, and so its sentences. */
function createRefusals(defined: Command, name: string, { examples, arguments: expected = [] }: CliCommand) {
  const toName = (option: Option) => {
    const isVariable = defined.getOptionValueSource(option.attributeName()) === 'env'
    return isVariable ? option.envVar : option.long
  }
  return {
    unknownCommand() {
      const names = defined.commands.map((command) => command.name())
      throw unknownCommand(defined.args[0] as string, names, name)
    },
    unknownOption(flag: string) {
      // A negative duration is a value.
      if (/^-P?T?\d/.test(flag)) return
      const known = defined.createHelp().visibleOptions(defined)
      const [near] = findNear(flag, known.map(toLong))
      throw toUsageError(`unknown option ${flag}`, near, name)
    },
    _excessArguments(words: readonly string[]) {
      const takes = expected.length === 0 ? 'no arguments' : `only ${expected.map(([syntax]) => syntax).join(' ')}`
      throw new UsageError(`unexpected ${JSON.stringify(words[expected.length])}: ${name} takes ${takes}`)
    },
    missingArgument(argument: string) {
      throw new UsageError(`${name} needs <${argument}>, as in: ${NAME} ${examples[0]}`)
    },
    optionMissingArgument(option: Option) {
      throw new UsageError(`${toLong(option)}: expected a value`)
    },
    _conflictingOption(option: Option, other: Option) {
      throw new UsageError(`${toName(option)} cannot be combined with ${toName(other)}`)
    },
  }
}

function toLong({ long }: Option): string {
  return long ?? ''
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
function toOption(flag: Flag): Option {
  const { syntax, help, group, choices, default: preset, conflicts = [], sets } = flag
  const { parse = choices ? chooseFrom(choices) : (text: string) => text } = flag
  const option = new Option(syntax, help)
  // If its variable has the same value, that one is wrong too.
  const read = toReader(parse, (text) => {
    const variable = process.env[option.envVar ?? ''] ?? '-'
    return [variable, ...splitList(variable)].includes(text) ? `${option.envVar}=${text}` : `${option.long} ${text}`
  })
  if (sets !== undefined) option.attributeName = () => sets
  if (group !== undefined) option.helpGroup(`${group}:`).env(PREFIX + nameVariable(flag))
  option.conflicts([...conflicts])
  if (option.variadic) {
    option.argParser((text, before) => {
      // A text of separators alone is one that is missing.
      const parts = splitList(text)
      return [...(Array.isArray(before) ? before : []), ...(parts.length === 0 ? [''] : parts).map(read)]
    })
  } else if (option.required) option.argParser(read)
  if (preset !== undefined) option.default(parse(preset), preset)
  return option
}

function chooseFrom(choices: readonly string[]): (text: string) => string {
  return (text) => {
    if (!choices.includes(text)) throw new UsageError(suggest(text, choices))
    return text
  }
}

/** A parser whose errors begin with what was typed. */
function toReader(parse: (text: string) => unknown, locate: (text: string) => string): (text: string) => unknown {
  return (text) => {
    try {
      if (text === '' || text.startsWith('--')) throw new UsageError('expected a value')
      return parse(text)
    } catch (error) {
      throw error instanceof UsageError
        ? new UsageError(error.problems.map((problem) => `${locate(text).trimEnd()}: ${say(problem)}`))
        : error
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
