// Commands and flags as commander takes them, with our help and messages.
import { Command, Option } from 'commander'
import { UsageError } from '../../contract/errors.ts'
import { version } from '../../contract/generated/version.ts'
import { MOCK_NAME } from '../../control/protocol.ts'
import { type Flag, nameVariable, parseAt, readFlag } from '../../scenario/settings/flag.ts'
import type { CliCommand } from './command.ts'
import { quiet } from './flags.ts'
import { configureHelp, renderEnd } from './help.ts'
import { explainMistake, refuseExcess } from './mistakes.ts'
import { setQuiet } from './output.ts'

export const DEFAULT_COMMAND = 'serve'

/** `written` collects the help or the version. */
export function createProgram(commands: Readonly<Record<string, CliCommand>>) {
  const written: string[] = []
  const program = new Command(MOCK_NAME)
    .description('A stateful mock of the Animal Store service.')
    .usage('[command] [options]')
    .optionsGroup('Global options:')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({ writeOut: (text) => written.push(text), outputError: () => {} })
  program.configureHelp(configureHelp(program, DEFAULT_COMMAND))
  for (const [name, command] of Object.entries(commands)) {
    const { examples = [], notes } = command
    const isDefault = name === DEFAULT_COMMAND
    define(program.command(name, { isDefault }), name, command, examples)
    if (isDefault) program.addHelpText('after', renderEnd(examples, notes))
  }
  return { program, written }
}

function define(
  defined: Command,
  name: string,
  command: CliCommand,
  examples: readonly string[],
): void {
  defined
    .description(command.summary)
    .addHelpText('after', renderEnd(examples, command.notes))
    .allowExcessArguments()
    .exitOverride((error) => {
      // Help and the version end the program with an error too.
      throw error.exitCode === 0 ? error : explainMistake(error, defined, name, examples)
    })
  addArguments(defined, name, command)
  const sources: Sources = new Map()
  for (const flag of Object.values(command.flags ?? {})) addFlag(defined, flag, sources)
  // A command below another one has it from there.
  const isBelow = name.includes(' ')
  if (!isBelow) addFlag(defined, quiet, sources)
  command.configure?.(defined)
  if (command.runsCommand) defined.usage('[options] -- <command...>').passThroughOptions()
  const below = Object.values(command.commands ?? {})
  // A command's flags may come before and after the word for a command below it, unless that takes
  // the flags of a command that it runs.
  const isAnywhere = command.flags && below.length > 0 && !below.some((one) => one.runsCommand)
  if (isAnywhere) defined.enablePositionalOptions(false)
  for (const [word, one] of Object.entries(command.commands ?? {})) {
    const path = `${name} ${word}`
    const own = one.examples ?? examples.filter((example) => example.startsWith(path))
    define(defined.command(word), path, one, own)
  }
  defined.action(() => runAction(defined, name, command))
}

function addArguments(defined: Command, name: string, command: CliCommand): void {
  for (const [syntax, help, parse] of command.arguments ?? []) {
    const read = (text: string) => (parse ? parseAt(name, parse, text) : text)
    const isVariadic = syntax.includes('...')
    defined.argument(syntax, help, isVariadic ? collect(read) : read)
  }
}

/** Commander passes the values so far. */
const collect = (read: (text: string) => unknown) => (text: string, before: unknown) => {
  const values: readonly unknown[] = Array.isArray(before) ? before : []
  return values.concat(read(text))
}

function runAction(defined: Command, name: string, command: CliCommand) {
  const { args, registeredArguments, processedArgs } = defined
  const isVariadic = registeredArguments.at(-1)?.variadic
  const excess = args[registeredArguments.length]
  if (!isVariadic && excess !== undefined) refuseExcess(excess, name, command)
  // Only the last argument may be a list.
  const values = isVariadic ? processedArgs.flat() : processedArgs
  const given = values.filter((value) => value !== undefined)
  const { quiet: isQuiet = false, ...flags } = defined.optsWithGlobals()
  setQuiet(isQuiet)
  return command.run(flags as never, given as never[])
}

/** The flag or variable that set a value, by the name of the value. */
type Sources = Map<string, string>

function addFlag(defined: Command, flag: Flag, sources: Sources): void {
  const { syntax, help, group, parse = String, default: preset, conflicts = [], sets } = flag
  const option = new Option(syntax, help)
  if (sets !== undefined) option.attributeName = () => sets
  const value = option.attributeName()
  const variable = nameVariable(syntax)
  // Commander does not tell the parser where a value comes from. Its listeners come after these.
  defined.on(`option:${option.name()}`, () => sources.set(value, `${option.long}`))
  defined.on(`optionEnv:${option.name()}`, () => sources.set(value, variable))
  const read = (text: string) => readFlag(flag, text, sources.get(value) ?? variable)
  if (group !== undefined) {
    option.helpGroup(`${group}:`)
    const text = process.env[variable]
    // Commander takes every value of a switch's variable for "on", and an empty variable for a
    // value.
    if (text && (option.required || read(text))) option.env(variable)
  }
  if (option.required) option.argParser(option.variadic ? collect(read) : read)
  if (preset !== undefined) option.default(parse(preset), preset)
  defined.addOption(option)
  // Commander would name the first of the options that set the same value.
  defined.hook('preAction', () => {
    if (!sources.has(value)) return
    const other = conflicts.find((one) => sources.has(one))
    if (other !== undefined)
      throw new UsageError(`${sources.get(value)} cannot be used with ${sources.get(other)}`)
  })
}
