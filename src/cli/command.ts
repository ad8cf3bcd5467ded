// What a command and its flags are made of. Each command has its file in commands/, which is loaded when the command runs.
import type { Command } from 'commander'

/** One flag. */
export interface Flag {
  /** As help shows it: `-p, --port <n>` takes a value, `--api-key <key...>` several, `--watch` none. */
  readonly syntax: string
  readonly help: string
  /** The heading that help lists it under. Such a flag has a variable too: `--cors-origin` is ANIMAL_STORE_CORS_ORIGIN. */
  readonly group?: string
  /** From text to value; throws a UsageError. Without it the text is the value. */
  readonly parse?: (text: string) => unknown
  readonly choices?: readonly string[]
  /** As it would be typed. */
  readonly default?: string
  /** The names of the values that it cannot be combined with. */
  readonly conflicts?: readonly string[]
  /** The flag whose value this one sets instead. */
  readonly sets?: string
}

/** By the names of their values: `--ready-file` is `readyFile`, `--no-control` is `control`. */
export type FlagTable = Readonly<Record<string, Flag>>

/** The flags under one heading of the help. */
export function group<const Table extends FlagTable>(heading: string, table: Table): Table {
  return Object.fromEntries(Object.entries(table).map(([name, flag]) => [name, { ...flag, group: heading }])) as Table
}

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

export interface CliCommand {
  /** One line for the list of commands. */
  readonly summary: string
  /** What is typed after the command, each with its help. What `check` throws is reported before the command runs. */
  readonly arguments?: readonly (readonly [syntax: string, help: string, check?: (text: string) => unknown])[]
  /** A command below this one has them too. */
  readonly flags: FlagTable
  /** What can be typed after the program's name. */
  readonly examples: readonly string[]
  /** Whatever else the help should say. */
  readonly notes?: readonly string[]
  readonly commands?: Readonly<Record<string, CliCommand>>
  /** Settings of commander's that only this command needs. */
  configure?(command: Command): void
  run(flags: never, args: readonly string[]): void | Promise<void>
}

interface Definition<Table extends FlagTable> extends Omit<CliCommand, 'flags' | 'run'> {
  readonly flags: Table
  run(flags: FlagValues<Table>, args: readonly string[]): void | Promise<void>
}

/** A command whose `run` gets the values of its flags. */
export function defineCommand<Table extends FlagTable>(definition: Definition<Table>): CliCommand {
  return definition
}
