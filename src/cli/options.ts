// The flags of a table as commander takes them, and the variables of the environment that set them.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { isUsageError, UsageError } from '../contract/errors.ts'
import { findNear } from '../contract/near-names.ts'
import { list } from '../contract/schema.ts'
import { parseSwitch, splitList } from '../mock/parse-settings.ts'
import type { Flag, FlagTable } from './command.ts'

const PREFIX = 'ANIMAL_STORE_'
/** Variables that no flag has: what `exec` hands to a batch file on Windows. */
const OTHER_VARIABLES = [`${PREFIX}COMMAND_LINE`]

/** Gives a command the flags of a table. A list takes in every word that follows, so it has to know which words are commands. */
export function addFlags(command: Command, table: FlagTable, isCommand: (word: string) => boolean): void {
  for (const flag of Object.values(table)) command.addOption(toOption(flag, isCommand))
}

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
  return unknown.map((name) => {
    // Without the prefix, which makes all names look alike.
    const near = findNear(
      name.slice(PREFIX.length),
      known.map((one) => one.slice(PREFIX.length)),
    )
    return `${name} is not a variable of this program${
      near.length > 0
        ? `; did you mean ${list(
            near.map((one) => PREFIX + one),
            'or',
          )}?`
        : ', and was ignored'
    }`
  })
}
