// A row of the table of flags (flags.ts): what its value is once it has been read, and how commander takes it.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { isUsageError, UsageError } from '../contract/errors.ts'
import { parseSwitch, splitList } from '../mock/parse-settings.ts'

/** One flag. Every flag can be set by a variable of the environment too: `--cors-origin` by ANIMAL_STORE_CORS_ORIGIN. */
export interface Flag {
  /** As help shows it: `-p, --port <n>` takes a value, `--api-key <key...>` several, `--watch` none. */
  readonly syntax: string
  readonly help: string
  /** The heading that help lists it under. */
  readonly group?: string
  /** From text to value; throws a UsageError. Without it the text is the value. */
  readonly parse?: (text: string) => unknown
  readonly choices?: readonly string[]
  /** As it would be typed. */
  readonly default?: string
  /** The name of the variable after the prefix, if help should name it: it is not the flag's own, or few would guess it. */
  readonly variable?: string
  /** What is wrong with its value is said without showing it. */
  readonly isSecret?: boolean
  /** Not shown in help. */
  readonly isInternal?: boolean
}

/** By the names of their values: `--ready-file` is `readyFile`, `--no-control` is `control`. */
export type FlagTable = Readonly<Record<string, Flag>>

type Single<Row> = Row extends { parse: (text: string) => infer Value }
  ? Value
  : Row extends { choices: readonly (infer Choice)[] }
    ? Choice
    : string
type ValueOf<Row extends Flag> = Row['syntax'] extends `${string}...>`
  ? readonly Single<Row>[]
  : Row['syntax'] extends `${string}>`
    ? Single<Row>
    : boolean
/** What always has a value: a flag with a default, and `--no-…`, which is true without. */
type IsSet<Row extends Flag> = Row extends { default: string } ? true : Row['syntax'] extends `--no-${string}` ? true : false

/** The values of the flags in a table, once they have been read. */
export type FlagValues<Table extends FlagTable> = {
  readonly [Name in keyof Table as IsSet<Table[Name]> extends true ? Name : never]: ValueOf<Table[Name]>
} & {
  readonly [Name in keyof Table as IsSet<Table[Name]> extends true ? never : Name]?: ValueOf<Table[Name]>
}

const PREFIX = 'ANIMAL_STORE_'

/** Gives a command the flags of a table. A list takes in every word that follows, so it has to know which words are commands. */
export function addFlags(command: Command, table: FlagTable, isCommand: (word: string) => boolean): void {
  for (const flag of Object.values(table)) command.addOption(toOption(flag, isCommand))
}

export function toOption(flag: Flag, isCommand: (word: string) => boolean = () => false): Option {
  const { syntax, help, group, parse, choices, default: preset, variable, isSecret = false, isInternal } = flag
  const option = new Option(syntax, variable === undefined ? help : `${help} (variable: ${PREFIX}${variable})`)
  const envName = PREFIX + (variable ?? (option.long as string).slice(2).replaceAll('-', '_').toUpperCase())
  const read = parse && ((text: string) => readOrRefuse(text, parse, isSecret ? `${option.long} or ${envName}` : undefined))
  option.env(envName)
  if (group !== undefined) option.helpGroup(`${group}:`)
  if (choices) option.choices(choices)
  else if (option.variadic) {
    option.argParser((text, before) => {
      if (isCommand(text)) throw new InvalidArgumentError('this is a command, which goes before the options')
      return [...toArray(before), ...splitOrRefuse(text).map((part) => read?.(part) ?? part)]
    })
  } else if (read) option.argParser(read)
  if (preset !== undefined) option.default(parse ? parse(preset) : preset, preset)
  return option.hideHelp(isInternal === true)
}

function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function splitOrRefuse(text: string): string[] {
  const parts = splitList(text)
  if (parts.length === 0) throw new InvalidArgumentError('expected at least one value')
  return parts
}

/** Lets commander name the flag, or its variable, and its value along with what is wrong; what is secret is only named. */
function readOrRefuse<T>(text: string, parse: (text: string) => T, secret?: string): T {
  try {
    return parse(text)
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
