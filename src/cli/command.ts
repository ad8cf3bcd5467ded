// What a command is made of. Each is loaded when it runs.
import type { Command } from 'commander'
import type { FlagTable, FlagValues } from '../settings/flag.ts'

export interface CliCommand<Values = never> {
  readonly summary: string
  /** What is typed after the command, each with its help; `run` gets what `parse` returns, or the text itself. */
  readonly arguments?: readonly (readonly [syntax: string, help: string, parse?: (text: string) => unknown])[]
  /** A command below this one has them too. */
  readonly flags: FlagTable
  /** What can be typed after the program's name. */
  readonly examples: readonly string[]
  readonly notes?: readonly string[]
  readonly commands?: Readonly<Record<string, CliCommand>>
  /** Settings of commander's that only this command needs. */
  configure?(command: Command): void
  run(flags: Values, args: readonly never[]): void | Promise<void>
}

/** A command whose `run` gets the values of its flags. */
export function defineCommand<Table extends FlagTable>(command: CliCommand<FlagValues<Table>> & { readonly flags: Table }): CliCommand {
  return command
}
